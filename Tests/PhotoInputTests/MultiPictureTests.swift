import TestSupport
import Testing

@testable import PhotoInput

@Suite struct MultiPictureTests {
  static func further(_ bytes: [UInt8]) throws(Problem) -> [MultiPicture.Entry] {
    MultiPicture(try JPEGFile(bytes.span.bytes, maxPixels: 100_000), in: bytes.span.bytes).further
  }

  @Test(arguments: [true, false]) func places(bigEndian: Bool) throws {
    let first = TestPhoto.map()
    // The index need not be the first segment: offsets count from the index.
    let comment = TestJPEG.segment(0xFE, [1, 2, 3])
    let bytes = TestPhoto.multiPicture(
      [first, TestPhoto.map()], bigEndian: bigEndian, types: [0, 0x020002], segments: comment)
    let second = bytes.count - first.count
    #expect(
      try Self.further(bytes) == [
        .init(offset: second - first.count, hasType: false), .init(offset: second, hasType: true),
      ])
  }

  @Test func theirNumberIsBounded() throws {
    let many = Array(repeating: [UInt8](), count: 100)
    #expect(try Self.further(TestPhoto.multiPicture(many)).count == 31)
  }

  @Test func noIndex() throws {
    #expect(try Self.further(TestPhoto.photograph()).isEmpty)
    for block in ["", "MM", "MM\0*", "MM\0*\0\0\0\u{8}\0\u{3}"] {
      let segment = TestJPEG.segment(0xE2, Array("MPF\0".utf8) + Array(block.utf8))
      #expect(try Self.further(TestPhoto.photograph(segment)).isEmpty)
    }
  }
}
