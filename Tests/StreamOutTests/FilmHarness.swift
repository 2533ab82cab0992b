#if H264
  import MotionCore
  import StreamOut

  /// The containers of encoded films.
  let films = Container.all.filter(\.isEncoded)

  func filmFormat(
    _ width: Int = 64, _ height: Int = 48, rate: FrameRate = FrameRate(30)!
  ) -> VideoFormat {
    // Sides and rates in these tests are all legal.
    try! VideoFormat(
      size: Size(width: width, height: height), rate: rate, pixelFormat: .yuv420p,
      matrix: .bt709, range: .limited)
  }

  /// A ramp that moves: no two places of a round look alike, and each is easily told from the last.
  func movingFrame(_ format: VideoFormat, _ place: Int) -> Frame {
    var canvas = Canvas(format: format)
    canvas.withUnsafeMutableBytes { bytes in
      var index = 0
      for plane in format.pixelFormat.planes {
        let size = plane.size(in: format.size)
        for y in 0..<size.height {
          for x in 0..<size.width {
            bytes[index] = UInt8(16 + (3 * x + 2 * y + 11 * place) % 200)
            index += 1
          }
        }
      }
    }
    return canvas.finish()
  }

  /// A loop of few frames, written as the command does it: a round, and then what is kept of it.
  struct TestLoop {
    var format = filmFormat()
    var period = 6
    var start = 0
    /// Frames in all.
    var count = 18
    var encoding = Encoding(rate: .quality(12))

    var rounds: Rounds {
      Rounds(period: period, start: start, areRepeated: count >= 2 * period)
    }

    func open(_ container: Container, _ path: String) throws(StreamOutError) -> any FrameWriter {
      try container.open(.file(path: path, overwrite: false), format, encoding, rounds)
    }

    /// Sends frames of the loop from its start.
    func write(_ frames: Range<Int>, into writer: any FrameWriter) throws(StreamOutError) {
      for n in frames { try writer.write(movingFrame(format, (start + n) % period)) }
    }

    /// All of it: whole rounds, and the frames that are left.
    func film(_ container: Container, _ path: String) throws(StreamOutError) {
      let writer = try open(container, path)
      try write(0..<min(period, count), into: writer)
      try writer.endRound(due: {})
      var written = min(period, count)
      while written + period <= count {
        for _ in 0..<period { try writer.repeatFrame() }
        written += period
      }
      try write(written..<count, into: writer)
      try writer.finish()
    }
  }
#endif
