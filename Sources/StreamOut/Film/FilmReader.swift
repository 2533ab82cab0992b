internal import MotionCore

/// Why a film cannot be read.
public enum FilmProblem: Error, Hashable, Sendable {
  /// The system refuses; `code` is its `errno`.
  case system(Int32)
  /// libavformat finds no film in it.
  case noFilm(detail: String)
  case noLibrary(String, detail: String)
  /// What is there of the film makes no sense from here on.
  case damaged(frame: UInt64, detail: String)
  /// This build reads no films.
  case leftOut
}

/// Where an encoded frame stands in its file.
struct PacketPlace: Hashable {
  let offset, size: Int
  /// In units of the time base; counted packets where the container has no times.
  var pts, dts: Int
  let isKey: Bool
}

#if H264
  internal import CFFmpeg

  /// A film that is read from its beginning, once, packet by packet or picture by picture.
  final class FilmReader {
    private let functions: CAVFormat
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let stream: UnsafeMutablePointer<AVStream>
    private var decoder: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var picture: UnsafeMutablePointer<AVFrame>?
    private var hasEnded = false
    private var packets: Int64 = 0
    private var pictures: UInt64 = 0
    /// Whether packets have times; else the times are packets counted in the order of the file.
    private(set) var hasTimes = true

    /// What a film may be. Others that libavformat knows open further files, and addresses.
    private static let formats =
      "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,flv,h264,hevc,obu,ivf,avi,ogg"

    /// - Parameters:
    ///   - name: a file's, as the system has it; nil for standard input.
    ///   - demuxer: libavformat's for it; nil has it told by its content.
    init(name: [UInt8]?, demuxer: String? = nil) throws(FilmProblem) {
      do throws(StreamOutError) {
        functions = try Libav.format()
      } catch {
        guard case .noLibrary(let library, let detail) = error else { throw .noFilm(detail: "") }
        throw .noLibrary(library, detail: detail)
      }
      Libav.listen()
      let url = (name.map { Array("file:".utf8) + $0 } ?? Array("pipe:0".utf8)).map {
        CChar(bitPattern: $0)
      }
      var options: OpaquePointer?
      defer { av_dict_free(&options) }
      av_dict_set(&options, "format_whitelist", Self.formats, 0)
      av_dict_set(&options, "protocol_whitelist", "file,pipe", 0)
      var context: UnsafeMutablePointer<AVFormatContext>?
      // Without a name it goes by the content.
      let format = demuxer == nil ? nil : functions.av_find_input_format(demuxer)
      var status = functions.avformat_open_input(&context, url + [0], format, &options)
      guard status >= 0, let opened = context else { throw Self.problem(status) }
      status = functions.avformat_find_stream_info(opened, nil)
      var codec: UnsafePointer<AVCodec>?
      if status >= 0 {
        status = functions.av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0)
      }
      let decoder = status < 0 ? nil : avcodec_alloc_context3(codec)
      guard let decoder, let stream = opened.pointee.streams[Int(status)] else {
        functions.avformat_close_input(&context)
        throw Self.problem(status)
      }
      (self.context, self.stream, self.decoder) = (context, stream, decoder)
      (packet, picture) = (av_packet_alloc(), av_frame_alloc())
      // Without these a damaged picture is made up from what is around it.
      decoder.pointee.err_recognition =
        AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER
      decoder.pointee.thread_count = 0
      status = avcodec_parameters_to_context(decoder, stream.pointee.codecpar)
      if status >= 0 { status = avcodec_open2(decoder, codec, nil) }
      if status < 0 { throw Self.problem(status) }
    }

    deinit {
      av_packet_free(&packet)
      av_frame_free(&picture)
      avcodec_free_context(&decoder)
      functions.avformat_close_input(&context)
    }

    /// The unit of times, in seconds.
    var timeBase: (num: Int, den: Int) {
      let base = stream.pointee.time_base
      return (Int(base.num), Int(base.den))
    }

    /// The next packet of the film, in the order of the file; nil at its end.
    func nextPacket() throws(FilmProblem) -> PacketPlace? {
      guard try read() else { return nil }
      let packet = packet!.pointee
      return PacketPlace(
        offset: Int(packet.pos), size: Int(packet.size), pts: Int(packet.pts),
        dts: Int(packet.dts == cav_no_time() ? packet.pts : packet.dts),
        isKey: packet.flags & AV_PKT_FLAG_KEY != 0)
    }

    /// The next picture in the order in which they are shown, from afar, and its time; nil at the end.
    func nextPicture() throws(FilmProblem) -> (likeness: Likeness, size: Size, time: Int)? {
      while true {
        let status = avcodec_receive_frame(decoder, picture)
        if status == cav_end_of_file() { return nil }
        if status != cav_error(EAGAIN) {
          try check(status)
          break
        }
        if hasEnded {
          try check(status)
        } else if try read() {
          try check(avcodec_send_packet(decoder, packet))
        } else {
          hasEnded = true
          try check(avcodec_send_packet(decoder, nil))
        }
      }
      let frame = picture!.pointee
      guard frame.decode_error_flags == 0, frame.flags & AV_FRAME_FLAG_CORRUPT == 0 else {
        throw .damaged(frame: pictures, detail: "coded data")
      }
      guard let format = av_pix_fmt_desc_get(AVPixelFormat(frame.format)),
        format.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_HWACCEL) == 0
      else { throw .damaged(frame: pictures, detail: "its pixels have no luma") }
      let size = Size(width: Int(frame.width), height: Int(frame.height))
      let shift = UInt32(max(0, format.pointee.comp.0.depth - 8))
      let likeness = Likeness(size) { y, row in
        cav_read_line(picture, format, Int32(y), 0, row.baseAddress)
        if shift > 0 { for x in row.indices { row[x] >>= shift } }
      }
      guard frame.best_effort_timestamp != cav_no_time() else {
        throw .damaged(frame: pictures, detail: "it has no time")
      }
      pictures += 1
      return (likeness, size, Int(frame.best_effort_timestamp))
    }

    /// Reads the next packet; false at the end.
    private func read() throws(FilmProblem) -> Bool {
      while true {
        av_packet_unref(packet)
        let status = functions.av_read_frame(context, packet)
        if status == cav_end_of_file() { return false }
        try check(status)
        guard packet!.pointee.stream_index == stream.pointee.index else { continue }
        if packet!.pointee.pts == cav_no_time() {
          hasTimes = false
          packet!.pointee.pts = packets
        }
        packets += 1
        return true
      }
    }

    private func check(_ status: Int32) throws(FilmProblem) {
      if status < 0 { throw .damaged(frame: pictures, detail: Libav.reason(status)) }
    }

    private static func problem(_ status: Int32) -> FilmProblem {
      Libav.systemCode(status).map { .system($0) } ?? .noFilm(detail: Libav.reason(status))
    }
  }
#endif
