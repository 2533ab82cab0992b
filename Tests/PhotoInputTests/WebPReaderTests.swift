import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct WebPReaderTests {
  static func alpha(_ x: Int, _ y: Int) -> Double {
    (x - 15) * (x - 15) + (y - 10) * (y - 10) < 64 ? 255 : x < 3 ? 0 : 90
  }

  @Test func withoutLosses() throws {
    let picture = try decode(TestWebP.lossless)
    #expect(picture.hasAlpha && picture.size == Size(width: 30, height: 20))
    for y in 0..<20 {
      // Where nothing is to be seen the encoder keeps no colour.
      for x in 3..<30 {
        #expect(picture[x, y] == [Double(x * 8), Double(y * 12), 128, Self.alpha(x, y)])
      }
      #expect((0..<3).allSatisfy { picture[$0, y][3] == 0 })
    }
  }

  /// Colours come back within what coding loses: the range is the limited one.
  @Test func withLosses() throws {
    let picture = try decode(TestWebP.lossy)
    #expect(!picture.hasAlpha)
    var sum = 0.0
    for y in 0..<20 {
      for x in 0..<30 {
        let pixel = picture[x, y]
        #expect(pixel[3] == 255)
        let errors = [pixel[0] - Double(x * 8), pixel[1] - Double(y * 12), pixel[2] - 128]
        sum += errors.reduce(0) { $0 + abs($1) }
      }
    }
    #expect(sum / 1800 < 4)
  }

  @Test func alphaBesideLosses() throws {
    let picture = try decode(TestWebP.lossyAlpha)
    #expect(picture.hasAlpha)
    for y in 0..<20 {
      for x in 0..<30 { #expect(picture[x, y][3] == Self.alpha(x, y)) }
    }
    let middle = picture[15, 10]
    #expect(abs(middle[0] - 120) < 12 && abs(middle[1] - 120) < 12 && abs(middle[2] - 128) < 12)
    #expect(try picture.matte().samples.min() == 0)
  }

  @Test func aProfile() throws {
    let profile = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula).encode()
    var bytes = TestWebP.lossless
    bytes += Array("ICCP".utf8) + bigEndian(profile.count, 4).reversed() + profile
    if profile.count % 2 == 1 { bytes.append(0) }
    bytes.replaceSubrange(4..<8, with: bigEndian(bytes.count - 8, 4).reversed())
    #expect(try decode(bytes).colour == .icc(profile))
    #expect(try decode(TestWebP.lossless).colour == .untagged)
  }

  @Test(arguments: ["", "Exif\0\0"]) func exif(mark: String) throws {
    var bytes = TestWebP.lossyAlpha
    let block = Array(mark.utf8) + exifBlock(orientation: 6, focalLength35: 35)
    let padding = [UInt8](repeating: 0, count: block.count % 2)
    bytes += Array("EXIF".utf8) + bigEndian(block.count, 4).reversed() + block + padding
    bytes.replaceSubrange(4..<8, with: bigEndian(bytes.count - 8, 4).reversed())
    let picture = try decode(bytes)
    #expect(picture.size == Size(width: 20, height: 30))
    #expect(picture.exif.focalLength35 == 35)
  }

  static func sized(_ file: [UInt8], at offset: Int, _ size: [UInt8]) -> [UInt8] {
    file.prefix(offset) + size + file.dropFirst(offset + size.count)
  }

  static let broken: [(bytes: [UInt8], problem: Problem)] = [
    (
      sized(TestWebP.lossy, at: 26, [0xFF, 0x3F, 0xFF, 0x3F]),
      Problem.tooLarge(size: Size(width: 16383, height: 16383), maxPixels: 1_000_000)
    ),
    (
      sized(TestWebP.lossless, at: 21, [0xFF, 0xFF, 0xFF, 0x1F]),
      .tooLarge(size: Size(width: 16384, height: 16384), maxPixels: 1_000_000)
    ),
    (sized(TestWebP.lossy, at: 26, [0, 0]), .zeroSize(size: Size(width: 0, height: 20))),
    (Array(TestWebP.lossy.dropLast()), .truncated(kind: "WebP")),
    (Array(TestWebP.lossy.prefix(12)), .truncated(kind: "WebP")),
    (TestWebP.animation, .unsupported(kind: "WebP", feature: .coding("an animation"))),
  ]

  @Test(arguments: broken) func refused(bytes: [UInt8], problem: Problem) {
    #expect(throws: problem) { try decode(bytes) }
  }
}
