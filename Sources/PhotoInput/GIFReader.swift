internal import CFFmpeg
internal import MotionCore

/// GIF through libavcodec: the first picture of it, on the whole screen, with what it leaves open and
/// its transparent colour as alpha 0. Source: CompuServe's GIF89a.
enum GIFReader {
  static let name = "GIF"

  static func matches(_ head: RawSpan) -> Bool {
    head.has(Array("GIF87a".utf8)) || head.has(Array("GIF89a".utf8))
  }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    guard let width = bytes.uint16(at: 6, bigEndian: false),
      let height = bytes.uint16(at: 8, bigEndian: false)
    else { throw .truncated(kind: name) }
    let size = try Size(header: width, height, maxPixels: maxPixels)
    let end = try endOfFirstPicture(bytes)
    let (samples, hasAlpha) = try LibavPicture(
      AV_CODEC_ID_GIF, kind: name, size: size, parts: [0..<end], of: bytes
    ).samples()
    return Picture(stored: samples, kind: name, hasAlpha: hasAlpha)
  }

  /// Just behind the first picture's data. Finding it proves that the data is whole: the decoder
  /// would leave open what is missing.
  private static func endOfFirstPicture(_ bytes: RawSpan) throws(Problem) -> Int {
    func byte(_ offset: Int) throws(Problem) -> Int {
      guard let byte = bytes.byte(at: offset) else { throw .truncated(kind: name) }
      return Int(byte)
    }
    /// The bytes of a colour table, by the flags that announce it.
    func table(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 6 << (flags & 7) }
    /// Behind a chain of blocks, each with its length before it, up to the empty one.
    func end(ofBlocks start: Int) throws(Problem) -> Int {
      var offset = start
      while true {
        let length = try byte(offset)
        offset += 1 + length
        if length == 0 { return offset }
      }
    }
    var offset = 13 + table(try byte(10))
    while true {
      switch try byte(offset) {
      case 0x21: offset = try end(ofBlocks: offset + 2)  // an extension
      case 0x2C:
        return try end(ofBlocks: offset + 11 + table(try byte(offset + 9)))
      case 0x3B: throw .damaged(kind: name, detail: "no picture")
      default: throw .damaged(kind: name, detail: "block of an unknown sort")
      }
    }
  }
}
