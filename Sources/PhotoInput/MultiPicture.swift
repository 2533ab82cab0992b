/// Where the further pictures of a Multi-Picture file are.
///
/// Source: CIPA DC-007, an index in the first picture's APP2 segment. The stated lengths are not
/// looked at: a first picture's may stop short of the next picture, and each one has an end marker.
struct MultiPicture: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    /// From the start of the file; it may lie behind the end.
    let offset: Int
    /// Whether the index says what the picture is: another view, or a large thumbnail. Maps are of
    /// no type that the standard knows.
    let hasType: Bool
  }

  /// Without the first picture.
  let further: [Entry]

  /// More than a camera writes.
  static let maximumPictures = 32

  /// - Parameter file: the first picture of `bytes`.
  init(_ file: JPEGFile, in bytes: RawSpan) {
    let signature = Array("MPF\0".utf8)
    let segment = file.segments.first {
      $0.marker == JPEGFile.Marker.app2 && $0.body.count >= signature.count
        && bytes.has(signature, at: $0.body.lowerBound)
    }
    further = segment.map { Self.entries($0.body.dropFirst(signature.count), bytes) } ?? []
  }

  private static func entries(_ range: Range<Int>, _ bytes: RawSpan) -> [Entry] {
    let block = bytes.extracting(range)
    guard let (bigEndian, directory) = TIFF.header(block),
      let count = TIFF.value(
        Tag.numberOfImages, in: directory, of: block, bigEndian: bigEndian),
      let list = TIFF.entry(Tag.entries, in: directory, of: block, bigEndian: bigEndian),
      let listBytes = block.uint32(at: list + 4, bigEndian: bigEndian),
      let start = block.uint32(at: list + 8, bigEndian: bigEndian)
    else { return [] }
    var entries: [Entry] = []
    for index in 0..<min(count, listBytes / 16, maximumPictures) {
      let entry = start + 16 * index
      guard let attributes = block.uint32(at: entry, bigEndian: bigEndian),
        let offset = block.uint32(at: entry + 8, bigEndian: bigEndian)
      else { break }
      // The first picture's offset is 0 whatever the segment's place is.
      guard index > 0, offset > 0 else { continue }
      entries.append(
        Entry(offset: range.lowerBound + offset, hasType: attributes & 0xFF_FFFF != 0))
    }
    return entries
  }

  private enum Tag {
    static let numberOfImages = 0xB001
    static let entries = 0xB002
  }
}
