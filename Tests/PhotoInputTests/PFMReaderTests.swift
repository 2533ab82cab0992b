import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct PFMReaderTests {
  static func file(_ header: String, _ values: [Float], littleEndian: Bool = true) -> [UInt8] {
    Array(header.utf8)
      + values.flatMap { value in
        let bytes = bigEndian(Int(value.bitPattern), 4)
        return littleEndian ? bytes.reversed() : bytes
      }
  }

  @Test(arguments: [true, false]) func bothByteOrdersFromTheBottom(littleEndian: Bool) throws {
    let bytes = Self.file(
      "Pf\n3 2\n\(littleEndian ? "-1.0" : "1.0")\n", [4, 5, .nan, 1, -.infinity, 3.5],
      littleEndian: littleEndian)
    let depth = try decode(bytes).depth().samples
    #expect(depth[..<5] == [1, -.infinity, 3.5, 4, 5])
    #expect(depth[5].isNaN)
  }

  @Test(arguments: ["Pf 1 1 -1 ", "Pf\n1\t1\n-0.5\n", "Pf\r\n1 1\r\n-1e3\r", "Pf\n\n1  1\n-1\n"])
  func headers(text: String) throws {
    #expect(try decode(Self.file(text, [7])).depth().samples == [7])
  }

  @Test func whatFollowsIsIgnored() throws {
    #expect(try decode(Self.file("Pf\n1 1\n-1\n", [7, 8])).depth().samples == [7])
  }

  @Test func equalChannels() throws {
    #expect(
      try decode(Self.file("PF\n2 1\n-1\n", [7, 7, 7, .nan, .nan, .nan])).depth().samples[0] == 7)
    #expect(throws: Problem.unsupported(kind: "PFM", feature: .colour)) {
      try decode(Self.file("PF\n1 1\n-1\n", [7, 7, 8])).depth()
    }
  }

  @Test(arguments: [
    ("Pf\n0 5\n-1\n", Problem.zeroSize(size: Size(width: 0, height: 5))),
    ("Pf\n60000 60000\n-1\n", .tooLarge(size: Size(width: 60000, height: 60000), maxPixels: 10)),
    ("Pf\n2 1\n-1\n", .truncated(kind: "PFM")),
    ("Pf\n2 1", .truncated(kind: "PFM")),
    ("Pf\nwide 1\n-1\n", .damaged(kind: "PFM", detail: "header")),
    ("Pf\n1 1\n0\n", .damaged(kind: "PFM", detail: "header")),
    ("Pf\n1 1\nnan\n", .damaged(kind: "PFM", detail: "header")),
    (
      "Pf\n99999999999999999999999999999999999999999 1\n-1\n",
      .damaged(kind: "PFM", detail: "header")
    ),
    (
      "Pf\n" + String(repeating: " ", count: 100) + "1 1\n-1\n",
      .damaged(kind: "PFM", detail: "header")
    ),
  ])
  func refused(text: String, problem: Problem) {
    #expect(throws: problem) { try decode(Self.file(text, [7]), maxPixels: 10) }
  }

  @Test func isNotAPhoto() {
    #expect(throws: Problem.notAPhoto(kind: "PFM")) {
      try decode(Self.file("Pf\n1 1\n-1\n", [7])).photo()
    }
  }
}
