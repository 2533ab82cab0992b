import TestSupport
import Testing

@testable import PhotoInput

@Suite struct RawSpanIntegersTests {
  // A span cannot stand in an expectation: these stand for it.
  private static let bytes: [UInt8] = [0x01, 0x02, 0x03, 0x84, 0x05]
  private static func byte(_ offset: Int) -> UInt8? { bytes.span.bytes.byte(at: offset) }
  private static func uint16(_ offset: Int, bigEndian: Bool = true) -> Int? {
    bytes.span.bytes.uint16(at: offset, bigEndian: bigEndian)
  }
  private static func uint32(_ offset: Int, bigEndian: Bool = true) -> Int? {
    bytes.span.bytes.uint32(at: offset, bigEndian: bigEndian)
  }
  private static func has(_ prefix: [UInt8], at offset: Int) -> Bool {
    bytes.span.bytes.has(prefix, at: offset)
  }

  @Test func numbersInBothOrders() {
    #expect(Self.byte(3) == 0x84)
    #expect(Self.uint16(0) == 0x0102)
    #expect(Self.uint16(2, bigEndian: false) == 0x8403)
    #expect(Self.uint32(1) == 0x0203_8405)
    #expect(Self.uint32(0, bigEndian: false) == 0x8403_0201)
  }

  @Test func nothingBehindTheEnd() {
    #expect(Self.byte(5) == nil)
    #expect(Self.byte(-1) == nil)
    #expect(Self.uint16(4) == nil)
    #expect(Self.uint32(2) == nil)
    #expect(Self.uint32(1 << 40) == nil)
  }

  @Test func prefixes() {
    #expect(Self.has([1, 2], at: 0))
    #expect(Self.has([0x84, 5], at: 3))
    #expect(!Self.has([5, 6], at: 4))
    #expect(Self.has([], at: 9))
  }
}
