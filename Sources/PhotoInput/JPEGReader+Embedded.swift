internal import MotionCore

extension JPEGReader {
  /// What of the `wanted` a file holds beside its photo: depth and matte as further pictures or in
  /// its XMP, and the photo before it was edited.
  ///
  /// Where several depths are there, the first sound one counts: a Multi-Picture file's, then Dynamic
  /// Depth, then GDepth, from which telephones went over to it.
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
      addGoogle(try file.xmp(in: bytes), of: file, in: bytes, to: &found, wanted, exif, maxPixels)
    } catch {
      if file.mentions(.depthMap, in: bytes) || file.mentions(.deviceDepthMap, in: bytes) {
        found.broken[.depth] = error
      }
      if file.mentions(.image, in: bytes) {
        found.hasOriginal = true
        found.broken[.photo] = error
      }
    }
    if found.depth != nil { found.broken[.depth] = nil }
    if found.matte != nil { found.broken[.matte] = nil }
    // What cannot be told is most likely the depth; with the depth there it may be the matte.
    if wanted.contains(.depth), found.depth == nil, let problem = found.untold {
      found.broken[.depth] = found.broken[.depth] ?? problem
      found.untold = nil
    }
    if !wanted.contains(.matte) || found.matte != nil || found.broken[.matte] != nil {
      found.untold = nil
    }
    found.broken = found.broken.filter { wanted.contains($0.key) }
    return found
  }

  /// Reads what Google's camera, and Android's, keep in the XMP or name there.
  private static func addGoogle(
    _ xmp: XMP, of file: JPEGFile, in bytes: RawSpan, to found: inout EmbeddedPictures,
    _ wanted: Set<PhotoInputError.Role>, _ exif: EXIF, _ maxPixels: Int
  ) {
    found.hasOriginal = GDepth.hasOriginal(xmp)
    do throws(Problem) {
      if wanted.contains(.photo) {
        found.original = try GDepth.original(
          xmp, of: file.size, turnedAs: exif, maxPixels: maxPixels)
      }
    } catch {
      found.broken[.photo] = error
    }
    do throws(Problem) {
      if wanted.contains(.depth), found.depth == nil {
        found.depth = try DynamicDepth.depth(
          xmp, behind: file.end, in: bytes, turnedAs: exif, maxPixels: maxPixels)
      }
    } catch {
      found.broken[.depth] = error
    }
    do throws(Problem) {
      if wanted.contains(.depth), found.depth == nil {
        found.depth = try GDepth.depth(xmp, turnedAs: exif, maxPixels: maxPixels)
      }
    } catch {
      found.broken[.depth] = error
    }
  }

  /// Reads one further picture of a Multi-Picture file, if it is a map that is still wanted.
  private static func addPicture(
    at entry: MultiPicture.Entry, of bytes: RawSpan, to found: inout EmbeddedPictures,
    _ wanted: Set<PhotoInputError.Role>, _ exif: EXIF, _ maxPixels: Int
  ) {
    var role: PhotoInputError.Role?
    do throws(Problem) {
      guard entry.offset < bytes.byteCount else { throw .truncated(kind: name) }
      let picture = bytes.extracting(entry.offset..<bytes.byteCount)
      guard matches(picture) else { throw .damaged(kind: "MPF", detail: "no picture there") }
      let file = try JPEGFile(picture, maxPixels: maxPixels)
      let xmp = try file.xmp(in: picture)
      role = .depth  // of the maps, the only one whose description can be unsound
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
      if let role {
        found.broken[role] = error
      } else if !entry.hasType {
        found.untold = error
      }
    }
  }
}
