#if H264
  import Foundation
  import TestSupport
  import Testing

  /// Films that the real binary encodes, as ffmpeg and ffprobe find them.
  @Suite(.enabled(if: TestFilm.canBeRead)) struct FilmTests {
    private let scratch = ScratchFolder()

    private static let containers = ["h264", "mp4", "mkv", "ts", "fmp4", "flv"]
    /// Those that a pipe may carry for ever.
    private static let streams = ["h264", "mkv", "ts", "fmp4", "flv"]
    private static let period = 6

    /// A frame rate and a loop of six frames at it.
    struct Rate: CustomStringConvertible {
      let text: String
      let numerator, denominator: Int

      var arguments: [String] {
        let seconds = Double(FilmTests.period * denominator) / Double(numerator)
        return [
          "--size", "64x48", "--move", "sway", "--fps", text, "--length", "\(seconds)",
        ]
      }
      var framesPerSecond: Double { Double(numerator) / Double(denominator) }
      var description: String { text }
    }

    private static let rates = [
      Rate(text: "30", numerator: 30, denominator: 1),
      Rate(text: "30000/1001", numerator: 30000, denominator: 1001),
      Rate(text: "12.5", numerator: 25, denominator: 2),
    ]

    /// A hundred loops: every frame is there, begins when it should, and looks as in the first loop.
    private func check(_ film: TestFilm, _ container: String, _ rate: Rate) throws {
      let count = 100 * Self.period
      let tags = ["color_range", "color_space", "color_transfer", "color_primaries"]
      let stream = try film.stream(
        tags + ["chroma_location", "avg_frame_rate", "time_base", "codec_name"])
      #expect(stream["codec_name"] == "h264")
      #expect(tags.map { stream[$0] } == ["tv", "bt709", "bt709", "bt709"])
      #expect(stream["chroma_location"] == "left")
      let found = (stream["avg_frame_rate"] ?? "").split(separator: "/").compactMap { Double($0) }
      try #require(found.count == 2)
      if container == "flv" {
        // It has no rate but that of its milliseconds.
        #expect(abs(found[0] / found[1] / rate.framesPerSecond - 1) < 1e-4)
      } else {
        #expect(found == [Double(rate.numerator), Double(rate.denominator)])
      }

      let packets = try film.packets()
      #expect(packets.count == count)
      let keys = packets.indices.filter { packets[$0].isKey }
      #expect(keys == Array(stride(from: 0, to: count, by: Self.period)))
      if container != "h264" {
        let ticks = Double(
          try #require(stream["time_base"]?.split(separator: "/").last.flatMap { Int($0) }))
        let shown = try packets.map { try #require($0.pts) }.sorted()
        for (k, time) in shown.enumerated() {
          let exact = Double(k) / rate.framesPerSecond * ticks
          #expect(abs(Double(time - shown[0]) - exact) < 0.5001, "frame \(k) is at \(time)")
        }
        // Matroska has no times of decoding: readers make them up, but for the first ones.
        let decoded = packets.compactMap(\.dts)
        #expect(decoded.count >= count - 2)
        #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 })
      }

      let pictures = try film.pictures()
      #expect(pictures.count == count)
      #expect(Set(pictures.prefix(Self.period)).count > 2)
      for k in pictures.indices where pictures[k] != pictures[k % Self.period] {
        Issue.record("frame \(k) differs from that of the first loop")
        break
      }
    }

    @Test(arguments: containers, rates)
    func hundredLoopsInAFile(_ container: String, _ rate: Rate) throws {
      let path = scratch.file("a.\(container)")
      let run = try Child(rate.arguments + ["--loops", "100", "-o", path]).result()
      try #require(run.ending == .exit(0) && run.error == "", "\(run.error)")
      #expect(scratch.names == ["a.\(container)"])
      try check(TestFilm(path), container, rate)
    }

    /// What a pipe gets, whether the end is known or not.
    @Test(arguments: containers)
    func hundredLoopsThroughAPipe(_ container: String) throws {
      let rate = Self.rates[1]
      let run = try Child(rate.arguments + ["--format", container, "--loops", "100"]).result()
      try #require(run.ending == .exit(0) && run.error == "", "\(run.error)")
      let film = TestFilm(scratch.file("a.\(container)"))
      try Data(run.output).write(to: URL(fileURLWithPath: film.path))
      try check(film, container, rate)

      let endless = try Child(rate.arguments + ["--format", container, "--endless"])
      // The last bytes of the other are its trailer's.
      let wanted = run.output.count * 9 / 10
      #expect(endless.read(wanted) == Array(run.output.prefix(wanted)))
      endless.closeOutput()
      #expect(endless.wait() == .exit(0))
      #expect(endless.errorAtEnd() == "")
    }

    /// A stream that begins in the middle of a loop, and has some frames of one at its end.
    @Test(arguments: containers)
    func anyPartOfTheLoop(_ container: String) throws {
      let rate = Self.rates[0]
      let path = scratch.file("a.\(container)")
      let run = try Child(
        rate.arguments + ["--start", "4", "--frames", "26", "-o", path]
      ).result()
      try #require(run.ending == .exit(0) && run.error == "", "\(run.error)")
      let film = TestFilm(path)
      let packets = try film.packets()
      // Where a loop begins, and where the first frames are repeated.
      let keys = packets.indices.filter { packets[$0].isKey }
      #expect(keys == [0, 2, 6, 8, 12, 14, 18, 20, 24])
      let shown = packets.compactMap(\.pts).sorted()
      if container != "h264" { #expect(Set(shown).count == 26) }
      let pictures = try film.pictures()
      try #require(pictures.count == 26)
      for k in 6..<24 { #expect(pictures[k] == pictures[k - 6], "frame \(k)") }
    }

    @Test(arguments: containers)
    func sameBytesWhateverDrawsThem(_ container: String) throws {
      let films = try [1, 3, 3].enumerated().map { number, threads in
        let path = scratch.file("\(number).\(container)")
        let run = try Child(
          Self.rates[1].arguments + ["--loops", "3", "--threads", "\(threads)", "-o", path]
        ).result()
        #expect(run.ending == .exit(0), "\(run.error)")
        return try #require(contents(path))
      }
      #expect(films[0] == films[1] && films[1] == films[2])
    }

    /// At a quality of 12 the frames are nearly those that were drawn.
    @Test func picturesAreNearThoseDrawn() throws {
      let run = try Command.shell(
        #"""
        cd '\#(scratch.path)' && film="$0 --size 640x360 --length 0.5" &&
          $film --crf 12 -o a.mp4 && $film --matrix bt709 -o a.y4m &&
          ffmpeg -nostdin -v info -i a.mp4 -colorspace bt709 -i a.y4m -lavfi psnr -f null - 2>&1 |
            grep -o 'average:[0-9.]*'
        """#)
      let decibels = try #require(
        run.text.split(separator: ":").last.flatMap {
          Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
        })
      #expect(decibels >= 45)
    }

    @Test(arguments: streams, [false, true])
    func readerMayLeave(_ container: String, _ isEndless: Bool) throws {
      let length = isEndless ? ["--endless"] : ["--loops", "10000000"]
      let child = try Child(Self.rates[0].arguments + length + ["--format", container])
      #expect(child.read(10_000).count == 10_000)
      child.closeOutput()
      #expect(child.wait() == .exit(isEndless ? 0 : 141))
      #expect(child.errorAtEnd() == "")
    }

    /// An MP4 in fragments where there is no going back, whatever it is called.
    @Test(arguments: [false, true])
    func mp4ThroughAPipeIsInFragments(_ isNamed: Bool) throws {
      let bytes: [UInt8]
      if isNamed {
        let path = scratch.file("a.mp4")
        try #require(mkfifo(path, 0o600) == 0)
        let child = try Child(Self.rates[0].arguments + ["-o", path])
        // Opened without waiting, should the command have given up.
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        #expect(eventually { !child.isRunning })
        bytes = Array(
          FileHandle(fileDescriptor: reader, closeOnDealloc: true).readDataToEndOfFile())
        #expect(child.wait() == .exit(0))
        #expect(scratch.names == ["a.mp4"])
      } else {
        bytes = try Child(Self.rates[0].arguments + ["--format", "mp4"]).result().output
      }
      let boxes = topBoxes(bytes)
      #expect(Array(boxes.prefix(4)) == ["ftyp", "moov", "moof", "mdat"])
    }

    @Test func mp4InAFileBeginsWithItsTable() throws {
      let path = scratch.file("a.mp4")
      let run = try Child(Self.rates[0].arguments + ["-o", path]).result()
      #expect(run.ending == .exit(0))
      let boxes = topBoxes(try #require(contents(path))).filter { $0 != "free" }
      #expect(boxes == ["ftyp", "moov", "mdat"])
    }

    /// The names of the boxes that an MP4 consists of.
    private func topBoxes(_ bytes: [UInt8]) -> [String] {
      var names: [String] = []
      var rest = bytes[...]
      while rest.count >= 8 {
        let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        names.append(String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self))
        rest = rest.dropFirst(max(size, 8))
      }
      return names
    }

    // MARK: - Signals and full disks

    /// In the first loop, when frames are being encoded, and in later ones.
    @Test(arguments: [SIGINT, SIGTERM], [("600", 600), ("12", 12)])
    func signalLeavesAFilmOfWholeFrames(
      _ signal: Int32, _ loop: (name: String, period: Int)
    ) throws {
      let path = scratch.file("a.mp4")
      let told = ScratchFolder()
      let progress = told.file("progress")
      try Data().write(to: URL(fileURLWithPath: progress))
      let child = try Child(
        [
          "--size", "64x48", "--move", "sway", "--length", "\(Double(loop.period) / 30)",
          "--loops", "\(1200 / loop.period)", "--realtime", "-q", "--progress", "json", "-o", path,
        ], error: .path(progress))
      // More than one of the shorter loops.
      #expect(
        eventually {
          String(decoding: contents(progress) ?? [], as: UTF8.self).split(separator: "\n")
            .contains { line in
              let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
              return ((object as? [String: Any])?["frame"] as? Int ?? 0) > 12
            }
        })
      child.send(signal)
      #expect(child.wait() == .signal(signal))
      #expect(scratch.names == ["a.mp4"])
      let film = TestFilm(path)
      let shown = try film.packets().compactMap(\.pts).sorted()
      #expect(shown.count > 12 && shown.count < 600)
      #expect(shown == Array(0..<Int64(shown.count)))
      let pictures = try film.pictures()
      #expect(pictures.count == shown.count)
      if loop.period == 12 {
        #expect(pictures.indices.allSatisfy { pictures[$0] == pictures[$0 % 12] })
      }
    }

    /// A small disk of its own.
    private static let canMount =
      hasProgram("unshare")
      && (try? Command.shell("unshare -rm mount -t tmpfs -o size=64k none /mnt"))?.ending
        == .exit(0)

    @Test(.enabled(if: canMount, "no small disk can be mounted"), arguments: containers)
    func fullDiskIsOneLineAndLeavesNothing(_ container: String) throws {
      let run = try Command.shell(
        #"""
        unshare -rm bash -c 'mount -t tmpfs -o size=128k none "$1" && cd "$1" || exit 9
          "$0" --size 320x180 --crf 4 --length 1 --loops 20 -o a.\#(container)
          echo $? $(ls -A)' "$0" '\#(scratch.path)'
        """#)
      #expect(run.text == "1\n", "\(run.text)")
      #expect(run.errorLines.count == 1, "\(run.error)")
      #expect(run.error.contains("a.\(container): cannot be written: no space left on device"))
    }

    // MARK: - What cannot be

    struct Refusal: CustomStringConvertible {
      let arguments: [String]
      let status: Int32
      let word: String
      var description: String { arguments.joined(separator: " ") }
    }

    private static let refusals = [
      Refusal(arguments: ["--encoder", "nonsense", "-o", "a.mp4"], status: 2, word: "libx264"),
      Refusal(arguments: ["--size", "1x100", "-o", "a.mp4"], status: 2, word: "1x100"),
      Refusal(arguments: ["--endless", "-o", "a.mp4"], status: 2, word: "--loops"),
      Refusal(
        arguments: ["--format", "y4m", "-o", "udp://127.0.0.1:9"], status: 2,
        word: "mkv, ts, fmp4 or flv"),
      Refusal(arguments: ["-o", "udp://127.0.0.1:99999"], status: 2, word: "99999"),
      Refusal(arguments: ["-o", "udp://[::1]:0?ttl=2"], status: 2, word: "\"0\""),
      Refusal(arguments: ["-o", "nonsense://127.0.0.1:9"], status: 2, word: "udp, tcp"),
      // What libavformat would replace without being asked.
      Refusal(
        arguments: ["--format", "ts", "-o", "file://there.mp4"], status: 2, word: "a file's name"),
      Refusal(
        arguments: ["--crf", "20", "--bitrate", "1M", "-o", "a.mp4"], status: 2, word: "--crf"),
      Refusal(arguments: ["--crf", "20", "-o", "a.y4m"], status: 2, word: "--crf"),
      Refusal(arguments: ["--matrix", "bt601", "-o", "a.mp4"], status: 2, word: "--matrix"),
      Refusal(arguments: ["-o", "missing/a.mp4"], status: 1, word: "missing/a.mp4"),
      Refusal(arguments: ["-o", "there.mp4"], status: 1, word: "-y"),
    ]

    @Test(arguments: refusals)
    func refusalIsOneLine(_ refusal: Refusal) throws {
      try "old".write(toFile: scratch.file("there.mp4"), atomically: false, encoding: .utf8)
      let run = try Child(
        program: "/bin/bash",
        ["-c", #"cd "$1" && shift && exec "$0" "$@""#, Command.path, scratch.path]
          + ["--size", "64x48", "--frames", "3"].filter { _ in refusal.status == 1 }
          + refusal.arguments
      ).result()
      #expect(run.ending == .exit(refusal.status))
      #expect(run.errorLines.count == 1 && run.error.contains(refusal.word), "\(run.error)")
      #expect(scratch.names == ["there.mp4"])
      #expect(contents(scratch.file("there.mp4")) == Array("old".utf8))
    }

    private static let hasDevice = ["/dev/dri", "/dev/nvidia0"].contains {
      FileManager.default.fileExists(atPath: $0)
    }

    @Test(.enabled(if: !hasDevice), arguments: ["h264_nvenc", "h264_vaapi", "h264_qsv"])
    func missingDeviceIsOneLine(_ encoder: String) throws {
      let run = try Command.run(
        "--size", "64x48", "--frames", "3", "--encoder", encoder, "-o", scratch.file("a.mp4"))
      // Some libavcodecs have not even the encoder.
      #expect([.exit(1), .exit(2)].contains(run.ending))
      #expect(run.errorLines.count == 1 && run.error.contains(encoder), "\(run.error)")
      #expect(scratch.names.isEmpty)
    }

    @Test func oddSizeIsSaidAndCut() throws {
      let path = scratch.file("a.mp4")
      let run = try Command.run("--size", "65x49", "--frames", "3", "-o", path)
      #expect(run.ending == .exit(0))
      #expect(run.errorLines.count == 1 && run.error.contains("64x48 of 65x49"), "\(run.error)")
      #expect(try TestFilm(path).stream(["width", "height"]) == ["width": "64", "height": "48"])
    }

    @Test func overwritingReplacesTheWholeFile() throws {
      let path = scratch.file("a.mp4")
      try Data(repeating: 1, count: 1_000_000).write(to: URL(fileURLWithPath: path))
      let run = try Child(Self.rates[0].arguments + ["-y", "-o", path]).result()
      #expect(run.ending == .exit(0) && run.error == "")
      #expect(try TestFilm(path).pictures().count == Self.period)
      #expect(scratch.names == ["a.mp4"])
    }
  }
#endif
