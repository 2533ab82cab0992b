internal import CFFmpeg
public import MotionCore

/// The MD5 of a frame's planes, written as `ffmpeg -f framemd5` writes it. It tells frames apart; it
/// is no proof against somebody who wants two to be alike.
public struct MD5: Hashable, Sendable, Codable, CustomStringConvertible {
  private let high, low: UInt64

  /// Of the planes of a frame, one behind the other.
  public init(_ frame: Frame) {
    let running = RunningMD5()
    frame.withUnsafeBytes { running.update($0) }
    self = running.finish()
  }

  fileprivate init(bytes: [UInt8]) {
    func word(_ range: Range<Int>) -> UInt64 {
      bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    (high, low) = (word(0..<8), word(8..<16))
  }

  /// Reads 32 hexadecimal digits.
  public init?(_ text: String) {
    guard let bytes = StreamOut.bytes(hexadecimal: text), bytes.count == 16 else { return nil }
    self.init(bytes: bytes)
  }

  public var description: String {
    hexadecimal(
      (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> (56 - $0 % 8 * 8)) })
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = MD5(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an MD5 is 32 hexadecimal digits")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The MD5 of bytes that come piece by piece.
final class RunningMD5 {
  private let context: OpaquePointer

  init() {
    guard let context = av_md5_alloc() else { fatalError("out of memory") }
    self.context = context
    av_md5_init(context)
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    av_md5_update(context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The MD5 of what came since the last, and begins anew.
  func finish() -> MD5 {
    var bytes = [UInt8](repeating: 0, count: 16)
    av_md5_final(context, &bytes)
    av_md5_init(context)
    return MD5(bytes: bytes)
  }
}

/// SHA-256 of bytes, which names a content.
public struct SHA256: Hashable, Sendable, CustomStringConvertible {
  private let bytes: [UInt8]

  public init(_ content: RawSpan) {
    guard let context = av_sha_alloc() else { fatalError("out of memory") }
    defer { av_free(UnsafeMutableRawPointer(context)) }
    av_sha_init(context, 256)
    content.withUnsafeBytes { content in
      av_sha_update(
        context, content.baseAddress?.assumingMemoryBound(to: UInt8.self), content.count)
    }
    var bytes = [UInt8](repeating: 0, count: 32)
    av_sha_final(context, &bytes)
    self.bytes = bytes
  }

  /// Of a text's UTF-8.
  public init(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span.bytes)
  }

  /// 64 hexadecimal digits.
  public var description: String { hexadecimal(bytes) }
}

/// The bytes that are written as two digits each; nil where something else is.
func bytes(hexadecimal text: String) -> [UInt8]? {
  let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
  guard digits.count % 2 == 0, digits.allSatisfy({ $0 != nil }) else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0]! << 4 | digits[$0 + 1]!) }
}

/// Two digits a byte, in lower case.
func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
