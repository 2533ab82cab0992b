internal import CFFmpeg
internal import MotionCore

/// BMP through libavcodec: 1 to 32 bits a pixel, palettes, bit fields, run lengths. Source:
/// Microsoft's BITMAPFILEHEADER, BITMAPCOREHEADER and BITMAPINFOHEADER up to version 5.
enum BMPReader {
  static let name = "BMP"
  private static let coreHeader = 12
  private static let headers = [coreHeader, 40, 52, 56, 64, 108, 124]
  /// By their numbers: none, two of run lengths, two of bit fields.
  private static let codings = [0, 1, 2, 3, 6]

  static func matches(_ head: RawSpan) -> Bool {
    guard head.has(Array("BM".utf8)), let header = head.uint32(at: 14, bigEndian: false) else {
      return false
    }
    return headers.contains(header)
  }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    func short(_ offset: Int) throws(Problem) -> Int {
      guard let value = bytes.uint16(at: offset, bigEndian: false) else {
        throw .truncated(kind: name)
      }
      return value
    }
    func long(_ offset: Int) throws(Problem) -> Int {
      guard let value = bytes.uint32(at: offset, bigEndian: false) else {
        throw .truncated(kind: name)
      }
      return value
    }
    let isCore = try long(14) == coreHeader
    let width = isCore ? try short(18) : try long(18)
    // A negative height says that rows run downwards.
    let height = isCore ? try short(20) : abs(Int(Int32(truncatingIfNeeded: try long(22))))
    let size = try Size(header: width, height, maxPixels: maxPixels)
    let bits = isCore ? try short(24) : try short(28)
    let coding = isCore ? 0 : try long(30)
    guard codings.contains(coding) else {
      throw .unsupported(kind: name, feature: .coding("number \(coding)"))
    }
    let isRunLength = coding == 1 || coding == 2
    let stored = isRunLength ? try long(34) : (width * bits + 31) / 32 * 4 * height
    guard try long(10) + stored <= bytes.byteCount else { throw .truncated(kind: name) }
    let (samples, hasAlpha) = try LibavPicture(
      AV_CODEC_ID_BMP, kind: name, size: size, parts: [0..<bytes.byteCount], of: bytes
    ).samples()
    return Picture(stored: samples, kind: name, hasAlpha: hasAlpha)
  }
}
