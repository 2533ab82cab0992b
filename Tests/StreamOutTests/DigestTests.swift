import MotionCore
import Testing

@testable import StreamOut

@Suite struct DigestTests {
  /// RFC 1321.
  @Test func md5OfPieces() {
    let running = RunningMD5()
    #expect("\(running.finish())" == "d41d8cd98f00b204e9800998ecf8427e")
    for piece in ["abcdefghijklm", "", "nopqrstuvwxyz"] {
      Array(piece.utf8).withUnsafeBytes { running.update($0) }
    }
    #expect("\(running.finish())" == "c3fcd3d76192e4007dfb496cca67e13b")
  }

  @Test func md5OfAFrameIsThatOfItsBytes() {
    let frame = testFrame(videoFormat(33, 7))
    let running = RunningMD5()
    frame.bytes.withUnsafeBytes { running.update($0) }
    #expect(MD5(frame) == running.finish())
    #expect(MD5(frame) != MD5(testFrame(videoFormat(33, 7), seed: 1)))
  }

  @Test func md5IsReadAsItIsWritten() {
    let text = "00ff10a0d98f00b204e9800998ecf842"
    #expect(MD5(text).map { "\($0)" } == text)
    for text in [
      "", "d4", "+0ff10a0d98f00b204e9800998ecf842", "00ff10a0d98f00b2-4e9800998ecf842",
      "g0ff10a0d98f00b204e9800998ecf842", "00ff10a0d98f00b204e9800998ecf84200",
    ] {
      #expect(MD5(text) == nil, "\(text)")
    }
  }

  /// FIPS 180-4's examples.
  @Test func sha256() {
    #expect(
      "\(SHA256("abc"))" == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      "\(SHA256(""))" == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}
