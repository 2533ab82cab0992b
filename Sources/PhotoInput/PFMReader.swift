internal import MotionCore

/// PFM: one float a sample (`Pf`), or three (`PF`) if they are equal. Rows run from the bottom up; a
/// negative scale means little endian, and its size is a unit that nobody writes, so it is ignored.
/// Source: pfm(5) of Netpbm.
enum PFMReader {
  static let name = "PFM"

  static func matches(_ head: RawSpan) -> Bool {
    guard let third = head.byte(at: 2), isSpace(third) else { return false }
    return head.has(Array("Pf".utf8)) || head.has(Array("PF".utf8))
  }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    let channels = bytes.byte(at: 1) == UInt8(ascii: "F") ? 3 : 1
    var offset = 2
    let width = Int(try word(bytes, &offset))
    let height = Int(try word(bytes, &offset))
    let scale = Double(try word(bytes, &offset))
    guard let width, let height, let scale, scale.isFinite, scale != 0 else {
      throw .damaged(kind: name, detail: "header")
    }
    let size = try Size(header: width, height, maxPixels: maxPixels)
    let samples = offset + 1  // one white space ends the header
    guard size.width * size.height * channels * 4 <= bytes.byteCount - samples else {
      throw .truncated(kind: name)
    }
    let plane = try Plane<Float>(width: size.width, height: size.height) {
      (plane) throws(Problem) in
      for y in 0..<size.height {
        let row = samples + (size.height - 1 - y) * size.width * channels * 4
        for x in 0..<size.width {
          // Within the bytes: their number was compared with the size above.
          func bits(_ channel: Int) -> UInt32 {
            let stored = bytes.unsafeLoadUnaligned(
              fromByteOffset: row + (x * channels + channel) * 4, as: UInt32.self)
            return scale < 0 ? UInt32(littleEndian: stored) : UInt32(bigEndian: stored)
          }
          let value = bits(0)
          if channels == 3, bits(1) != value || bits(2) != value {
            throw .unsupported(kind: name, feature: .colour)
          }
          plane[y * size.width + x] = Float(bitPattern: value)
        }
      }
    }
    return Picture(stored: .float(plane), kind: name)
  }

  /// The next word of the header, of at most 32 characters; leaves `offset` on the space behind it.
  private static func word(_ bytes: RawSpan, _ offset: inout Int) throws(Problem) -> String {
    let longest = 32
    var text = ""
    for _ in 0..<(2 * longest) {
      guard let byte = bytes.byte(at: offset) else { throw .truncated(kind: name) }
      if isSpace(byte), !text.isEmpty { return text }
      if !isSpace(byte) { text.unicodeScalars.append(Unicode.Scalar(byte)) }
      guard text.utf8.count <= longest else { break }
      offset += 1
    }
    throw .damaged(kind: name, detail: "header")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
