internal import MotionCore

/// The depth, and the photo before its background was blurred, in the XMP of Google's camera.
///
/// Source: Google's Depthmap Metadata. What samples stand for is `GoogleRange`'s to say: dark is near.
enum GDepth {
  static let kind = "GDepth"
  static let originalKind = "GImage"

  /// Nil where the packet has no depth.
  /// - Parameter photo: how the photo lies, and the depth with it.
  static func depth(
    _ xmp: XMP, turnedAs photo: EXIF, maxPixels: Int
  ) throws(Problem) -> EmbeddedDepth? {
    let (format, data) = (xmp.text(.depthMap, "Format"), xmp.bytes(.depthMap, "Data"))
    if format == nil && data == nil { return nil }
    let range = try GoogleRange(
      format: format, near: xmp.number(.depthMap, "Near"), far: xmp.number(.depthMap, "Far"),
      kind: kind)
    guard let data else { throw .damaged(kind: kind, detail: "no Data") }
    let picture = try picture(data, maxPixels: maxPixels).turned(as: photo)
    return try range.depth(try picture.depth(), kind: kind)
  }

  /// Whether the packet has a photo from before it was edited.
  static func hasOriginal(_ xmp: XMP) -> Bool {
    xmp.bytes(.image, "Data") != nil || xmp.bytes(.image, "Mime") != nil
  }

  /// The photo before it was edited; nil where the packet has none.
  /// - Throws: `damaged` for one of another shape too.
  static func original(
    _ xmp: XMP, of size: Size, turnedAs photo: EXIF, maxPixels: Int
  ) throws(Problem) -> Picture? {
    func damaged(_ detail: String) -> Problem { .damaged(kind: originalKind, detail: detail) }
    guard hasOriginal(xmp) else { return nil }
    guard let data = xmp.bytes(.image, "Data") else { throw damaged("no Data") }
    let stored = try picture(data, maxPixels: maxPixels, kind: originalKind)
    if case .float = stored.samples { throw damaged("no photograph") }
    let picture = stored.turned(as: photo)
    let (w, h) =
      photo.orientation.transposes ? (size.height, size.width) : (size.width, size.height)
    let ratio =
      Double(picture.size.width) * Double(h) / (Double(picture.size.height) * Double(w))
    guard abs(ratio - 1) <= 0.01 else { throw damaged("another shape") }
    return picture
  }

  private static func picture(
    _ base64: [UInt8], maxPixels: Int, kind: String = kind
  ) throws(Problem) -> Picture {
    guard let bytes = Base64.decode(base64) else {
      throw .damaged(kind: kind, detail: "no base64")
    }
    return try PhotoReader.picture(bytes.span.bytes, maxPixels: maxPixels)
  }
}
