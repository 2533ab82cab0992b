#if HEIC
  internal import CHEIF
  internal import MotionCore

  extension HEICReader {
    /// What auxiliary images are, by their type: everything else, as semantic mattes and the gain map
    /// of high dynamic range, is neither.
    private static let roles: [String: PhotoInputError.Role] = [
      "urn:mpeg:hevc:2015:auxid:2": .depth,
      "urn:mpeg:mpegB:cicp:systems:auxiliary:depth": .depth,
      "urn:com:apple:photo:2018:aux:portraiteffectsmatte": .matte,
    ]

    /// What of the `wanted` a file holds beside its photo, as auxiliary images.
    ///
    /// Nothing here keeps the photo itself from being read: what is broken is told in the result, and
    /// a broken file is its own reader's to refuse.
    static func embedded(
      _ bytes: RawSpan, kind: String, wanted: Set<PhotoInputError.Role>, maxPixels: Int
    ) -> EmbeddedPictures {
      var found = EmbeddedPictures()
      guard !wanted.isDisjoint(with: [.depth, .matte]) else { return found }
      do throws(Problem) {
        try HEIFFile.open(bytes, kind: kind, maxPixels: maxPixels) { (file) throws(Problem) in
          found.untold = try file.forEachAuxiliary { image, type in
            guard let role = roles[type], wanted.contains(role) else { return }
            add(image, as: role, of: file, to: &found)
          }
        }
      } catch {
        return found
      }
      if found.depth != nil { found.broken[.depth] = nil }
      if found.matte != nil { found.broken[.matte] = nil }
      return found
    }

    private static func add(
      _ image: borrowing HEIFImage, as role: PhotoInputError.Role, of file: borrowing HEIFFile,
      to found: inout EmbeddedPictures
    ) {
      do throws(Problem) {
        if role == .depth, found.depth == nil { found.depth = try image.depth(in: file) }
        if role == .matte, found.matte == nil { found.matte = try image.map(in: file) }
      } catch {
        found.broken[role] = error
      }
    }
  }

  extension HEIFImage {
    /// The depth that the image is: in the range that its representation says, else in that of
    /// Apple's metadata; without either bright is near and the scale unknown.
    fileprivate func depth(in file: borrowing HEIFFile) throws(Problem) -> EmbeddedDepth {
      let format = "\(file.kind) depth"
      if let range = try DepthRange(self, format) {
        let samples = try map(in: file).between(range.first, range.last)
        return try EmbeddedDepth(
          samples, kind: range.kind, nearIsWhite: range.kind == .disparity, format: format)
      }
      if let packet = metadata("mime", content: "application/rdf+xml"),
        let apple = try AppleMap(try XMP(packet.span.bytes)),
        let depth = try apple.depth(try map(in: file))
      {
        return depth
      }
      return try EmbeddedDepth(
        try map(in: file),
        kind: .relative(nearIsWhite: true, range: 4), nearIsWhite: true, format: format,
        isExplained: false)
    }
  }

  /// What the smallest and the largest sample of a depth image stand for.
  ///
  /// Source: ITU-T H.265, depth representation information: samples run evenly through inverse
  /// distance or disparity, the largest being near, or through distance, the largest being far.
  private struct DepthRange {
    /// `.disparity` or `.metric`.
    let kind: DepthKind
    let first, last: Double

    /// Nil where the file does not say it.
    /// - Throws: `unsupported` for samples along a curve, `damaged` for a range that is none.
    init?(_ image: borrowing HEIFImage, _ format: String) throws(Problem) {
      var pointer: UnsafePointer<heif_depth_representation_info>?
      guard
        heif_image_handle_get_depth_image_representation_info(
          image.handle, heif_item_id(image.identifier), &pointer) != 0, let pointer
      else { return nil }
      defer { heif_depth_representation_info_free(pointer) }
      let info = pointer.pointee
      let distances =
        info.has_z_near != 0 && info.has_z_far != 0 ? (near: info.z_near, far: info.z_far) : nil
      let disparities =
        info.has_d_min != 0 && info.has_d_max != 0 ? (info.d_min, info.d_max) : nil
      let inverses = distances.map { (1 / $0.far, 1 / $0.near) }
      let range: (Double, Double)?
      switch info.depth_representation_type {
      case heif_depth_representation_type_uniform_inverse_Z:
        (kind, range) = (.disparity, inverses ?? disparities)
      case heif_depth_representation_type_uniform_disparity:
        (kind, range) = (.disparity, disparities ?? inverses)
      case heif_depth_representation_type_uniform_Z:
        (kind, range) = (.metric, distances.map { ($0.near, $0.far) })
      default:
        throw .unsupported(kind: format, feature: .coding("non-uniform disparity"))
      }
      guard let (first, last) = range else { return nil }
      guard first.isFinite, last.isFinite, first < last else {
        throw .damaged(kind: format, detail: "no sound range")
      }
      (self.first, self.last) = (first, last)
    }
  }
#endif
