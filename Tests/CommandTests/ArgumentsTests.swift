import Testing

@testable import motion_stream

@Suite struct ArgumentsTests {
  @Test(
    arguments: [
      Array("--depth".utf8), Array("Größe 🌷".utf8), [], [0xFF], [0x61, 0xE4, 0x2E, 0x62],
      Array("\u{10FFFF}".utf8), Array("\u{10FF80}".utf8) + [0x80],
    ] as [[UInt8]])
  func thereAndBack(bytes: [UInt8]) {
    #expect(Arguments.bytes(Arguments.text(bytes)) == bytes)
  }

  @Test func textStaysText() {
    #expect(Arguments.text(Array("Größe".utf8)) == "Größe")
    #expect(!Arguments.isEscaped("Größe"))
    #expect(Arguments.isEscaped(Arguments.text([0x2D, 0xFF])))
    #expect(Arguments.text([0x2D, 0x2D, 0x61, 0x3D, 0xFF]).hasPrefix("--a="))
  }
}
