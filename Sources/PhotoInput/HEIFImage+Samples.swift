#if HEIC
  internal import CHEIF
  internal import MotionCore

  extension HEIFImage {
    /// The image as a photograph.
    func photo(in file: borrowing HEIFFile) throws(Problem) -> Picture {
      let isDeep = heif_image_handle_get_luma_bits_per_pixel(handle) > 8
      let pixels = try HEIFPixels(
        self, in: file, isDeep: isDeep, heif_colorspace_RGB,
        isDeep ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA)
      let isMultiplied = heif_image_handle_is_premultiplied_alpha(handle) != 0
      let samples: Picture.Samples =
        isDeep
        ? .sixteen(try pixels.sixteen(in: file, isMultiplied: isMultiplied))
        : .eight(try pixels.eight(in: file, isMultiplied: isMultiplied))
      var exif = exif
      exif.orientation = (file.items.steps(of: identifier)?.steps ?? []).orientation
      return Picture(
        upright: samples, kind: file.kind,
        hasAlpha: heif_image_handle_has_alpha_channel(handle) != 0, exif: exif, colour: colour)
    }

    /// What the file says of the image's colours: a profile goes before code points.
    private var colour: ColourTag {
      switch heif_image_handle_get_color_profile_type(handle) {
      case heif_color_profile_type_prof, heif_color_profile_type_rICC:
        var profile = [UInt8](
          repeating: 0, count: heif_image_handle_get_raw_color_profile_size(handle))
        let error = heif_image_handle_get_raw_color_profile(handle, &profile)
        return error.code == heif_error_Ok ? .icc(profile) : .brokenICC("cannot be read")
      case heif_color_profile_type_nclx:
        var points: UnsafeMutablePointer<heif_color_profile_nclx>?
        // With an error too, the points may be there.
        defer { if let points { heif_nclx_color_profile_free(points) } }
        guard heif_image_handle_get_nclx_color_profile(handle, &points).code == heif_error_Ok,
          let points
        else { return .untagged }
        return .codePoints(
          primaries: Int(points.pointee.color_primaries.rawValue),
          transfer: Int(points.pointee.transfer_characteristics.rawValue))
      default: return .untagged
      }
    }

    /// The image as measurements or coverage: its luma as a fraction of the largest value, lying as
    /// the photo does.
    func map(in file: borrowing HEIFFile) throws(Problem) -> Plane<Float> {
      guard let size = file.items.items[identifier]?.size else {
        throw .damaged(kind: file.kind, detail: "no size")
      }
      _ = try Size(header: size.width, size.height, maxPixels: file.maxPixels)
      let pixels = try HEIFPixels(
        self, in: file, isDeep: heif_image_handle_get_luma_bits_per_pixel(handle) > 8,
        heif_colorspace_undefined, heif_chroma_undefined)
      return try pixels.luma(in: file)
    }

    /// What the image's EXIF says; no block says nothing.
    private var exif: EXIF {
      // Before the block stands how far behind that it begins.
      guard let bytes = metadata("Exif"), let distance = bytes.span.bytes.uint32(at: 0),
        distance <= bytes.count - 4
      else { return EXIF() }
      return EXIF(bytes.span.bytes.extracting((4 + distance)..<bytes.count))
    }
  }

  /// A decoded image. Its planes are libheif's: rows of a stride, not smaller than the width.
  private struct HEIFPixels: ~Copyable {
    private let image: OpaquePointer
    /// What libheif has not done.
    private let remaining: (steps: [HEIFItems.Step], size: Size)

    deinit { heif_image_release(image) }

    init(
      _ source: borrowing HEIFImage, in file: borrowing HEIFFile, isDeep: Bool,
      _ space: heif_colorspace, _ chroma: heif_chroma
    ) throws(Problem) {
      guard let (steps, size) = file.items.steps(of: source.identifier) else {
        throw .damaged(kind: file.kind, detail: "no size")
      }
      let own = file.items.items[source.identifier]?.steps ?? []
      // libheif 1.15 mirrors no more than 8 bits.
      let turnsHere = isDeep && own.contains { $0 == .turn(.mirrored) || $0 == .turn(.flipped) }
      guard let options = heif_decoding_options_alloc() else {
        throw .damaged(kind: file.kind, detail: "out of memory")
      }
      defer { heif_decoding_options_free(options) }
      options.pointee.ignore_transformations = turnsHere ? 1 : 0
      options.pointee.strict_decoding = 1
      var image: OpaquePointer?
      try file.check(heif_decode_image(source.handle, &image, space, chroma, options))
      guard let image else { throw .damaged(kind: file.kind, detail: "no image") }
      self.image = image
      remaining = (own.isEmpty || turnsHere ? steps : [], size)
    }

    /// R, G, B, A.
    func eight(in file: borrowing HEIFFile, isMultiplied: Bool) throws(Problem) -> Plane<
      SIMD4<UInt8>
    > {
      let (base, stride, size) = try plane(heif_channel_interleaved, bytesPerPixel: 4, file)
      // Each row has `size.width` pixels of 4 bytes.
      let plane = Plane<SIMD4<UInt8>>(width: size.width, height: size.height) { y, row in
        UnsafeMutableRawBufferPointer(row).copyMemory(
          from: UnsafeRawBufferPointer(start: base + y * stride, count: size.width * 4))
      }
      return remaining.steps.applied(
        to: isMultiplied ? plane.dividedByAlpha() : plane, of: remaining.size)
    }

    /// R, G, B, A, spread from as many bits as there are to 16.
    func sixteen(in file: borrowing HEIFFile, isMultiplied: Bool) throws(Problem) -> Plane<
      SIMD4<UInt16>
    > {
      let (base, stride, size) = try plane(heif_channel_interleaved, bytesPerPixel: 8, file)
      let bits = heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved)
      guard (8...16).contains(bits) else {
        throw .unsupported(kind: file.kind, feature: .bitsPerSample(Int(bits)))
      }
      let largest = UInt64(1) << UInt64(bits) - 1
      // Each row has `size.width` pixels of four little-endian samples.
      let plane = Plane<SIMD4<UInt16>>(width: size.width, height: size.height) { y, row in
        let source = UnsafeRawPointer(base + y * stride)
        for x in 0..<size.width {
          var pixel = SIMD4<UInt16>()
          for channel in 0..<4 {
            let stored = source.loadUnaligned(
              fromByteOffset: x * 8 + channel * 2, as: UInt16.self)
            let value = min(UInt64(UInt16(littleEndian: stored)), largest)
            pixel[channel] = UInt16(truncatingIfNeeded: (value * 65535 + largest / 2) / largest)
          }
          row[x] = pixel
        }
      }
      return remaining.steps.applied(
        to: isMultiplied ? plane.dividedByAlpha() : plane, of: remaining.size)
    }

    /// Luma, or green where libheif has made colours, as a fraction of the largest value.
    func luma(in file: borrowing HEIFFile) throws(Problem) -> Plane<Float> {
      let channels = [heif_channel_Y, heif_channel_G]
      guard let channel = channels.first(where: { heif_image_has_channel(image, $0) != 0 }) else {
        throw .unsupported(kind: file.kind, feature: .pixelFormat("no luma"))
      }
      let bits = heif_image_get_bits_per_pixel_range(image, channel)
      guard (1...16).contains(bits) else {
        throw .unsupported(kind: file.kind, feature: .bitsPerSample(Int(bits)))
      }
      let bytes = bits > 8 ? 2 : 1
      let (base, stride, size) = try plane(channel, bytesPerPixel: bytes, file)
      let largest = Float((1 << bits) - 1)
      // Each row has `size.width` samples of one or two bytes, the latter in native order.
      let plane = Plane<Float>(width: size.width, height: size.height) { y, row in
        let source = UnsafeRawPointer(base + y * stride)
        for x in 0..<size.width {
          let value =
            bytes == 1
            ? UInt16(source.loadUnaligned(fromByteOffset: x, as: UInt8.self))
            : source.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self)
          row[x] = min(Float(value) / largest, 1)
        }
      }
      return remaining.steps.applied(to: plane, of: remaining.size)
    }

    /// Where a channel's samples are, and how many.
    private func plane(
      _ channel: heif_channel, bytesPerPixel: Int, _ file: borrowing HEIFFile
    ) throws(Problem) -> (base: UnsafePointer<UInt8>, stride: Int, size: Size) {
      let size = try Size(
        header: Int(heif_image_get_width(image, channel)),
        Int(heif_image_get_height(image, channel)), maxPixels: file.maxPixels)
      var stride: Int32 = 0
      guard let base = heif_image_get_plane_readonly(image, channel, &stride),
        Int(stride) >= size.width * bytesPerPixel
      else { throw .damaged(kind: file.kind, detail: "no plane") }
      return (base, Int(stride), size)
    }
  }

  extension Plane {
    /// Colour that was multiplied by alpha, as it was before. Where alpha is 0 nothing is known of it.
    fileprivate func dividedByAlpha() -> Plane
    where Sample: SIMD, Sample.Scalar: FixedWidthInteger & UnsignedInteger {
      let largest = Int(Sample.Scalar.max)
      return map { pixel in
        var pixel = pixel
        let alpha = Int(pixel[3])
        guard alpha > 0, alpha < largest else { return pixel }
        for channel in 0..<3 {
          let value = (Int(pixel[channel]) * largest + alpha / 2) / alpha
          pixel[channel] = Sample.Scalar(truncatingIfNeeded: min(value, largest))
        }
        return pixel
      }
    }
  }
#endif
