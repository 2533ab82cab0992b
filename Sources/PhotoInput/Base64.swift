/// Base64 as XML carries it: white space may stand anywhere. Source: RFC 4648, section 4.
enum Base64 {
  /// The bytes that a text stands for, nil for a text that is not base64: another character, four
  /// that are not full, or anything behind the padding. The padding itself may be missing.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (pending, digits, padding) = (UInt32(0), 0, 0)
    for character in text {
      let digit = table[Int(character)]
      switch digit {
      case 0..<64:
        guard padding == 0 else { return nil }
        pending = pending << 6 | UInt32(digit)
        digits += 1
        if digits == 4 {
          bytes.append(UInt8(truncatingIfNeeded: pending >> 16))
          bytes.append(UInt8(truncatingIfNeeded: pending >> 8))
          bytes.append(UInt8(truncatingIfNeeded: pending))
          (pending, digits) = (0, 0)
        }
      case Mark.padding: padding += 1
      case Mark.space: break
      default: return nil
      }
    }
    switch (digits, padding) {
    case (0, 0): return bytes
    case (2, 0), (2, 2):
      return pending & 0xF == 0 ? bytes + [UInt8(truncatingIfNeeded: pending >> 4)] : nil
    case (3, 0), (3, 1):
      guard pending & 0x3 == 0 else { return nil }
      return bytes
        + [UInt8(truncatingIfNeeded: pending >> 10), UInt8(truncatingIfNeeded: pending >> 2)]
    default: return nil
    }
  }

  private enum Mark {
    static let padding: UInt8 = 64
    static let space: UInt8 = 65
    static let other: UInt8 = 66
  }

  /// Of each character: its six bits, or what it is instead.
  private static let table: [UInt8] = {
    var table = [UInt8](repeating: Mark.other, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { table[Int(digit)] = UInt8(value) }
    table[Int(UInt8(ascii: "="))] = Mark.padding
    for space in " \t\r\n".utf8 { table[Int(space)] = Mark.space }
    return table
  }()
}
