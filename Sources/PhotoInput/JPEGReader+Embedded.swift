internal import MotionCore

extension JPEGReader {
  /// What of the `wanted` a file holds beside its photo: depth and matte as further pictures or in
  /// its XMP, and the photo before it was edited.
  ///
  /// Nothing here keeps the photo itself from being read: what is broken is told in the result, and
  /// a broken photo is its own reader's to refuse.
  static func embedded(
    _ bytes: RawSpan, wanted: Set<PhotoInputError.Role>, maxPixels: Int
  ) -> EmbeddedPictures {
    var found = EmbeddedPictures()
    guard !wanted.isEmpty, let file = try? JPEGFile(bytes, maxPixels: maxPixels) else {
      return found
    }
    let exif = file.exif(in: bytes)
    for entry in MultiPicture(file, in: bytes).further {
      addPicture(at: entry, of: bytes, to: &found, wanted, exif, maxPixels)
    }
    do throws(Problem) {
      let xmp = try file.xmp(in: bytes)
      if wanted.contains(.photo) {
        found.original = GDepth.original(
          xmp, of: file.size, turnedAs: exif, maxPixels: maxPixels)
      }
      if wanted.contains(.depth), found.depth == nil {
        found.depth = try GDepth.depth(xmp, turnedAs: exif, maxPixels: maxPixels)
      }
    } catch {
      if file.mentions(.depthMap, in: bytes) { found.broken[.depth] = error }
    }
    if found.depth != nil { found.broken[.depth] = nil }
    if found.matte != nil { found.broken[.matte] = nil }
    found.broken = found.broken.filter { wanted.contains($0.key) }
    return found
  }

  /// Reads one further picture of a Multi-Picture file, if it is a map that is still wanted.
  private static func addPicture(
    at entry: MultiPicture.Entry, of bytes: RawSpan, to found: inout EmbeddedPictures,
    _ wanted: Set<PhotoInputError.Role>, _ exif: EXIF, _ maxPixels: Int
  ) {
    // A picture that cannot be told is most likely the depth, unless the index says otherwise.
    var role: PhotoInputError.Role? = entry.hasType ? nil : .depth
    do throws(Problem) {
      guard entry.offset < bytes.byteCount else { throw .truncated(kind: name) }
      let picture = bytes.extracting(entry.offset..<bytes.byteCount)
      guard matches(picture) else { throw .damaged(kind: "MPF", detail: "no picture there") }
      let file = try JPEGFile(picture, maxPixels: maxPixels)
      let xmp = try file.xmp(in: picture)
      guard let map = try AppleMap(xmp) else { return }
      role = map.role
      let isFound = map.role == .depth ? found.depth != nil : found.matte != nil
      guard wanted.contains(map.role), !isFound else { return }
      let decoded = try read(picture, maxPixels: maxPixels).turned(as: exif)
      switch map.role {
      case .depth: found.depth = try map.depth(try decoded.depth())
      default: found.matte = try decoded.matte()
      }
    } catch {
      if let role { found.broken[role] = error }
    }
  }
}
