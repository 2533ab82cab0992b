import Foundation
import Testing

@testable import PhotoInput

@Suite struct Base64Tests {
  @Test func anyBytes() {
    var noise = Noise()
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &noise) }
      let text = Data(bytes).base64EncodedString(options: .lineLength76Characters)
      #expect(Base64.decode(Array(text.utf8)) == bytes)
      #expect(Base64.decode(text.utf8.filter { $0 != UInt8(ascii: "=") }) == bytes)
    }
  }

  /// The last but one and the one before have bits beyond the last byte.
  @Test(arguments: ["A", "AB==", "ABC==", "AAAA=", "AQ==AQ==", "A Q-", "AQ_=", "AR==", "AAB=", "é"])
  func refused(text: String) {
    #expect(Base64.decode(Array(text.utf8)) == nil)
  }
}
