internal import CFFmpeg
internal import CLibYUV
internal import MotionCore

/// JPEG through libavcodec, and libyuv for colour: baseline and progressive, grey, Y'CbCr of any
/// subsampling, RGB, and inks with a profile. Source: ITU-T T.81 and T.871 (JFIF): full range, BT.601
/// matrix, chroma centred between the luma samples it belongs to.
enum JPEGReader {
  static let name = JPEGFile.name

  static func matches(_ head: RawSpan) -> Bool { head.has([0xFF, JPEGFile.Marker.start, 0xFF]) }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    let file = try JPEGFile(bytes, maxPixels: maxPixels)
    guard (0xC0...0xC2).contains(file.frameMarker) else {
      throw .unsupported(kind: name, feature: .coding("SOF\(file.frameMarker - 0xC0)"))
    }
    guard file.bitsPerSample == 8 else {
      throw .unsupported(kind: name, feature: .bitsPerSample(file.bitsPerSample))
    }
    let colour = file.colour(in: bytes)
    if file.components == 4 {
      // Without a profile the colours are not known, and the pixels not worth decoding.
      let profile: InkProfile = try InkProfile(colour, kind: name)
      let pixels = try profile.colours(of: inks(LibavFrame(file, in: bytes), file.inks(in: bytes)))
      return Picture(
        stored: .sixteen(pixels), kind: name, exif: file.exif(in: bytes),
        colour: .inks(profile: profile.name))
    }
    let plane = try rgba(LibavFrame(file, in: bytes))
    return Picture(stored: .eight(plane), kind: name, exif: file.exif(in: bytes), colour: colour)
  }

  /// The frame as C, M, Y, K, where 0 is no ink.
  private static func inks(
    _ frame: consuming LibavFrame, _ coding: JPEGFile.InkCoding
  ) throws(Problem) -> Plane<SIMD4<UInt8>> {
    let layout = try frame.layout()
    return try Plane(width: frame.width, height: frame.height) { (pixels) throws(Problem) in
      if coding.isYCCK {
        let status = frame.convert(layout, to: UnsafeMutableRawBufferPointer(pixels))
        guard status == 0 else { throw .damaged(kind: name, detail: "colour conversion") }
      } else {
        frame.interleave(layout, channels: 0..<3, into: pixels)
      }
      frame.interleave(layout, channels: 3..<4, into: pixels)
      guard coding.isInverted else { return }
      // Of YCCK the first three have been turned over on the way to Y'CbCr already.
      let flip: SIMD4<UInt8> = coding.isYCCK ? [0, 0, 0, 255] : [255, 255, 255, 255]
      for index in pixels.indices { pixels[index] ^= flip }
    }
  }

  /// The frame as R, G, B, A. The frame is freed on return, before anything else is allocated.
  private static func rgba(_ frame: consuming LibavFrame) throws(Problem) -> Plane<SIMD4<UInt8>> {
    let layout = try frame.layout()
    return try Plane(width: frame.width, height: frame.height) { (pixels) throws(Problem) in
      let status = frame.convert(layout, to: UnsafeMutableRawBufferPointer(pixels))
      guard status == 0 else { throw .damaged(kind: name, detail: "colour conversion") }
    }
  }
}

/// How the planes of a frame stand.
private enum FrameLayout {
  case grey
  /// G, B, R.
  case gbr
  /// Y, Cb, Cr; base-2 logarithms of the subsampling.
  case yuv(shiftX: Int, shiftY: Int)
}

