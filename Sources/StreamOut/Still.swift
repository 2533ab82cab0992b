internal import MotionCore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file that holds one frame, as a picture.
enum Still {
  /// A frame as the bytes of a file; nil where memory ran out.
  typealias Encode = @Sendable (Frame) -> [UInt8]?

  final class Writer: FrameWriter {
    let format: VideoFormat
    private let sink: ByteSink
    private let encode: Encode
    private var isWritten = false

    init(sink: ByteSink, format: VideoFormat, _ encode: @escaping Encode) {
      (self.sink, self.format, self.encode) = (sink, format, encode)
    }

    var bytesWritten: Int { sink.bytesWritten }

    func write(_ frame: Frame, due: () -> Void) throws(StreamOutError) {
      precondition(frame.format == format, "a frame of another format")
      precondition(!isWritten, "a second frame in a still picture")
      isWritten = true
      guard let bytes = encode(frame) else {
        throw .system(.write, path: sink.path, code: ENOMEM)
      }
      due()
      try sink.write(bytes)
    }

    func finish(due: () -> Void) throws(StreamOutError) { try sink.finish() }
    func discard() { sink.discard() }
  }
}
