internal import CFFmpeg
internal import MotionCore

/// JPEG through libavcodec: baseline, JFIF, so BT.601 in full range (ITU-T T.871).
enum JPEG {
  /// libavcodec's scale of 1 (finest) to 31.
  private static let quantizer: Int32 = 2

  /// What libavcodec calls a pixel format that a JPEG carries.
  static func codecFormat(_ pixelFormat: PixelFormat) -> AVPixelFormat? {
    switch pixelFormat {
    case .yuv420p: AV_PIX_FMT_YUVJ420P
    case .yuv444p: AV_PIX_FMT_YUVJ444P
    default: nil
    }
  }

  /// The file's bytes; nil where memory ran out.
  static func encode(_ frame: Frame) -> [UInt8]? {
    let format = frame.format
    guard let pixelFormat = codecFormat(format.pixelFormat) else {
      preconditionFailure("JPEG does not carry \(format.pixelFormat)")
    }
    av_log_set_level(AV_LOG_QUIET)  // the encoder would write to the terminal
    var context = avcodec_alloc_context3(avcodec_find_encoder(AV_CODEC_ID_MJPEG))
    var picture = av_frame_alloc()
    var packet = av_packet_alloc()
    defer {
      avcodec_free_context(&context)
      av_frame_free(&picture)
      av_packet_free(&packet)
    }
    guard let context, let picture, let packet else { return nil }
    let (width, height) = (Int32(format.size.width), Int32(format.size.height))
    (context.pointee.width, context.pointee.height) = (width, height)
    context.pointee.pix_fmt = pixelFormat
    context.pointee.color_range = AVCOL_RANGE_JPEG
    context.pointee.time_base = AVRational(num: 1, den: 1)
    context.pointee.thread_count = 1
    // Files that say when and by what they were made differ from run to run, or machine to machine.
    context.pointee.flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT
    context.pointee.global_quality = quantizer * FF_QP2LAMBDA
    (picture.pointee.width, picture.pointee.height) = (width, height)
    picture.pointee.format = pixelFormat.rawValue
    picture.pointee.quality = context.pointee.global_quality
    guard avcodec_open2(context, nil, nil) == 0, av_frame_get_buffer(picture, 0) == 0 else {
      return nil
    }
    frame.copyPlanes(into: picture)
    guard avcodec_send_frame(context, picture) == 0, avcodec_send_frame(context, nil) == 0,
      avcodec_receive_packet(context, packet) == 0
    else { return nil }
    return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }
}
