extension RawSpan {
  /// The byte at `offset`, or nil behind the end.
  func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < byteCount else { return nil }
    return unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)  // checked just above
  }

  /// The two bytes at `offset` as a number, or nil behind the end.
  func uint16(at offset: Int, bigEndian: Bool = true) -> Int? {
    guard let a = byte(at: offset), let b = byte(at: offset + 1) else { return nil }
    return bigEndian ? Int(a) << 8 | Int(b) : Int(b) << 8 | Int(a)
  }

  /// The four bytes at `offset` as a number, or nil behind the end.
  func uint32(at offset: Int, bigEndian: Bool = true) -> Int? {
    guard let a = uint16(at: offset, bigEndian: bigEndian),
      let b = uint16(at: offset + 2, bigEndian: bigEndian)
    else { return nil }
    return bigEndian ? a << 16 | b : b << 16 | a
  }

  /// Whether the bytes from `offset` on begin with `prefix`.
  func has(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
    prefix.indices.allSatisfy { byte(at: offset + $0) == prefix[$0] }
  }
}
