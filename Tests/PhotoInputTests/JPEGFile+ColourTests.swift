import TestSupport
import Testing

@testable import PhotoInput

@Suite struct JPEGFileColourTests {
  static let profile = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula).encode()

  static func colour(_ segments: [[UInt8]]) throws -> ColourTag {
    try decode(
      TestJPEG(
        width: 8, height: 8, sampling: TestJPEG.yuv420, segments: Array(segments.joined())
      ).encode { _, _, _ in 128 }
    ).colour
  }

  @Test func aProfileInOnePartOrMany() throws {
    #expect(try Self.colour([]) == .untagged)
    let other = TestJPEG.segment(0xE2, Array("MPF\0 of something else".utf8))
    for size in [60_000, 400, 100, 7] {
      let parts = TestJPEG.icc(Self.profile, size: size)
      #expect(try Self.colour(parts) == .icc(Self.profile))
      #expect(try Self.colour(parts.reversed() + [other]) == .icc(Self.profile))
    }
  }

  @Test func partsThatDoNotFit() throws {
    let parts = TestJPEG.icc(Self.profile, size: 100)
    #expect(try Self.colour(Array(parts.dropFirst())) == .brokenICC("a part is missing"))
    #expect(try Self.colour(Array(parts.dropLast())) == .brokenICC("a part is missing"))
    let twice = parts + [parts[0]]
    #expect(try Self.colour(twice) == .brokenICC("parts contradict each other"))
    let signature = Array("ICC_PROFILE\0".utf8)
    for head: [UInt8] in [[0, 1, 9], [2, 1, 9], [1, 0, 9]] {
      #expect(try Self.colour([TestJPEG.segment(0xE2, signature + head)]) != .untagged)
    }
    let otherCount = parts + [TestJPEG.segment(0xE2, signature + [200, 201, 9])]
    #expect(try Self.colour(otherCount) == .brokenICC("parts contradict each other"))
    #expect(
      try Self.colour([TestJPEG.segment(0xE2, signature + [1, 1])]) == .brokenICC("an empty part"))
  }
}
