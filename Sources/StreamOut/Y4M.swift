internal import MotionCore

/// YUV4MPEG2, the uncompressed stream of mjpegtools (its `yuv4mpeg(5)` page): one line of text, then
/// the mark `FRAME` and the planes of each frame.
enum Y4M {
  static let frameMark = Array("FRAME\n".utf8)

  /// The longest header, newline included, that every consumer takes: GStreamer 1.22 fails beyond.
  static let longestHeader = 80

  /// The header line, newline included, of a pixel format that has a Y4M tag.
  ///
  /// Says what consumers look for and no more. The matrix cannot be said.
  static func header(for format: VideoFormat) -> [UInt8] {
    guard let tag = format.pixelFormat.y4mTag(format.siting) else {
      preconditionFailure("Y4M does not carry \(format.pixelFormat)")
    }
    let (size, rate) = (format.size, format.rate)
    let range = format.range == .limited ? "LIMITED" : "FULL"
    let line =
      "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate.numerator):\(rate.denominator)"
      + " Ip A1:1 C\(tag) XCOLORRANGE=\(range)\n"
    return Array(line.utf8)
  }

  final class Writer: FrameWriter {
    let format: VideoFormat
    private let sink: ByteSink

    init(sink: ByteSink, format: VideoFormat) throws(StreamOutError) {
      (self.sink, self.format) = (sink, format)
      try sink.write(Y4M.header(for: format))
    }

    var bytesWritten: Int { sink.bytesWritten }

    func write(_ frame: Frame, due: () -> Void) throws(StreamOutError) {
      precondition(frame.format == format, "a frame of another format")
      due()
      try sink.write(Y4M.frameMark, then: frame)
    }

    func finish(due: () -> Void) throws(StreamOutError) { try sink.finish() }
    func discard() { sink.discard() }
  }
}
