/// The frame of a TIFF block, in which EXIF and MPF keep their directories.
///
/// Source: TIFF 6.0, section 2. Offsets count from the block's first byte.
enum TIFF {
  /// - Parameter block: from the byte order mark (`II` or `MM`) on.
  /// - Returns: the byte order and where the first directory is; nil where this is no such block.
  static func header(_ block: RawSpan) -> (bigEndian: Bool, directory: Int)? {
    let bigEndian = block.has([0x4D, 0x4D])
    guard bigEndian || block.has([0x49, 0x49]),
      block.uint16(at: 2, bigEndian: bigEndian) == 42,
      let directory = block.uint32(at: 4, bigEndian: bigEndian)
    else { return nil }
    return (bigEndian, directory)
  }

  /// Where in a directory the 12 bytes of a tag are: tag, type, count, value or its offset.
  static func entry(_ tag: Int, in directory: Int, of block: RawSpan, bigEndian: Bool) -> Int? {
    let entries = block.uint16(at: directory, bigEndian: bigEndian) ?? 0
    for entry in 0..<entries {
      let offset = directory + 2 + 12 * entry
      guard let found = block.uint16(at: offset, bigEndian: bigEndian) else { return nil }
      if found == tag { return offset }
    }
    return nil
  }

  /// The one number, SHORT or LONG, that a directory has for a tag.
  static func value(_ tag: Int, in directory: Int, of block: RawSpan, bigEndian: Bool) -> Int? {
    guard let entry = entry(tag, in: directory, of: block, bigEndian: bigEndian) else { return nil }
    switch block.uint16(at: entry + 2, bigEndian: bigEndian) {
    case 3: return block.uint16(at: entry + 8, bigEndian: bigEndian)  // SHORT
    case 4: return block.uint32(at: entry + 8, bigEndian: bigEndian)  // LONG
    default: return nil
    }
  }
}
