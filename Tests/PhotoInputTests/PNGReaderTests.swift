import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct PNGReaderTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var bits: Int
    var color: TestPNG.Color
    var testDescription: String { "\(color), \(bits) bits" }
  }

  static let forms: [Form] =
    [1, 2, 4, 8, 16].map { Form(bits: $0, color: .grey) }
    + [1, 2, 4, 8].map { Form(bits: $0, color: .palette) }
    + [TestPNG.Color.rgb, .rgba, .greyAlpha].flatMap { color in
      [8, 16].map { Form(bits: $0, color: color) }
    }

  static let palette: [UInt8] = (0..<16).flatMap { [255 - $0 * 3, $0 * 16, $0] }
  static let paletteAlpha: [UInt8] = [0, 128, 255]

  /// Exact values of every form, plain and interlaced, at a size that fills no byte and no pass.
  @Test(arguments: forms, [false, true]) func values(form: Form, isInterlaced: Bool) throws {
    let channels = form.color.channels
    let largest = min(1 << form.bits - 1, form.color == .palette ? 15 : .max)
    func sample(_ x: Int, _ y: Int) -> [Int] {
      (0..<channels).map { (x * 4099 + y * 977 + $0 * 21503) % (largest + 1) }
    }
    var file = TestPNG(width: 13, height: 11, bits: form.bits, color: form.color)
    file.isInterlaced = isInterlaced
    if form.color == .palette {
      file.palette = Array(Self.palette[..<(3 * (largest + 1))])
      file.transparency = Array(Self.paletteAlpha.prefix(largest + 1))
    }
    let picture = try decode(file.encode(sample))
    #expect(picture.size == Size(width: 13, height: 11))
    #expect(picture.hasAlpha == [.palette, .rgba, .greyAlpha].contains(form.color))
    let scale = form.bits < 8 ? 255 / largest : 1
    let opaque = form.bits == 16 ? 65535 : 255
    for y in 0..<11 {
      for x in 0..<13 {
        let s = sample(x, y)
        let expected: [Int] =
          switch form.color {
          case .grey: [s[0] * scale, s[0] * scale, s[0] * scale, opaque]
          case .greyAlpha: [s[0], s[0], s[0], s[1]]
          case .rgb: s + [opaque]
          case .rgba: s
          case .palette:
            Self.palette[(3 * s[0])..<(3 * s[0] + 3)].map(Int.init)
              + [s[0] < 3 ? Int(Self.paletteAlpha[s[0]]) : 255]
          }
        #expect(picture[x, y] == expected.map(Double.init), "\(x), \(y)")
      }
    }
  }

  @Test(arguments: [
    (Form(bits: 8, color: .grey), [0, 7]), (Form(bits: 16, color: .grey), [2, 1]),
    (Form(bits: 4, color: .grey), [0, 7]), (Form(bits: 8, color: .rgb), [0, 7, 0, 8, 0, 9]),
    (Form(bits: 16, color: .rgb), [2, 7, 2, 8, 2, 9]),
  ])
  func transparentColour(form: Form, transparency: [UInt8]) throws {
    let through = (0..<form.color.channels).map {
      Int(transparency[2 * $0]) << 8 | Int(transparency[2 * $0 + 1])
    }
    var file = TestPNG(width: 2, height: 1, bits: form.bits, color: form.color)
    file.transparency = transparency
    let picture = try decode(file.encode { x, _ in x == 0 ? through : through.map { $0 - 1 } })
    #expect(picture.hasAlpha)
    #expect(picture[0, 0][3] == 0)
    #expect(picture[1, 0][3] == (form.bits == 16 ? 65535 : 255))
  }

  @Test func exif() throws {
    var file = TestPNG(width: 3, height: 2, color: .grey)
    file.exif = exifBlock(orientation: 6, focalLength35: 35)
    let picture = try decode(file.encode { x, y in [10 * y + x] })
    #expect(picture.size == Size(width: 2, height: 3))
    #expect(picture[0, 0][0] == 10)
    #expect(picture[1, 2][0] == 2)
    #expect(picture.exif.focalLength35 == 35)
  }

  static func header(_ width: Int, _ height: Int) -> [UInt8] {
    var bytes = TestPNG(width: 1, height: 1).encode { _, _ in [1, 2, 3, 4] }
    bytes.replaceSubrange(16..<24, with: bigEndian(width, 4) + bigEndian(height, 4))
    return bytes
  }

  @Test(arguments: [
    (header(0, 5), Problem.zeroSize(size: Size(width: 0, height: 5))),
    (
      header(60_000, 60_000),
      .tooLarge(size: Size(width: 60_000, height: 60_000), maxPixels: 1_000_000)
    ),
    (
      header(0xFFFF_FFFF, 0xFFFF_FFFF),
      .tooLarge(size: Size(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF), maxPixels: 1_000_000)
    ),
    (Array(header(1, 1)[..<20]), .truncated(kind: "PNG")),
    (Array(header(1, 1)[..<30]), .truncated(kind: "PNG")),
  ])
  func refused(bytes: [UInt8], problem: Problem) {
    #expect(throws: problem) { try decode(bytes) }
  }

  @Test func damageIsFound() throws {
    var bytes = TestPNG(width: 8, height: 8).encode { x, y in [x, y, 3, 4] }
    bytes[80] ^= 1
    let error = #expect(throws: Problem.self) { try decode(bytes) }
    guard case .damaged(kind: "PNG", let detail) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!detail.isEmpty)
  }
}
