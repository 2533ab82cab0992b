internal import MotionCore

/// The depth in a photo of Android's: a picture behind the photo, with a directory in its XMP.
///
/// Source: Dynamic Depth 1.0. The directory lists the items of the file in their order: the photo
/// itself, then each picture with its length in bytes. They lie behind the photo without a gap but
/// for the photo's own padding; any other's is part of its length. A depth map names its item, and
/// says which distances the samples stand for. Confidence and focal table are not looked at.
enum DynamicDepth {
  static let kind = "Dynamic Depth"

  /// Nil where the packet has no depth map; a segmentation is none.
  /// - Parameters:
  ///   - end: where in `bytes` the photo ends.
  ///   - photo: how the photo lies, and the depth with it.
  static func depth(
    _ xmp: XMP, behind end: Int, in bytes: RawSpan, turnedAs photo: EXIF, maxPixels: Int
  ) throws(Problem) -> EmbeddedDepth? {
    let maps = xmp.structures(.deviceDepthMap)
    let map = maps.first { ($0.text("ItemSemantic") ?? "Depth").lowercased() == "depth" }
    guard let map else { return nil }
    let range = try GoogleRange(
      format: map.text("Format"), near: map.number("Near"), far: map.number("Far"),
      inDioptres: map.text("Units")?.lowercased() == "diopters", kind: kind)
    guard let name = map.text("DepthURI") else {
      throw .damaged(kind: kind, detail: "no DepthURI")
    }
    let place = try place(of: name, xmp.structures(.deviceItem), behind: end, bytes.byteCount)
    let picture = try PhotoReader.picture(bytes.extracting(place), maxPixels: maxPixels)
    return try range.depth(try picture.turned(as: photo).depth(), kind: kind)
  }

  /// Where an item of the directory lies in a file of `count` bytes.
  private static func place(
    of name: String, _ items: [XMP.Structure], behind end: Int, _ count: Int
  ) throws(Problem) -> Range<Int> {
    var start = end
    for (index, item) in items.enumerated() {
      // Of the photo only the padding counts: some write its length, some write 0.
      let property = index == 0 ? "Padding" : "Length"
      guard let text = item.text(property) ?? (index == 0 ? "0" : nil), let length = Int(text),
        length >= 0
      else { throw .damaged(kind: kind, detail: "an item of no sound \(property)") }
      guard length <= count - start else { throw .truncated(kind: kind) }
      if index > 0, item.text("DataURI") == name {
        guard length > 0 else { throw .damaged(kind: kind, detail: "a depth without bytes") }
        return start..<(start + length)
      }
      start += length
    }
    throw .damaged(kind: kind, detail: "no such item as its DepthURI")
  }
}
