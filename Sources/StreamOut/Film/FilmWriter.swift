#if H264
  internal import MotionCore

  /// Frames → packets → a container. The packets of the first round are kept where further rounds
  /// come: they are written again with later times, and decode to the same pictures.
  final class FilmWriter: FrameWriter {
    let format: VideoFormat
    private let encoding: Encoding
    private let rounds: Rounds?
    private let hasGlobalHeader: Bool
    private let muxer: Muxer
    /// What encodes now; nil between two rounds.
    private var encoder: FilmEncoder?
    /// Frames sent to it.
    private var sent = 0
    /// Frames of the rounds that have ended.
    private var framesBefore = 0
    private var written = Shown()
    private var kept: [Packet] = []
    private var keptBytes = 0
    private var isKeeping: Bool

    /// Packets are kept up to this; longer rounds are encoded each time.
    private static let mostKeptBytes = 512 << 20

    init(
      _ muxing: Muxing, to output: Output, _ format: VideoFormat, _ encoding: Encoding,
      _ rounds: Rounds?
    ) throws(StreamOutError) {
      (self.format, self.encoding, self.rounds) = (format, encoding, rounds)
      isKeeping = rounds?.areRepeated ?? false
      hasGlobalHeader = try Muxer.hasGlobalHeader(muxing)
      let encoder = try FilmEncoder(encoding, format, hasGlobalHeader: hasGlobalHeader)
      muxer = try Muxer(muxing, to: output, of: encoder, format.rate)
      self.encoder = encoder
    }

    var bytesWritten: Int { muxer.bytesWritten }

    func write(_ frame: Frame, due: () -> Void) throws(StreamOutError) {
      precondition(frame.format == format, "a frame of another format")
      let encoder = try currentEncoder()
      try encoder.send(
        frame, isKey: rounds?.isBeginning(framesBefore + sent) ?? false)
      sent += 1
      try drain(encoder, due)
    }

    func endRound(due: () -> Void) throws(StreamOutError) {
      guard let encoder else { return }
      try encoder.end()
      try drain(encoder, due)
      self.encoder = nil
      framesBefore += sent
      (sent, written, isKeeping) = (0, Shown(), false)
    }

    var keptFrames: Int { encoder == nil ? kept.count : 0 }

    func repeatFrame() throws(StreamOutError) {
      precondition(keptFrames > 0, "nothing was kept")
      try mux(kept[written.count])
      guard written.count == kept.count else { return }
      framesBefore += kept.count
      written = Shown()
    }

    var isWhole: Bool { written.isWhole }

    func finish(due: () -> Void) throws(StreamOutError) {
      try endRound(due: due)
      try muxer.finish()
    }

    func discard() { muxer.discard() }

    private func currentEncoder() throws(StreamOutError) -> FilmEncoder {
      if let encoder { return encoder }
      let encoder = try FilmEncoder(encoding, format, hasGlobalHeader: hasGlobalHeader)
      self.encoder = encoder
      return encoder
    }

    private func drain(_ encoder: FilmEncoder, _ due: () -> Void) throws(StreamOutError) {
      while let packet = try encoder.receive() {
        due()
        try mux(packet)
        guard isKeeping else { continue }
        kept.append(packet)
        keptBytes += packet.byteCount
        if keptBytes > Self.mostKeptBytes { (kept, isKeeping) = ([], false) }
      }
    }

    private func mux(_ packet: Packet) throws(StreamOutError) {
      try muxer.write(packet, later: Int64(framesBefore))
      written.add(packet)
    }

    /// Which frames of a round have been written, in the order of decoding.
    private struct Shown {
      var count = 0
      private var last: Int64 = -1

      mutating func add(_ packet: Packet) {
        count += 1
        last = max(last, packet.pts)
      }

      /// Whether no frame before the last one shown is still to come.
      var isWhole: Bool { last == Int64(count) - 1 }
    }
  }
#endif
