import TestSupport
import Testing

@testable import PhotoInput

@Suite struct EXIFTests {
  /// A span cannot stand in an expectation.
  static func read(_ block: [UInt8]) -> EXIF { EXIF(block.span.bytes) }

  @Test(arguments: [true, false]) func bothByteOrders(isBig: Bool) {
    let block = exifBlock(orientation: 6, focalLength35: 26, bigEndian: isBig)
    let exif = Self.read(block)
    #expect(exif.orientation.rawValue == 6)
    #expect(exif.focalLength35 == 26)
  }

  @Test(arguments: [0, 9, 65535]) func impossibleOrientations(value: Int) {
    #expect(Self.read(exifBlock(orientation: value)) == EXIF())
  }

  @Test func focalLengthZeroIsUnknown() {
    #expect(Self.read(exifBlock(focalLength35: 0)).focalLength35 == nil)
  }

  @Test func eitherAlone() {
    #expect(Self.read(exifBlock(orientation: 3)).orientation.rawValue == 3)
    #expect(Self.read(exifBlock(focalLength35: 50)).focalLength35 == 50)
  }

  @Test func nonsenseSaysNothing() {
    let block = exifBlock(orientation: 6, focalLength35: 26)
    for count in block.indices { _ = Self.read(Array(block[..<count])) }
    for index in block.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = block
        damaged[index] = value
        _ = Self.read(damaged)
      }
    }
    #expect(Self.read([]) == EXIF())
    #expect(Self.read([UInt8](repeating: 0x4D, count: 64)) == EXIF())
  }
}
