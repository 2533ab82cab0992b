internal import CFFmpeg
internal import MotionCore

/// WebP through libavcodec: lossy with and without alpha, and lossless; the limited range of BT.601.
/// Source: Google's WebP Container Specification and RFC 6386.
enum WebPReader {
  static let name = "WebP"

  static func matches(_ head: RawSpan) -> Bool {
    head.has(Array("RIFF".utf8)) && head.has(Array("WEBP".utf8), at: 8)
  }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    guard let length = bytes.uint32(at: 4, bigEndian: false), 8 + length <= bytes.byteCount else {
      throw .truncated(kind: name)
    }
    var size: Size?
    var exif = EXIF()
    var colour = ColourTag.untagged
    var offset = 12
    while offset + 8 <= 8 + length {
      let body = offset + 8
      guard let count = bytes.uint32(at: offset + 4, bigEndian: false), body + count <= 8 + length
      else { throw .damaged(kind: name, detail: "chunk length") }
      switch String(decoding: (0..<4).map { bytes.byte(at: offset + $0)! }, as: UTF8.self) {
      case "VP8 ": size = try lossy(bytes, at: body, maxPixels)
      case "VP8L": size = try lossless(bytes, at: body, maxPixels)
      case "ANIM", "ANMF": throw .unsupported(kind: name, feature: .coding("an animation"))
      case "ICCP":
        colour = .icc((body..<(body + count)).map { bytes.byte(at: $0)! })
      case "EXIF":
        // Some writers put JPEG's mark before the block.
        let mark = Array("Exif\0\0".utf8)
        let start = body + (bytes.has(mark, at: body) ? mark.count : 0)
        if start <= body + count { exif = EXIF(bytes.extracting(start..<(body + count))) }
      default: break
      }
      offset = body + count + count % 2
    }
    guard let size else { throw .damaged(kind: name, detail: "no picture") }
    let (samples, hasAlpha) = try LibavPicture(
      AV_CODEC_ID_WEBP, kind: name, size: size, parts: [0..<(8 + length)], of: bytes
    ).samples(.limited)
    return Picture(stored: samples, kind: name, hasAlpha: hasAlpha, exif: exif, colour: colour)
  }

  /// The size in a key frame's header: 14 bits each, behind a tag and a start code.
  private static func lossy(_ bytes: RawSpan, at body: Int, _ maxPixels: Int) throws(Problem)
    -> Size
  {
    guard bytes.has([0x9D, 0x01, 0x2A], at: body + 3),
      let width = bytes.uint16(at: body + 6, bigEndian: false),
      let height = bytes.uint16(at: body + 8, bigEndian: false)
    else { throw .damaged(kind: name, detail: "frame header") }
    return try Size(header: width & 0x3FFF, height & 0x3FFF, maxPixels: maxPixels)
  }

  /// The size in a lossless stream's header: 14 bits each, less one, behind a signature.
  private static func lossless(
    _ bytes: RawSpan, at body: Int, _ maxPixels: Int
  ) throws(Problem) -> Size {
    guard bytes.byte(at: body) == 0x2F, let bits = bytes.uint32(at: body + 1, bigEndian: false)
    else { throw .damaged(kind: name, detail: "lossless header") }
    return try Size(header: bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1, maxPixels: maxPixels)
  }
}
