import TestSupport
import Testing

@testable import PhotoInput

@Suite struct TIFFTests {
  @Test(arguments: [true, false]) func values(bigEndian: Bool) throws {
    let block = exifBlock(orientation: 6, focalLength35: 50, bigEndian: bigEndian)
    let found = TIFF.header(block.span.bytes)
    let header = try #require(found)
    #expect(header.bigEndian == bigEndian)
    #expect(header.directory == 8)
    func value(_ tag: Int) -> Int? {
      TIFF.value(tag, in: header.directory, of: block.span.bytes, bigEndian: bigEndian)
    }
    #expect(value(0x0112) == 6)
    #expect(value(0x8769) == 38)
    #expect(value(0x9999) == nil)
    let entry = TIFF.entry(0x8769, in: 8, of: block.span.bytes, bigEndian: bigEndian)
    #expect(entry == 22)
  }

  @Test func noBlock() {
    let blocks: [[UInt8]] = [[], [0x4D, 0x4D], Array("MM\0+\0\0\0\u{8}".utf8), Array("II*".utf8)]
    for block in blocks {
      let header = TIFF.header(block.span.bytes)
      #expect(header == nil)
    }
  }
}
