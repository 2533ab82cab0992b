#if H264
  internal import CFFmpeg

  /// A frame, encoded: its bytes are shared, not copied.
  final class Packet {
    let packet: UnsafeMutablePointer<AVPacket>

    /// - Returns: nil where memory ran out.
    init?() {
      guard let packet = av_packet_alloc() else { return nil }
      self.packet = packet
    }

    deinit {
      var packet: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&packet)
    }

    /// When it is shown and when it is decoded, in frames from the encoder's first.
    var pts: Int64 { packet.pointee.pts }
    var dts: Int64 { packet.pointee.dts }
    var byteCount: Int { Int(packet.pointee.size) }
  }
#endif
