internal import CFFmpeg
internal import CLibYUV
internal import MotionCore

/// A still picture of any kind that libavcodec decodes, in libavutil's memory.
///
/// The decoder is named, never guessed, and gets the picture's bytes as one packet: no demuxer, no
/// parser and no other codec sees a file.
struct LibavPicture: ~Copyable {
  private let frame: UnsafeMutablePointer<AVFrame>
  private let kind: String
  private var width: Int { Int(frame.pointee.width) }
  private var height: Int { Int(frame.pointee.height) }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }

  /// Decodes one picture.
  ///
  /// - Parameters:
  ///   - kind: the kind's name, for errors.
  ///   - size: what the file's header says; nothing larger is allocated.
  ///   - parts: what the decoder gets of the bytes, in order.
  /// - Throws: `damaged`.
  init(
    _ codec: AVCodecID, kind: String, size: Size, parts: [Range<Int>], of bytes: RawSpan
  ) throws(Problem) {
    av_log_set_level(AV_LOG_QUIET)  // the decoder would write to the terminal
    guard let frame = av_frame_alloc() else { throw Self.outOfMemory(kind) }
    do throws(Problem) {
      try Self.decode(codec, kind, size, parts, bytes, into: frame)
    } catch {
      var frame: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&frame)
      throw error
    }
    (self.frame, self.kind) = (frame, kind)
  }

  private static func decode(
    _ codec: AVCodecID, _ kind: String, _ size: Size, _ parts: [Range<Int>], _ bytes: RawSpan,
    into frame: UnsafeMutablePointer<AVFrame>
  ) throws(Problem) {
    guard let decoder = avcodec_find_decoder(codec) else {
      throw .damaged(kind: kind, detail: "this libavcodec has no decoder for it")
    }
    var context = avcodec_alloc_context3(decoder)
    defer { avcodec_free_context(&context) }
    var packet = try packet(kind, parts, bytes)
    defer { av_packet_free(&packet) }
    guard let context else { throw outOfMemory(kind) }
    context.pointee.thread_count = 1
    // Rows are counted with their padding.
    context.pointee.max_pixels = Int64(size.width + 128) * Int64(size.height + 128)
    // Without these a damaged picture comes out grey from the damage on.
    context.pointee.err_recognition =
      AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER
    try check(avcodec_open2(context, decoder, nil), kind)
    try check(avcodec_send_packet(context, packet), kind)
    try check(avcodec_send_packet(context, nil), kind)
    try check(avcodec_receive_frame(context, frame), kind)
    guard frame.pointee.decode_error_flags == 0, frame.pointee.flags & AV_FRAME_FLAG_CORRUPT == 0
    else { throw .damaged(kind: kind, detail: "coded data") }
    guard Int(frame.pointee.width) == size.width, Int(frame.pointee.height) == size.height
    else { throw .damaged(kind: kind, detail: "two sizes") }
  }

  private static func packet(
    _ kind: String, _ parts: [Range<Int>], _ bytes: RawSpan
  ) throws(Problem) -> UnsafeMutablePointer<AVPacket>? {
    let count = parts.reduce(0) { $0 + $1.count }
    var packet = av_packet_alloc()
    guard let data = packet, av_new_packet(data, Int32(count)) == 0 else {
      av_packet_free(&packet)
      throw outOfMemory(kind)
    }
    // The packet holds exactly the sum of the parts, and each part lies within the bytes.
    bytes.withUnsafeBytes { raw in
      var target = UnsafeMutableRawPointer(data.pointee.data!)
      for part in parts where !part.isEmpty {
        precondition(part.lowerBound >= 0 && part.upperBound <= raw.count)
        target.copyMemory(from: raw.baseAddress! + part.lowerBound, byteCount: part.count)
        target += part.count
      }
    }
    return packet
  }

  private static func outOfMemory(_ kind: String) -> Problem {
    .damaged(kind: kind, detail: "out of memory")
  }

  private static func check(_ status: Int32, _ kind: String) throws(Problem) {
    guard status < 0 else { return }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      av_strerror(status, buffer.baseAddress, buffer.count)
      return String(cString: buffer.baseAddress!)
    }
    throw .damaged(kind: kind, detail: text)
  }
}

// MARK: - As R, G, B, A

/// What the numbers of a Y'CbCr picture mean: the BT.601 matrix, chroma centred between the luma
/// samples it belongs to, and one of two ranges.
enum YCbCrRange {
  /// 0 to 255: JPEG.
  case full
  /// 16 to 235: WebP.
  case limited
}

extension LibavPicture {
  /// How the samples of the frame stand.
  private enum Layout {
    case grey
    /// G, B, R in planes.
    case gbr
    /// Y, Cb, Cr in planes; base-2 logarithms of the subsampling.
    case ycbcr(shiftX: Int, shiftY: Int)
    /// One index a pixel.
    case palette
    /// Grey or R, G, B, with or without alpha, packed in any way into at most 16 bits a sample.
    case packed(bits: Int)
  }

