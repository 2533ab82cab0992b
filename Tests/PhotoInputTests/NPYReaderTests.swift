import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct NPYReaderTests {
  @Test(arguments: ["<", ">"], [1, 2, 3] as [UInt8])
  func everyType(order: String, version: UInt8) throws {
    func depth(_ type: String, _ bits: [Int]) throws -> [Float] {
      try decode(TestNPY.encode(order + type, [2, 2], version: version, bits: bits))
        .depth().samples
    }
    #expect(
      try depth("f4", [0x3F80_0000, 0xC000_0000, 0x7F80_0000, 1]) == [1, -2, .infinity, 0x1p-149])
    #expect(try depth("f2", [0x3C00, 0xC000, 0x7C00, 1]) == [1, -2, .infinity, 0x1p-24])
    #expect(try depth("u2", [0, 65535, 13107, 1]) == [0, 1, 0.2, 1 / 65535])
    #expect(try depth("u1", [0, 255, 51, 1]) == [0, 1, 0.2, 1 / 255])
  }

  @Test(arguments: [[2, 3], [1, 2, 3], [2, 3, 1]]) func shapes(shape: [Int]) throws {
    let picture = try decode(TestNPY.encode("|u1", shape, bits: [0, 1, 2, 3, 4, 5]))
    #expect(picture.size == Size(width: 3, height: 2))
    #expect(picture[2, 0][0] == 2 && picture[0, 1][0] == 3)
  }

  /// Every one of the 65536 against the rules of the standard.
  @Test func halves() {
    for bits in 0..<65536 {
      let value = Float(binary16: UInt16(bits))
      let (exponent, fraction) = (bits >> 10 & 31, bits & 1023)
      guard exponent < 31 else {
        #expect(fraction == 0 ? value.isInfinite : value.isNaN)
        continue
      }
      var size = exponent == 0 ? Double(fraction) * 0x1p-24 : 1 + Double(fraction) / 1024
      for _ in 15..<max(exponent, 15) { size *= 2 }
      if exponent > 0 { for _ in exponent..<max(15, exponent) { size /= 2 } }
      #expect(Double(value) == (bits >= 32768 ? -size : size))
    }
  }

  @Test(arguments: [
    (TestNPY.encode("<f8", [1, 1], bits: [0]), PhotoInputError.Feature.arrayType("<f8")),
    (TestNPY.encode("<i2", [1, 1], bits: [0]), .arrayType("<i2")),
    (TestNPY.encode("|u2", [1, 1], bits: [0]), .arrayType("|u2")),
    (TestNPY.encode("<u2", [1, 1], fortran: true, bits: [0]), .fortranOrder),
    (TestNPY.encode("<u2", [2], bits: [0, 0]), .arrayShape([2])),
    (TestNPY.encode("<u2", [2, 1, 3], bits: [0, 0, 0, 0, 0, 0]), .arrayShape([2, 1, 3])),
    (TestNPY.encode("<u2", [], bits: [0]), .arrayShape([])),
  ])
  func unsupported(bytes: [UInt8], feature: PhotoInputError.Feature) {
    #expect(throws: Problem.unsupported(kind: "NPY", feature: feature)) { try decode(bytes) }
  }

  @Test(arguments: [
    #"{"descr":"<u2","fortran_order":False,"shape":(1,1)}"#,
    "{ 'shape' : ( 1 , 1 , ) , 'fortran_order' : False , 'descr' : '<u2' , }",
  ])
  func headersThatSayTheSame(header: String) throws {
    #expect(try decode(TestNPY.file(header: header) + [0xFF, 0xFF]).depth().samples == [1])
  }

  @Test(arguments: [
    "", "{}", "{'descr': '<u2'}", "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 1)",
    "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 1)} x",
    "{'descr': '<u2', 'descr': '<u2', 'fortran_order': False, 'shape': (1, 1)}",
    "{'descr': '<u2', 'fortran_order': 0, 'shape': (1, 1)}",
    "{'descr': '<u2', 'fortran_order': False, 'shape': (-1, 1)}",
    "{'descr': '<u2', 'fortran_order': False, 'shape': (1.5, 1)}",
    "{'descr': '<u2', 'fortran_order': False, 'shape': (9999999999999999999, 1)}",
    "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 1), 'more': 1}",
    "{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': (1, 1)}",
    "{'descr': '<u2, 'fortran_order': False, 'shape': (1, 1)}",
    "{'descr': '<u2', 'fortran_order': False, 'shape': (" + String(repeating: "1,", count: 99)
      + ")}",
  ])
  func brokenHeaders(header: String) {
    #expect(throws: Problem.damaged(kind: "NPY", detail: "header")) {
      try decode(TestNPY.file(header: header) + [0, 0])
    }
  }

  static let beginning: [UInt8] = [0x93] + Array("NUMPY".utf8)

  static let broken: [(bytes: [UInt8], problem: Problem)] = [
    (
      TestNPY.encode("<u2", [60000, 60000], bits: []),
      Problem.tooLarge(size: Size(width: 60000, height: 60000), maxPixels: 1_000_000)
    ),
    (
      TestNPY.encode("<u2", [999_999_999_999_999_999, 99], bits: []),
      .tooLarge(size: Size(width: 99, height: 999_999_999_999_999_999), maxPixels: 1_000_000)
    ),
    (TestNPY.encode("<u2", [0, 5], bits: []), .zeroSize(size: Size(width: 5, height: 0))),
    (TestNPY.encode("<u2", [2, 2], bits: [1, 2, 3]), .truncated(kind: "NPY")),
    (Array(TestNPY.encode("<u2", [2, 2], bits: []).prefix(9)), .truncated(kind: "NPY")),
    (
      beginning + [4, 0, 0, 0],
      .damaged(kind: "NPY", detail: "version 4")
    ),
    (
      beginning + [2, 0, 0xFF, 0xFF, 0xFF, 0x7F],
      .damaged(kind: "NPY", detail: "header")
    ),
  ]

  @Test(arguments: broken) func refused(bytes: [UInt8], problem: Problem) {
    #expect(throws: problem) { try decode(bytes) }
  }

  @Test func floatsAreNoPhoto() {
    #expect(throws: Problem.notAPhoto(kind: "NPY")) {
      try decode(TestNPY.encode("<f4", [1, 1], bits: [0])).photo()
    }
  }
}