/// A decoded picture in libavutil's memory.
private struct LibavFrame: ~Copyable {
  private let frame: UnsafeMutablePointer<AVFrame>
  var width: Int { Int(frame.pointee.width) }
  var height: Int { Int(frame.pointee.height) }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }

  /// Decodes the one picture of a file.
  init(_ file: JPEGFile, in bytes: RawSpan) throws(Problem) {
    av_log_set_level(AV_LOG_QUIET)  // the decoder would write to the terminal
    guard let frame = av_frame_alloc() else { throw Self.outOfMemory }
    do throws(Problem) {
      try Self.decode(file, bytes, into: frame)
    } catch {
      var frame: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&frame)
      throw error
    }
    self.frame = frame
  }

  private static func decode(
    _ file: JPEGFile, _ bytes: RawSpan, into frame: UnsafeMutablePointer<AVFrame>
  ) throws(Problem) {
    var context = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_MJPEG))
    defer { avcodec_free_context(&context) }
    var packet = try packet(file, bytes)
    defer { av_packet_free(&packet) }
    guard let context else { throw outOfMemory }
    context.pointee.thread_count = 1
    // Without these a damaged picture comes out grey from the damage on.
    context.pointee.err_recognition =
      AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER
    try check(avcodec_open2(context, nil, nil))
    try check(avcodec_send_packet(context, packet))
    try check(avcodec_send_packet(context, nil))
    try check(avcodec_receive_frame(context, frame))
    guard frame.pointee.decode_error_flags == 0, frame.pointee.flags & AV_FRAME_FLAG_CORRUPT == 0
    else { throw .damaged(kind: JPEGFile.name, detail: "coded data") }
    guard Int(frame.pointee.width) == file.size.width,
      Int(frame.pointee.height) == file.size.height
    else { throw .damaged(kind: JPEGFile.name, detail: "two sizes") }
  }

  /// The picture as the decoder gets it: without application data and comments, in which it looks for
  /// the customs of video files and over which it stumbles; Adobe's (APP14) names the colour model
  /// and stays, except with inks, of which the decoder would make colours that no profile knows.
  private static func packet(
    _ file: JPEGFile, _ bytes: RawSpan
  ) throws(Problem) -> UnsafeMutablePointer<AVPacket>? {
    var parts = file.segments.filter { segment in
      switch segment.marker {
      case JPEGFile.Marker.app14: file.components != 4
      case 0xE0...0xEF, JPEGFile.Marker.comment: false
      default: true
      }
    }.map(\.range)
    parts.insert(0..<2, at: 0)
    parts.append((file.end - 2)..<file.end)

    let count = parts.reduce(0) { $0 + $1.count }
    var packet = av_packet_alloc()
    guard let data = packet, av_new_packet(data, Int32(count)) == 0 else {
      av_packet_free(&packet)
      throw outOfMemory
    }
    // The packet holds exactly the sum of the parts, and each part lies within the bytes.
    bytes.withUnsafeBytes { raw in
      var target = UnsafeMutableRawPointer(data.pointee.data!)
      for part in parts {
        target.copyMemory(from: raw.baseAddress! + part.lowerBound, byteCount: part.count)
        target += part.count
      }
    }
    return packet
  }

  private static var outOfMemory: Problem {
    .damaged(kind: JPEGFile.name, detail: "out of memory")
  }

  private static func check(_ status: Int32) throws(Problem) {
    guard status < 0 else { return }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      av_strerror(status, buffer.baseAddress, buffer.count)
      return String(cString: buffer.baseAddress!)
    }
    throw .damaged(kind: JPEGFile.name, detail: text)
  }

  /// - Throws: `unsupported` for a pixel format that is none of `FrameLayout`.
  func layout() throws(Problem) -> FrameLayout {
    let format = AVPixelFormat(rawValue: frame.pointee.format)
    guard let description = av_pix_fmt_desc_get(format)?.pointee else {
      throw .unsupported(kind: JPEGFile.name, feature: .pixelFormat("none"))
    }
    let flags = Int32(truncatingIfNeeded: description.flags)
    let isPlanar = flags & AV_PIX_FMT_FLAG_PLANAR != 0
    let isRGB = flags & AV_PIX_FMT_FLAG_RGB != 0
    switch (description.nb_components, description.comp.0.depth, isPlanar, isRGB) {
    case (1, 8, _, false): return .grey
    case (3, 8, true, true): return .gbr
    case (3...4, 8, true, false):
      return .yuv(
        shiftX: Int(description.log2_chroma_w), shiftY: Int(description.log2_chroma_h))
    default:
      throw .unsupported(
        kind: JPEGFile.name, feature: .pixelFormat(String(cString: description.name)))
    }
  }

  /// Writes planes as channels of the same numbers; what is subsampled is interpolated.
  func interleave(
    _ layout: FrameLayout, channels: Range<Int>,
    into pixels: UnsafeMutableBufferPointer<SIMD4<UInt8>>
  ) {
    precondition(pixels.count == width * height)
    let planes = [
      frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2, frame.pointee.data.3,
    ]
    let strides = [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2,
      frame.pointee.linesize.3,
    ]
    var shift = (x: 0, y: 0)
    if case .yuv(let x, let y) = layout { shift = (x, y) }
    let size = Size(width: width, height: height)
    for channel in channels {
      // Only the middle two are ever subsampled.
      let isSmall = 1...2 ~= channel
      let samples = Chroma(
        planes[channel]!, Int(strides[channel]), picture: size,
        isSmall ? shift.x : 0, isSmall ? shift.y : 0
      ).enlarged()
      for index in pixels.indices { pixels[index][channel] = samples[index] }
    }
  }

  /// Writes R, G, B, A; 0 where that worked.
  ///
  /// The planes are libavutil's, of the frame's size and strides; the target must hold width *
  /// height * 4 bytes. libyuv's "ARGB" is B, G, R, A in memory, and with Cb and Cr exchanged and the
  /// matrix mirrored R, G, B, A.
  func convert(_ layout: FrameLayout, to target: UnsafeMutableRawBufferPointer) -> Int32 {
    precondition(target.count == width * height * 4)
    let out = target.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let (w, h, stride) = (Int32(width), Int32(height), Int32(width * 4))
    let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
    let matrix = cyuv_jpeg_mirrored()
    switch layout {
    case .grey:
      return I400ToARGBMatrix(data.0, strides.0, out, stride, matrix, w, h)
    case .gbr:
      MergeARGBPlane(
        data.1, strides.1, data.0, strides.0, data.2, strides.2, nil, 0, out, stride, w, h)
      return 0
    case .yuv(shiftX: 1, shiftY: 1):
      return I420ToARGBMatrixFilter(
        data.0, strides.0, data.2, strides.2, data.1, strides.1, out, stride, matrix, w, h,
        kFilterBilinear)
    case .yuv(shiftX: 1, shiftY: 0):
      return I422ToARGBMatrixFilter(
        data.0, strides.0, data.2, strides.2, data.1, strides.1, out, stride, matrix, w, h,
        kFilterBilinear)
    case .yuv(shiftX: 0, shiftY: 0):
      return I444ToARGBMatrix(
        data.0, strides.0, data.2, strides.2, data.1, strides.1, out, stride, matrix, w, h)
    case .yuv(let shiftX, let shiftY):
      let size = Size(width: width, height: height)
      let cb = Chroma(data.1!, Int(strides.1), picture: size, shiftX, shiftY).enlarged()
      let cr = Chroma(data.2!, Int(strides.2), picture: size, shiftX, shiftY).enlarged()
      return I444ToARGBMatrix(data.0, strides.0, cr, w, cb, w, out, stride, matrix, w, h)
    }
  }
}
