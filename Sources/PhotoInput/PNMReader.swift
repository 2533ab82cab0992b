internal import CFFmpeg
internal import MotionCore

/// PBM, PGM, PPM and PAM through libavcodec, as text and as bytes, 8 and 16 bits a sample. Source:
/// pbm(5), pgm(5), ppm(5) and pam(5) of Netpbm.
enum PNMReader {
  static let name = "PNM"

  /// By the digit behind the P, from 1.
  private static let codecs = [
    AV_CODEC_ID_PBM, AV_CODEC_ID_PGM, AV_CODEC_ID_PPM, AV_CODEC_ID_PBM, AV_CODEC_ID_PGM,
    AV_CODEC_ID_PPM, AV_CODEC_ID_PAM,
  ]

  static func matches(_ head: RawSpan) -> Bool {
    guard head.has(Array("P".utf8)), let digit = digit(head), let space = head.byte(at: 2) else {
      return false
    }
    // "P7 332" is another format.
    return digit == 7 ? space == 0x0A : isSpace(space) || space == UInt8(ascii: "#")
  }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    let digit = digit(bytes)!
    var offset = 2
    let size: Size
    let bytesPerRow: Int
    if digit == 7 {
      let header = try pam(bytes, &offset)
      guard let width = header["WIDTH"], let height = header["HEIGHT"],
        let depth = header["DEPTH"], let most = header["MAXVAL"], (1...4).contains(depth)
      else { throw .damaged(kind: name, detail: "header") }
      size = try Size(header: width, height, maxPixels: maxPixels)
      bytesPerRow = width * depth * (most > 255 ? 2 : 1)
    } else {
      let width = try number(bytes, &offset)
      let height = try number(bytes, &offset)
      size = try Size(header: width, height, maxPixels: maxPixels)
      let hasMost = digit != 1 && digit != 4
      let most = hasMost ? try number(bytes, &offset) : 1
      bytesPerRow =
        switch digit {
        case 1, 2: width  // text: at least a character a sample
        case 3: 3 * width
        case 4: (width + 7) / 8
        case 5: width * (most > 255 ? 2 : 1)
        default: 3 * width * (most > 255 ? 2 : 1)
        }
    }
    // One white space ends the header.
    guard bytesPerRow * size.height <= bytes.byteCount - offset - 1 else {
      throw .truncated(kind: name)
    }
    let (samples, hasAlpha) = try LibavPicture(
      codecs[digit - 1], kind: name, size: size, parts: [0..<bytes.byteCount], of: bytes
    ).samples()
    return Picture(stored: samples, kind: name, hasAlpha: hasAlpha)
  }

  private static func digit(_ head: RawSpan) -> Int? {
    guard let byte = head.byte(at: 1), (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(byte)
    else { return nil }
    return Int(byte - UInt8(ascii: "0"))
  }

  /// The numbers of a PAM's header by their names; leaves `offset` just behind its last word.
  private static func pam(_ bytes: RawSpan, _ offset: inout Int) throws(Problem) -> [String: Int] {
    var header: [String: Int] = [:]
    while true {
      let key = try word(bytes, &offset)
      if key == "ENDHDR" { return header }
      if key == "TUPLTYPE" {
        _ = try word(bytes, &offset)
      } else {
        header[key] = try number(bytes, &offset)
      }
    }
  }

  private static func number(_ bytes: RawSpan, _ offset: inout Int) throws(Problem) -> Int {
    guard let number = Int(try word(bytes, &offset)), number >= 0, number <= Int(Int32.max) else {
      throw .damaged(kind: name, detail: "header")
    }
    return number
  }

  /// The next word of the header, over spaces and comments; leaves `offset` just behind it.
  private static func word(_ bytes: RawSpan, _ offset: inout Int) throws(Problem) -> String {
    let (longestHeader, longestWord) = (1 << 16, 32)
    var text = ""
    var isComment = false
    while offset < longestHeader {
      guard let byte = bytes.byte(at: offset) else { throw .truncated(kind: name) }
      if text.isEmpty, byte == UInt8(ascii: "#") { isComment = true }
      if isSpace(byte), !text.isEmpty { return text }
      if !isComment, !isSpace(byte) { text.unicodeScalars.append(Unicode.Scalar(byte)) }
      if byte == 0x0A || byte == 0x0D { isComment = false }
      guard text.utf8.count <= longestWord else { break }
      offset += 1
    }
    throw .damaged(kind: name, detail: "header")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