  /// The picture as R, G, B, A: more than 8 bits a sample become 16, fewer are spread to 8, both
  /// exactly. The frame is freed on return, before the caller allocates anything else.
  ///
  /// - Throws: `unsupported` for a pixel format that has no `Layout`.
  consuming func samples(
    _ range: YCbCrRange = .full
  ) throws(Problem) -> (samples: Picture.Samples, hasAlpha: Bool) {
    let format = AVPixelFormat(rawValue: frame.pointee.format)
    guard let description = av_pix_fmt_desc_get(format) else { throw unsupported("none") }
    let hasAlpha = Int32(truncatingIfNeeded: description.pointee.flags) & AV_PIX_FMT_FLAG_ALPHA != 0
    let layout = try layout(description.pointee)
    switch layout {
    case .packed(bits: 9...16):
      return (.sixteen(packed(description, format, as: UInt16.self)), hasAlpha)
    case .packed: return (.eight(packed(description, format, as: UInt8.self)), hasAlpha)
    case .palette: return (.eight(indexed(description)), hasAlpha)
    case .grey, .gbr, .ycbcr:
      let plane = try Plane<SIMD4<UInt8>>(width: width, height: height) {
        (pixels) throws(Problem) in
        let bytes = UnsafeMutableRawBufferPointer(pixels)
        guard convert(layout, range, to: bytes) == 0 else {
          throw .damaged(kind: kind, detail: "colour conversion")
        }
        if hasAlpha { copyAlpha(to: bytes) }
      }
      return (.eight(plane), hasAlpha)
    }
  }

  /// The four planes as channels of the same numbers; what is subsampled is interpolated.
  consuming func planes() throws(Problem) -> Plane<SIMD4<UInt8>> {
    let format = AVPixelFormat(rawValue: frame.pointee.format)
    guard let description = av_pix_fmt_desc_get(format)?.pointee else { throw unsupported("none") }
    guard description.nb_components == 4,
      case .ycbcr(let shiftX, let shiftY) = try layout(description)
    else { throw unsupported(String(cString: description.name)) }
    let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
    let (planes, pitches) = (
      [data.0, data.1, data.2, data.3], [strides.0, strides.1, strides.2, strides.3]
    )
    let size = Size(width: width, height: height)
    let channels = (0..<4).map { channel in
      // Only the middle two are ever subsampled.
      let isSmall = 1...2 ~= channel
      return Chroma(
        planes[channel]!, Int(pitches[channel]), picture: size,
        isSmall ? shiftX : 0, isSmall ? shiftY : 0
      ).enlarged()
    }
    return Plane(width: width, height: height) { y, row in
      for x in 0..<row.count {
        let at = y * row.count + x
        row[x] = SIMD4(channels[0][at], channels[1][at], channels[2][at], channels[3][at])
      }
    }
  }

  private func layout(_ description: AVPixFmtDescriptor) throws(Problem) -> Layout {
    let flags = Int32(truncatingIfNeeded: description.flags)
    func has(_ flag: Int32) -> Bool { flags & flag != 0 }
    let colours = Int(description.nb_components) - (has(AV_PIX_FMT_FLAG_ALPHA) ? 1 : 0)
    let depths = [
      description.comp.0.depth, description.comp.1.depth, description.comp.2.depth,
      description.comp.3.depth,
    ]
    let bits = Int(depths.prefix(Int(description.nb_components)).max() ?? 0)
    if has(AV_PIX_FMT_FLAG_PAL) { return .palette }
    if has(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER) || bits > 16 {
      throw unsupported(String(cString: description.name))
    }
    switch (colours, has(AV_PIX_FMT_FLAG_RGB), has(AV_PIX_FMT_FLAG_PLANAR)) {
    case (1, false, _) where bits == 8 && description.nb_components == 1: return .grey
    case (3, true, true) where bits == 8 && description.nb_components == 3: return .gbr
    case (1, _, _), (3, true, _): return .packed(bits: bits)
    case (3, false, true) where bits == 8:
      return .ycbcr(
        shiftX: Int(description.log2_chroma_w), shiftY: Int(description.log2_chroma_h))
    default: throw unsupported(String(cString: description.name))
    }
  }

  private func unsupported(_ format: String) -> Problem {
    .unsupported(kind: kind, feature: .pixelFormat(format))
  }

