#if H264
  internal import CFFmpeg

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  /// What libavformat writes into: a `ByteSink`, or an address of its own.
  final class Channel {
    let io: UnsafeMutablePointer<AVIOContext>
    /// What libavformat is told that it writes: a file is opened by it once more, to be read.
    let url: String
    private let functions: CAVFormat
    private let output: Output
    private let sink: Sink?
    private var isOpen = true

    /// A sink behind libavformat's callbacks, which cannot throw.
    private final class Sink {
      let bytes: ByteSink
      var failure: StreamOutError?
      init(_ bytes: ByteSink) { self.bytes = bytes }
    }

    private static let bufferBytes: Int32 = 1 << 16
    /// - Parameter protocols: the options of each protocol of addresses, by its scheme.
    /// - Throws: what `ByteSink` does; for addresses `system(.open, …)` or `muxer`.
    init(
      _ output: Output, _ functions: CAVFormat, protocols: KeyValuePairs<String, [String: String]>
    ) throws(StreamOutError) {
      (self.functions, self.output) = (functions, output)
      if case .address(let address) = output {
        Libav.listen()
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        let scheme = Output.scheme(of: address)
        for (name, value) in protocols.first(where: { $0.key == scheme })?.value ?? [:] {
          av_dict_set(&options, name, value, 0)
        }
        var opened: UnsafeMutablePointer<AVIOContext>?
        let status = functions.avio_open2(&opened, address, AVIO_FLAG_WRITE, nil, &options)
        guard let opened, status >= 0 else { throw Self.error(status, .open, address) }
        (io, url, sink) = (opened, address, nil)
        return
      }
      let sink = Sink(try ByteSink(output))
      let opened = cav_alloc_io(
        [functions], Self.bufferBytes, Unmanaged.passUnretained(sink).toOpaque(), nil,
        { opaque, bytes, count in
          let sink = Unmanaged<Sink>.fromOpaque(opaque!).takeUnretainedValue()
          guard sink.failure == nil else { return cav_error(EIO) }
          do throws(StreamOutError) {
            try sink.bytes.write([], then: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
          } catch {
            sink.failure = error
            return cav_error(EIO)
          }
        },
        sink.bytes.isSeekable
          ? { opaque, offset, whence in
            let sink = Unmanaged<Sink>.fromOpaque(opaque!).takeUnretainedValue()
            return sink.bytes.seek(offset, whence & ~AVSEEK_FORCE) ?? Int64(cav_error(EINVAL))
          } : nil)
      guard let opened else { throw .system(.open, path: output.path, code: ENOMEM) }
      if !sink.bytes.isSeekable { opened.pointee.seekable = 0 }
      (io, url, self.sink) = (opened, "file:" + (sink.bytes.temporaryPath ?? ""), sink)
    }

    deinit {
      var io: UnsafeMutablePointer<AVIOContext>? = io
      if sink == nil {
        if isOpen { _ = functions.avio_close(io) }
      } else {
        av_free(io?.pointee.buffer)
        functions.avio_context_free(&io)
      }
    }

    var isSeekable: Bool { sink?.bytes.isSeekable ?? false }

    var bytesWritten: Int {
      sink?.bytes.bytesWritten ?? (isOpen ? Int(io.pointee.bytes_written) : 0)
    }

    /// Says what has failed below libavformat.
    func check() throws(StreamOutError) {
      if let failure = sink?.failure { throw failure }
      if sink == nil, io.pointee.error < 0 { throw error(io.pointee.error) }
    }

    /// What a status of libavformat means here.
    func error(_ status: Int32) -> StreamOutError { Self.error(status, .write, output.path) }

    /// Closes, and gives a file its name.
    func finish() throws(StreamOutError) {
      if let sink { return try sink.bytes.finish() }
      isOpen = false
      let status = functions.avio_close(io)
      if status < 0 { throw Self.error(status, .close, output.path) }
    }

    func discard() { sink?.bytes.discard() }

    private static func error(
      _ status: Int32, _ operation: StreamOutError.Operation, _ path: String?
    ) -> StreamOutError {
      switch Libav.systemCode(status) {
      case EPIPE? where operation == .write, ECONNRESET? where operation == .write: .readerGone
      // What libavformat makes of everything that the system has no number for.
      case EIO? where Libav.complaint != nil:
        .muxer(operation, path: path, detail: Libav.reason(status))
      case let code?: .system(operation, path: path, code: code)
      case nil: .muxer(operation, path: path, detail: Libav.reason(status))
      }
    }
  }
#endif
