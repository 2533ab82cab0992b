#if H264
  internal import CFFmpeg
  internal import MotionCore

  /// An H.264 encoder of libavcodec: frames in, packets out, both numbered from 0.
  ///
  /// Groups of pictures are closed: what comes after a key frame needs nothing from before it.
  final class FilmEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let picture: UnsafeMutablePointer<AVFrame>
    private let hardware: HardwareFrames?
    private let name: String
    private var frames: Int64 = 0

    /// The names of the encoders that libavcodec was built with, for yuv420p in one shape or another.
    static var names: [String] {
      var names: [String] = []
      var position: UnsafeMutableRawPointer?
      while let codec = av_codec_iterate(&position) {
        guard av_codec_is_encoder(codec) != 0, codec.pointee.id == AV_CODEC_ID_H264,
          input(of: codec) != nil
        else { continue }
        names.append(String(cString: codec.pointee.name))
      }
      return names
    }

    /// - Parameters:
    ///   - format: of the frames; the picture is cut to even sides.
    ///   - hasGlobalHeader: whether the container keeps the parameter sets, so that packets need not.
    /// - Throws: `noEncoder`, `noEncoderOption`, `encoder`.
    init(
      _ encoding: Encoding, _ format: VideoFormat, hasGlobalHeader: Bool
    ) throws(StreamOutError) {
      Libav.listen()
      name = encoding.encoder
      guard let codec = avcodec_find_encoder_by_name(name), let input = Self.input(of: codec),
        codec.pointee.id == AV_CODEC_ID_H264
      else { throw .noEncoder(name, known: Self.names) }
      let size = evenSize(format.size)
      if let device = input.device {
        hardware = try HardwareFrames(device, input.pixels, size, of: encoding.encoder)
      } else {
        hardware = nil
      }
      guard let context = avcodec_alloc_context3(codec), let picture = av_frame_alloc() else {
        throw .encoder(name, detail: "out of memory")
      }
      (self.context, self.picture) = (context, picture)
      Self.describe(format, size, in: context)
      context.pointee.pix_fmt = input.pixels
      context.pointee.hw_frames_ctx = hardware?.reference()
      context.pointee.gop_size = Int32(
        max(1, (Encoding.keySeconds * format.rate.framesPerSecond).rounded()))
      context.pointee.thread_count = Int32(encoding.threads)
      // Files that say when and by what they were made differ from run to run, or machine to machine.
      context.pointee.flags |= Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP) | AV_CODEC_FLAG_BITEXACT
      if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
      try Self.set(encoding, in: context)
      try check(avcodec_open2(context, codec, nil))
      (picture.pointee.width, picture.pointee.height) = (Int32(size.width), Int32(size.height))
      picture.pointee.format =
        (input.device == nil ? input.pixels : HardwareFrames.pixels).rawValue
      try check(av_frame_get_buffer(picture, 0))
    }

    deinit {
      var context: UnsafeMutablePointer<AVCodecContext>? = context
      var picture: UnsafeMutablePointer<AVFrame>? = picture
      avcodec_free_context(&context)
      av_frame_free(&picture)
    }

    /// Takes the next frame.
    ///
    /// - Parameter isKey: whether a decoder must be able to begin with it.
    func send(_ frame: Frame, isKey: Bool) throws(StreamOutError) {
      // The encoder may still hold the last one's memory.
      try check(av_frame_make_writable(picture))
      frame.copyPlanes(into: picture)
      picture.pointee.pts = frames
      picture.pointee.pict_type = isKey || frames == 0 ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
      frames += 1
      if let hardware {
        try check(hardware.send(picture, to: context))
      } else {
        try check(avcodec_send_frame(context, picture))
      }
    }

    /// Says that there is no more; nothing can be sent afterwards.
    func end() throws(StreamOutError) { try check(avcodec_send_frame(context, nil)) }

    /// The next packet, in the order of decoding; nil where more frames are wanted, or it has ended.
    func receive() throws(StreamOutError) -> Packet? {
      guard let packet = Packet() else { throw .encoder(name, detail: "out of memory") }
      let status = avcodec_receive_packet(context, packet.packet)
      if status == cav_error(EAGAIN) || status == cav_end_of_file() { return nil }
      try check(status)
      packet.packet.pointee.duration = 1
      return packet
    }

    /// What the encoder takes: planes of 4:2:0, or the memory of a device.
    private static func input(
      of codec: UnsafePointer<AVCodec>
    ) -> (pixels: AVPixelFormat, device: AVHWDeviceType?)? {
      guard let formats = codec.pointee.pix_fmts else { return nil }
      let all = Array(
        sequence(first: formats) { $0 + 1 }.lazy.map { $0.pointee }.prefix {
          $0 != AV_PIX_FMT_NONE
        })
      for plain in [AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12] where all.contains(plain) {
        return (plain, nil)
      }
      var index: Int32 = 0
      while let config = avcodec_get_hw_config(codec, index) {
        index += 1
        let takesFrames =
          config.pointee.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_FRAMES_CTX) != 0
        if takesFrames { return (config.pointee.pix_fmt, config.pointee.device_type) }
      }
      return nil
    }

    private static func describe(
      _ format: VideoFormat, _ size: Size, in context: UnsafeMutablePointer<AVCodecContext>
    ) {
      (context.pointee.width, context.pointee.height) = (Int32(size.width), Int32(size.height))
      context.pointee.time_base = AVRational(frameOf: format.rate)
      context.pointee.framerate = AVRational(format.rate)
      context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
      context.pointee.color_range = AVCOL_RANGE_MPEG
      context.pointee.colorspace = AVCOL_SPC_BT709
      context.pointee.color_primaries = AVCOL_PRI_BT709
      context.pointee.color_trc = AVCOL_TRC_BT709
      context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
    }

    /// Sets what was asked for, and what a loop needs of encoders that would do otherwise.
    private static func set(
      _ encoding: Encoding, in context: UnsafeMutablePointer<AVCodecContext>
    ) throws(StreamOutError) {
      func set(_ name: String, _ value: String) -> Int32 {
        av_opt_set(context.pointee.priv_data, name, value, 0)
      }
      // A key frame that is asked for is one that a decoder can begin with, and none comes unasked.
      for (name, value) in [("forced-idr", "1"), ("sc_threshold", "0")] { _ = set(name, value) }
      let asked = [
        ("preset", encoding.preset), ("tune", encoding.tune),
        ("crf", encoding.quality.map { "\($0)" }),
      ]
      if let bits = encoding.bitrate { context.pointee.bit_rate = Int64(bits) }
      for case (let name, let value?) in asked {
        if let known = Self.words[encoding.encoder]?[name], !known.contains(value) {
          throw .noEncoderWord(
            value, option: "--\(name)", encoder: encoding.encoder, known: known)
        }
        let status = set(name, value)
        if status == cav_no_option() {
          throw .noEncoderOption("--\(name)", encoder: encoding.encoder)
        }
        if status < 0 { throw .encoder(encoding.encoder, detail: Libav.reason(status)) }
      }
    }

    /// What encoders call their presets and tunings, of those that would write to the terminal when
    /// they do not know a word.
    private static let words = [
      "libx264": [
        "preset": [
          "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
          "veryslow", "placebo",
        ],
        "tune": [
          "film", "animation", "grain", "stillimage", "psnr", "ssim", "fastdecode", "zerolatency",
        ],
      ]
    ]

    private func check(_ status: Int32) throws(StreamOutError) {
      if status < 0 { throw .encoder(name, detail: Libav.reason(status)) }
    }
  }

  /// Frames in the memory of a device, for encoders that take no others.
  private final class HardwareFrames {
    static let pixels = AV_PIX_FMT_NV12
    private let frames: UnsafeMutablePointer<AVBufferRef>

    /// - Throws: `encoder` where there is no such device.
    init(
      _ device: AVHWDeviceType, _ pixels: AVPixelFormat, _ size: Size, of encoder: String
    ) throws(StreamOutError) {
      var opened: UnsafeMutablePointer<AVBufferRef>?
      var status = av_hwdevice_ctx_create(&opened, device, nil, nil, 0)
      defer { av_buffer_unref(&opened) }
      guard status >= 0, let frames = av_hwframe_ctx_alloc(opened) else {
        throw .encoder(encoder, detail: Libav.reason(status))
      }
      self.frames = frames
      frames.pointee.data.withMemoryRebound(to: AVHWFramesContext.self, capacity: 1) {
        $0.pointee.format = pixels
        $0.pointee.sw_format = Self.pixels
        ($0.pointee.width, $0.pointee.height) = (Int32(size.width), Int32(size.height))
        $0.pointee.initial_pool_size = 20
      }
      status = av_hwframe_ctx_init(frames)
      guard status >= 0 else { throw .encoder(encoder, detail: Libav.reason(status)) }
    }

    deinit {
      var frames: UnsafeMutablePointer<AVBufferRef>? = frames
      av_buffer_unref(&frames)
    }

    func reference() -> UnsafeMutablePointer<AVBufferRef>? { av_buffer_ref(frames) }

    /// Takes a picture there and has it encoded; returns a status.
    func send(
      _ picture: UnsafeMutablePointer<AVFrame>, to context: UnsafeMutablePointer<AVCodecContext>
    ) -> Int32 {
      var there = av_frame_alloc()
      defer { av_frame_free(&there) }
      guard let there else { return cav_error(ENOMEM) }
      var status = av_hwframe_get_buffer(frames, there, 0)
      if status >= 0 { status = av_hwframe_transfer_data(there, picture, 0) }
      if status >= 0 { status = av_frame_copy_props(there, picture) }
      return status < 0 ? status : avcodec_send_frame(context, there)
    }
  }
#endif