  /// Reads samples component by component, however they are packed.
  private func packed<Channel: FixedWidthInteger & UnsignedInteger & SIMDScalar>(
    _ description: UnsafePointer<AVPixFmtDescriptor>, _ format: AVPixelFormat, as: Channel.Type
  ) -> Plane<SIMD4<Channel>> {
    let components = Int(description.pointee.nb_components)
    // Which of R, G, B, A each component makes.
    let targets: [[Int]] = components < 3 ? [[0, 1, 2], [3]] : [[0], [1], [2], [3]]
    let comp = description.pointee.comp
    let tables = [comp.0.depth, comp.1.depth, comp.2.depth, comp.3.depth].prefix(components).map {
      Self.spread(bits: Int($0), inverted: format == AV_PIX_FMT_MONOWHITE, to: Channel.self)
    }
    var line = [UInt32](repeating: 0, count: width)
    return Plane(width: width, height: height) { y, row in
      row.initialize(repeating: SIMD4(repeating: .max))
      // A pixel is four channels, one behind the other.
      let out = UnsafeMutableRawPointer(row.baseAddress!).assumingMemoryBound(to: Channel.self)
      for component in 0..<components {
        cav_read_line(frame, description, Int32(y), Int32(component), &line)
        let table = tables[component]
        for target in targets[component] {
          for x in 0..<row.count { out[4 * x + target] = table[Int(line[x])] }
        }
      }
    }
  }

  /// The nearest code of all `Channel`'s bits for each of `bits`.
  private static func spread<Channel: FixedWidthInteger>(
    bits: Int, inverted: Bool, to: Channel.Type
  ) -> [Channel] {
    let (most, largest) = ((1 << bits) - 1, Int(Channel.max))
    return (0...most).map { Channel(((inverted ? most - $0 : $0) * largest + most / 2) / most) }
  }

  /// Looks indices up in the frame's palette: 256 native words of A, R, G, B from the highest byte.
  private func indexed(_ description: UnsafePointer<AVPixFmtDescriptor>) -> Plane<SIMD4<UInt8>> {
    let palette = UnsafeRawPointer(frame.pointee.data.1!).assumingMemoryBound(to: UInt32.self)
    let colours = (0..<256).map { index in
      let word = palette[index]
      return SIMD4(
        UInt8(truncatingIfNeeded: word >> 16), UInt8(truncatingIfNeeded: word >> 8),
        UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 24))
    }
    var line = [UInt32](repeating: 0, count: width)
    return Plane(width: width, height: height) { y, row in
      cav_read_line(frame, description, Int32(y), 0, &line)
      for x in 0..<row.count { row[x] = colours[Int(line[x] & 255)] }
    }
  }

  /// Writes R, G, B, 255; 0 where that worked.
  ///
  /// The planes are libavutil's, of the frame's size and strides; the target must hold width *
  /// height * 4 bytes. libyuv's "ARGB" is B, G, R, A in memory, and with Cb and Cr exchanged and the
  /// matrix mirrored R, G, B, A.
  private func convert(
    _ layout: Layout, _ range: YCbCrRange, to target: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    precondition(target.count == width * height * 4)
    let out = target.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let (w, h, stride) = (Int32(width), Int32(height), Int32(width * 4))
    let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
    let matrix = range == .full ? cyuv_jpeg_mirrored() : cyuv_limited_mirrored()
    switch layout {
    case .grey:
      return I400ToARGBMatrix(data.0, strides.0, out, stride, cyuv_jpeg_mirrored(), w, h)
    case .gbr:
      MergeARGBPlane(
        data.1, strides.1, data.0, strides.0, data.2, strides.2, nil, 0, out, stride, w, h)
      return 0
    case .ycbcr(shiftX: 1, shiftY: 1):
      return I420ToARGBMatrixFilter(
        data.0, strides.0, data.2, strides.2, data.1, strides.1, out, stride, matrix, w, h,
        kFilterBilinear)
    case .ycbcr(shiftX: 1, shiftY: 0):
      return I422ToARGBMatrixFilter(
        data.0, strides.0, data.2, strides.2, data.1, strides.1, out, stride, matrix, w, h,
        kFilterBilinear)
    case .ycbcr(shiftX: 0, shiftY: 0):
      return I444ToARGBMatrix(
        data.0, strides.0, data.2, strides.2, data.1, strides.1, out, stride, matrix, w, h)
    case .ycbcr(let shiftX, let shiftY):
      let size = Size(width: width, height: height)
      let cb = Chroma(data.1!, Int(strides.1), picture: size, shiftX, shiftY).enlarged()
      let cr = Chroma(data.2!, Int(strides.2), picture: size, shiftX, shiftY).enlarged()
      return I444ToARGBMatrix(data.0, strides.0, cr, w, cb, w, out, stride, matrix, w, h)
    case .palette, .packed: preconditionFailure("not in planes")
    }
  }

  /// Writes the fourth plane, of one byte a pixel, over the alpha of the target.
  private func copyAlpha(to target: UnsafeMutableRawBufferPointer) {
    guard let alpha = frame.pointee.data.3 else { return }
    for y in 0..<height {
      let (row, out) = (alpha + y * Int(frame.pointee.linesize.3), y * width * 4)
      for x in 0..<width { target[out + 4 * x + 3] = row[x] }
    }
  }
}
