import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct GIFReaderTests {
  static let palette = (0..<100).map { [$0, 255 - $0, 2 * $0] }
  static let plain = TestGIF(width: 40, height: 30, palette: palette)

  static func index(_ x: Int, _ y: Int) -> Int { (x * 7 + y * 3) % 100 }

  @Test func colours() throws {
    let picture = try decode(Self.plain.encode(Self.index))
    for y in 0..<30 {
      for x in 0..<40 {
        let expected = Self.palette[Self.index(x, y)] + [255]
        #expect(picture[x, y] == expected.map(Double.init))
      }
    }
    #expect(!(try picture.photo().hasAlpha))
  }

  @Test func transparency() throws {
    var file = Self.plain
    file.transparent = 7
    let picture = try decode(file.encode { x, _ in x < 20 ? 7 : 8 })
    #expect(picture[19, 5][3] == 0 && picture[20, 5] == [8, 247, 16, 255])
    #expect(try picture.photo().hasAlpha)
    #expect(try picture.matte()[20, 0] == 1)
  }

  /// The rest of the screen is open.
  @Test func aPictureSmallerThanTheScreen() throws {
    var file = Self.plain
    file.place = [10, 5, 4, 3]
    file.transparent = 99
    let picture = try decode(file.encode { _, _ in 50 })
    #expect(picture.size == Size(width: 40, height: 30))
    #expect(picture[10, 5] == [50, 205, 100, 255] && picture[13, 7][3] == 255)
    #expect(picture[9, 5][3] == 0 && picture[14, 7][3] == 0)
  }

  @Test func theFirstOfMany() throws {
    let first = Self.plain.encode { _, _ in 3 }
    let second = Self.plain.encode { _, _ in 4 }
    // Behind the header and the colours.
    let picture = try decode(first.dropLast() + second.dropFirst(13 + 384))
    #expect(picture[0, 0] == [3, 252, 6, 255])
  }

  static let whole = plain.encode(index)

  static let broken: [(bytes: [UInt8], problem: Problem)] = [
    (
      Array(whole.prefix(6)) + [0x60, 0xEA, 0x60, 0xEA] + whole.dropFirst(10),
      Problem.tooLarge(size: Size(width: 60000, height: 60000), maxPixels: 1_000_000)
    ),
    (Array(whole.dropLast(2)), .truncated(kind: "GIF")),
    (Array(whole.prefix(whole.count / 2)), .truncated(kind: "GIF")),
    (Array(whole.prefix(397)) + [0x3B], .damaged(kind: "GIF", detail: "no picture")),
    (
      Array(whole.prefix(397)) + [0x55],
      .damaged(kind: "GIF", detail: "block of an unknown sort")
    ),
  ]

  @Test(arguments: broken) func refused(bytes: [UInt8], problem: Problem) {
    #expect(throws: problem) { try decode(bytes) }
  }
}
