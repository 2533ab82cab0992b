import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct BMPReaderTests {
  static let file = testBMP(width: 5, height: 3) { x, y in [x * 50, y * 100, x + y] }

  @Test func bottomUp() throws {
    let picture = try decode(Self.file)
    for y in 0..<3 {
      for x in 0..<5 {
        #expect(picture[x, y] == [Double(x * 50), Double(y * 100), Double(x + y), 255])
      }
    }
    #expect(!picture.hasAlpha)
  }

  static func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    file.prefix(offset) + bytes + file.dropFirst(offset + bytes.count)
  }

  @Test func topDown() throws {
    let picture = try decode(Self.changed(22, [0xFD, 0xFF, 0xFF, 0xFF]))
    #expect(picture[0, 2][1] == 0 && picture[0, 0][1] == 200)
  }

  static let broken: [(bytes: [UInt8], problem: Problem)] = [
    (
      changed(18, [0x60, 0xEA, 0, 0, 0x60, 0xEA, 0, 0]),
      Problem.tooLarge(size: Size(width: 60000, height: 60000), maxPixels: 1_000_000)
    ),
    (changed(18, [0, 0, 0, 0]), .zeroSize(size: Size(width: 0, height: 3))),
    (changed(30, [5]), .unsupported(kind: "BMP", feature: .coding("number 5"))),
    (Array(file.dropLast(2)), .truncated(kind: "BMP")),
    (Array(file.prefix(20)), .truncated(kind: "BMP")),
  ]

  @Test(arguments: broken) func refused(bytes: [UInt8], problem: Problem) {
    #expect(throws: problem) { try decode(bytes) }
  }
}
