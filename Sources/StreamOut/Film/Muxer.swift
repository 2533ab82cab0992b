#if H264
  internal import CFFmpeg
  internal import MotionCore

  /// Lays packets into a container, in a file, a pipe or at an address.
  ///
  /// Times are k / rate, rounded once to the container's clock.
  final class Muxer {
    private let functions: CAVFormat
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let stream: UnsafeMutablePointer<AVStream>
    private let channel: Channel
    /// Of a frame.
    private let frame: AVRational
    private let packet: Packet
    /// Whether what is written should be on its way at once.
    private let isLive: Bool

    /// How long before it is shown a frame may reach the decoder, in microseconds, as ffmpeg has it:
    /// the clock of MPEG-TS runs so much behind.
    private static let decoderDelay: Int32 = 700_000

    /// Whether the container keeps the encoder's parameter sets.
    static func hasGlobalHeader(_ muxing: Muxing) throws(StreamOutError) -> Bool {
      let functions = try Libav.format()
      var context: UnsafeMutablePointer<AVFormatContext>?
      defer { functions.avformat_free_context(context) }
      _ = functions.avformat_alloc_output_context2(&context, nil, muxing.muxer, nil)
      guard let flags = context?.pointee.oformat.pointee.flags else { return false }
      return flags & AVFMT_GLOBALHEADER != 0
    }

    /// Opens the output and writes the header.
    ///
    /// - Throws: what `Channel` does; `noLibrary`; `muxer`.
    init(
      _ muxing: Muxing, to output: Output, of encoder: FilmEncoder, _ rate: FrameRate
    ) throws(StreamOutError) {
      functions = try Libav.format()
      frame = AVRational(frameOf: rate)
      channel = try Channel(output, functions, protocols: muxing.protocols)
      isLive = !channel.isSeekable
      Libav.listen()
      var context: UnsafeMutablePointer<AVFormatContext>?
      let status = functions.avformat_alloc_output_context2(
        &context, nil, muxing.muxer, channel.url)
      guard let context, let packet = Packet(),
        let stream = functions.avformat_new_stream(context, nil)
      else {
        functions.avformat_free_context(context)
        throw .muxer(.open, path: output.path, detail: Libav.reason(status))
      }
      (self.context, self.stream, self.packet) = (context, stream, packet)
      context.pointee.pb = channel.io
      // No dates, versions and random numbers: the same film is the same bytes.
      context.pointee.flags |= AVFMT_FLAG_BITEXACT
      context.pointee.max_delay = Self.decoderDelay
      stream.pointee.time_base = frame
      stream.pointee.avg_frame_rate = AVRational(rate)
      stream.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
      try check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context))
      var options: OpaquePointer?
      defer { av_dict_free(&options) }
      for (name, value) in muxing.options { av_dict_set(&options, name, value, 0) }
      if let clock = muxing.clockOption { av_dict_set(&options, clock, "\(rate.numerator)", 0) }
      try check(functions.avformat_write_header(context, &options))
      flush()
      try channel.check()
    }

    deinit { functions.avformat_free_context(context) }

    var bytesWritten: Int { channel.bytesWritten }

    /// Writes a packet, whose times are in frames, so many frames later.
    func write(_ source: Packet, later shift: Int64) throws(StreamOutError) {
      try check(av_packet_ref(packet.packet, source.packet))
      defer { av_packet_unref(packet.packet) }
      packet.packet.pointee.stream_index = stream.pointee.index
      func time(_ frames: Int64) -> Int64 {
        av_rescale_q(frames, frame, stream.pointee.time_base)
      }
      packet.packet.pointee.pts = time(source.pts + shift)
      packet.packet.pointee.dts = time(source.dts + shift)
      packet.packet.pointee.duration = time(source.pts + shift + 1) - packet.packet.pointee.pts
      try check(functions.av_write_frame(context, packet.packet))
      flush()
      try channel.check()
      Libav.forget()
    }

    /// Writes the trailer, closes, and gives a file its name.
    func finish() throws(StreamOutError) {
      try check(functions.av_write_trailer(context))
      functions.avio_flush(channel.io)
      try channel.check()
      try channel.finish()
    }

    func discard() { channel.discard() }

    private func flush() { if isLive { functions.avio_flush(channel.io) } }

    /// What went wrong below says more than what libavformat makes of it.
    private func check(_ status: Int32) throws(StreamOutError) {
      guard status < 0 else { return }
      try channel.check()
      throw channel.error(status)
    }
  }
#endif
