#if H264
  import Foundation
  import MotionCore
  import TestSupport
  import Testing

  @testable import StreamOut

  /// Films in every container, written into files and read again by ffmpeg.
  @Suite struct FilmWriterTests {
    private let scratch = ScratchFolder()

    /// Whole rounds, frames left over, and streams that begin in the middle of a round.
    private static let lengths = [(start: 0, count: 18), (start: 4, count: 20)]

    @Test(.enabled(if: TestFilm.canBeRead), arguments: films, lengths)
    func roundsAreAlikeAndBeginWithKeys(
      _ container: Container, _ length: (start: Int, count: Int)
    ) throws {
      let loop = TestLoop(start: length.start, count: length.count)
      let file = TestFilm(scratch.file("a.\(container)"))
      try loop.film(container, file.path)
      let pictures = try file.pictures()
      #expect(pictures.count == loop.count)
      #expect(Set(pictures.prefix(loop.period)).count == loop.period)
      for n in pictures.indices {
        // What is left over at the end is encoded apart.
        guard n < loop.count / loop.period * loop.period else { break }
        #expect(pictures[n] == pictures[n % loop.period], "frame \(n)")
      }
      let packets = try file.packets()
      #expect(packets.count == loop.count)
      // A key is shown after all that is decoded before it, so that its place is that of its frame.
      let keys = packets.indices.filter { packets[$0].isKey }
      let beginnings = (0..<loop.count).filter {
        (loop.start + $0) % loop.period == 0 || $0 % loop.period == 0
      }
      #expect(keys == beginnings)
    }

    @Test(.enabled(if: TestFilm.canBeRead), arguments: films.filter { $0.name != "h264" })
    func timesAreThoseOfTheFrames(_ container: Container) throws {
      let loop = TestLoop(format: filmFormat(rate: FrameRate(30000, 1001)!), count: 20)
      let file = TestFilm(scratch.file("a.\(container)"))
      try loop.film(container, file.path)
      let stream = try file.stream(["time_base", "has_b_frames"])
      #expect(stream["has_b_frames"] == "2", "the times are to be put to the test by B-frames")
      let base = try #require(
        stream["time_base"]?.split(separator: "/").last.flatMap { Double($0) })
      let packets = try file.packets()
      let times = try packets.map { try #require($0.pts) }.sorted()
      for (n, time) in times.enumerated() {
        let exact = Double(n) * 1001 / 30000 * base
        #expect(abs(Double(time - times[0]) - exact) < 0.5001, "frame \(n)")
      }
      // A reader may not know the first ones.
      let decoded = packets.compactMap(\.dts)
      #expect(decoded.count >= loop.count - 2)
      #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 })
      // Where nothing has to come before it, the first frame is shown at once.
      if ["mp4", "fmp4", "mkv"].contains(container.name) { #expect(times[0] == 0) }
    }

    /// Repeating may end where it is whole, and only there is no frame missing.
    @Test(.enabled(if: TestFilm.canBeRead))
    func isWholeWhereNoFrameIsMissing() throws {
      let loop = TestLoop(period: 8, count: 16)
      let whole = TestFilm(scratch.file("whole.mkv"))
      let container = try #require(Container.named("mkv"))
      let writer = try loop.open(container, whole.path)
      try loop.write(0..<8, into: writer)
      try writer.endRound(due: {})
      var found: [Bool] = []
      for _ in 0..<8 {
        try writer.repeatFrame()
        found.append(writer.isWhole)
      }
      try writer.finish()
      let times = try whole.packets().prefix(8).map { try #require($0.pts) }
      let expected = (1...8).map { count in
        times.prefix(count).sorted() == Array(times.sorted().prefix(count))
      }
      #expect(found == expected)
      #expect(found.contains(false) && found.last == true)

      // Ended at the first such place after one that is none.
      let wait = try #require(found.firstIndex(of: false))
      let end = try #require(found[wait...].firstIndex(of: true)) + 1
      let cut = TestFilm(scratch.file("cut.mkv"))
      let second = try loop.open(container, cut.path)
      try loop.write(0..<8, into: second)
      try second.endRound(due: {})
      for _ in 0..<end { try second.repeatFrame() }
      try second.finish()
      let pictures = try cut.pictures()
      #expect(pictures == Array(try whole.pictures().prefix(8 + end)))
    }

    @Test func isKeptOnceTheRoundHasEnded() throws {
      let loop = TestLoop(count: 14)
      let writer = try loop.open(try #require(Container.named("ts")), scratch.file("a.ts"))
      #expect(writer.keptFrames == 0)
      try loop.write(0..<6, into: writer)
      #expect(writer.keptFrames == 0)
      try writer.endRound(due: {})
      #expect(writer.keptFrames == 6)
      for _ in 0..<6 { try writer.repeatFrame() }
      #expect(writer.keptFrames == 6)
      // While other frames are being encoded there is nothing to be repeated.
      try loop.write(12..<14, into: writer)
      #expect(writer.keptFrames == 0)
      try writer.finish()
    }

    @Test(arguments: [false, true])
    func nothingIsKeptOfWhatIsNotRepeated(_ isLoop: Bool) throws {
      let loop = TestLoop(count: 6)
      let writer = try films[0].open(
        .file(path: scratch.file("a"), overwrite: false), loop.format, loop.encoding,
        isLoop ? loop.rounds : nil)
      try loop.write(0..<6, into: writer)
      try writer.endRound(due: {})
      #expect(writer.keptFrames == 0)
      try writer.finish()
    }

    /// One call for each frame that goes out, whenever the encoder lets it.
    @Test func dueIsAskedOnceAFrame() throws {
      let loop = TestLoop(period: 60, count: 60)
      let writer = try loop.open(films[0], scratch.file("a"))
      var (asked, sent) = (0, 0)
      for n in 0..<60 {
        try writer.write(movingFrame(loop.format, n), due: { asked += 1 })
        sent += 1
        #expect(asked <= sent)
      }
      #expect(asked < 60, "an encoder that looks ahead is what this is to be put to the test by")
      try writer.finish(due: { asked += 1 })
      #expect(asked == 60)
    }

    @Test(arguments: films)
    func sameFilmIsTheSameBytes(_ container: Container) throws {
      let loop = TestLoop()
      for name in ["a", "b"] { try loop.film(container, scratch.file(name)) }
      let bytes = try #require(contents(scratch.file("a")))
      #expect(bytes == contents(scratch.file("b")))
      #expect(bytes.count > 18 * 20)
    }

    /// Without loss, so that every sample shows where it went.
    @Test(.enabled(if: TestFilm.canBeRead), arguments: [(64, 48), (65, 49), (2, 2), (3, 7)])
    func picturesAreTheFramesWithoutAnOddEdge(_ sides: (Int, Int)) throws {
      var loop = TestLoop(format: filmFormat(sides.0, sides.1), period: 3, count: 3)
      loop.encoding.rate = .quality(0)
      let file = TestFilm(scratch.file("a.mkv"))
      try loop.film(try #require(Container.named("mkv")), file.path)
      let even = evenSize(loop.format.size)
      let stream = try file.stream(["width", "height"])
      #expect(stream == ["width": "\(even.width)", "height": "\(even.height)"])
      var expected: [UInt8] = []
      for n in 0..<3 {
        var rest = movingFrame(loop.format, n).bytes[...]
        for plane in loop.format.pixelFormat.planes {
          let (own, cut) = (plane.size(in: loop.format.size), plane.size(in: even))
          for y in 0..<own.height {
            let row = rest.prefix(own.width)
            rest = rest.dropFirst(own.width)
            if y < cut.height { expected += row.prefix(cut.width) }
          }
        }
      }
      #expect(try file.planes() == expected)
    }

    @Test(.enabled(if: TestFilm.canBeRead), arguments: films)
    func coloursAreSaid(_ container: Container) throws {
      let file = TestFilm(scratch.file("a.\(container)"))
      try TestLoop().film(container, file.path)
      let names = ["color_range", "color_space", "color_transfer", "color_primaries"]
      let stream = try file.stream(names + ["chroma_location", "pix_fmt"])
      #expect(names.map { stream[$0] } == ["tv", "bt709", "bt709", "bt709"])
      #expect(stream["chroma_location"] == "left" && stream["pix_fmt"] == "yuv420p")
    }

    // MARK: - Ends that are none

    @Test(arguments: films)
    func finishedWithoutAFrame(_ container: Container) throws {
      let path = scratch.file("a")
      let writer = try TestLoop().open(container, path)
      try writer.finish()
      #expect(scratch.names == ["a"])
    }

    @Test(arguments: films, [false, true])
    func discardedOrDroppedWriterLeavesNothing(_ container: Container, _ isDropped: Bool) throws {
      let loop = TestLoop()
      do {
        let writer = try loop.open(container, scratch.file("a"))
        try loop.write(0..<6, into: writer)
        try writer.endRound(due: {})
        #expect(scratch.names.count == 1 && scratch.names != ["a"])
        if !isDropped {
          writer.discard()
          #expect(scratch.names.isEmpty)
        }
      }
      #expect(scratch.names.isEmpty)
    }

    /// A limit on the size of files stands for a full disk, wherever in the film it fills: in a frame,
    /// in the trailer, or when an MP4's table is moved to the front.
    @Test func fullDiskIsAnErrorAndLeavesNothing() async {
      await #expect(processExitsWith: .success) {
        signal(SIGXFSZ, SIG_IGN)
        let scratch = ScratchFolder()
        let loop = TestLoop()
        for container in films {
          let path = scratch.file("a")
          do {
            try loop.film(container, path)
          } catch {
            preconditionFailure("\(error)")
          }
          let whole = contents(path)!.count
          unlink(path)
          for bytes in [100, whole / 2, whole - 1] {
            setFileLimit(bytes)
            let error = failure { () throws(StreamOutError) in try loop.film(container, path) }
            let expected = StreamOutError.system(.write, path: path, code: EFBIG)
            precondition(error == expected, "\(container), \(bytes) of \(whole): \(error as Any)")
            precondition(scratch.names.isEmpty, "\(container): \(scratch.names)")
          }
          setFileLimit(1 << 30)
        }
      }
    }

    @Test(
      .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
      arguments: films.filter(\.canBeEndless))
    func fullDeviceIsAnError(_ container: Container) {
      let loop = TestLoop()
      let error = failure { () throws(StreamOutError) in try loop.film(container, "/dev/full") }
      #expect(error == .system(.write, path: "/dev/full", code: ENOSPC))
    }

    // MARK: - Encoders

    private func failureOfOpening(_ encoding: Encoding) -> StreamOutError? {
      failure { () throws(StreamOutError) in
        for container in films {
          _ = try TestLoop(encoding: encoding).open(container, scratch.file("a"))
        }
      }
    }

    @Test(arguments: ["nonsense", "", "mpeg2video", "libx265", "h264"])
    func encoderThatIsNone(_ name: String) {
      guard case .noEncoder(name, let known)? = failureOfOpening(Encoding(encoder: name)) else {
        Issue.record("opened with \(name)")
        return
      }
      #expect(known.contains("libx264"))
      #expect(scratch.names.isEmpty)
    }

    @Test(.enabled(if: FilmEncoder.names.contains("h264_nvenc")))
    func optionThatTheEncoderLacks() {
      let encoding = Encoding(encoder: "h264_nvenc", rate: .quality(20))
      #expect(failureOfOpening(encoding) == .noEncoderOption("--crf", encoder: "h264_nvenc"))
      #expect(scratch.names.isEmpty)
    }

    @Test(
      .enabled(if: !FileManager.default.fileExists(atPath: "/dev/dri")),
      .enabled(if: !FileManager.default.fileExists(atPath: "/dev/nvidia0")),
      arguments: FilmEncoder.names.filter { ["h264_nvenc", "h264_qsv", "h264_vaapi"].contains($0) })
    func deviceThatIsMissing(_ name: String) {
      guard case .encoder(name, let detail)? = failureOfOpening(Encoding(encoder: name)) else {
        Issue.record("opened with \(name)")
        return
      }
      #expect(!detail.isEmpty && !detail.contains("\n"))
      #expect(scratch.names.isEmpty)
    }
  }

  private func setFileLimit(_ bytes: Int) {
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(1 << 30))
    #if canImport(Darwin)
      precondition(setrlimit(RLIMIT_FSIZE, &limit) == 0)
    #else
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    #endif
  }
#endif
