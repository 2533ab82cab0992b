internal import MotionCore

/// Frames and nothing else: their planes one behind the other, as ffmpeg's `rawvideo` has them.
enum Raw {
  final class Writer: FrameWriter {
    let format: VideoFormat
    private let sink: ByteSink

    init(sink: ByteSink, format: VideoFormat) {
      (self.sink, self.format) = (sink, format)
    }

    var bytesWritten: Int { sink.bytesWritten }

    func write(_ frame: Frame, due: () -> Void) throws(StreamOutError) {
      precondition(frame.format == format, "a frame of another format")
      due()
      try sink.write([], then: frame)
    }

    func finish(due: () -> Void) throws(StreamOutError) { try sink.finish() }
    func discard() { sink.discard() }
  }
}
