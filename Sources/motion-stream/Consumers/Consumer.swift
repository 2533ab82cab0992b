internal import MotionCore
internal import StreamOut

/// A program that reads the stream: a row of the table below.
struct Consumer: Sendable, Equatable {
  /// The name `--print-consumer` knows it by.
  let name: String
  /// What it is called in sentences.
  let title: String
  /// What its line does.
  let summary: String
  /// Whether it reads pixels in a container as what they are.
  let reads: @Sendable (PixelFormat, Container) -> Bool
  /// The ranges it takes pixels of a format for.
  let ranges: @Sendable (PixelFormat) -> [ColorRange]
  /// The places it takes the chroma of 4:2:0 to be at.
  let sitings: [ChromaSiting]
  /// Lengths of a side that it takes in a container.
  let sides: @Sendable (Container) -> ClosedRange<Int>
  /// Whether sites of chroma must fill the picture: no odd sides for 4:2:0.
  let wantsWholeChroma: Bool
  let takesEndless: Bool
  /// What the line leaves to be done by hand.
  let hint: String?
  /// The line for a shell, of a film that it takes.
  let line: @Sendable (Film) -> String

  private init(
    _ name: String, _ title: String, _ summary: String,
    reads: @escaping @Sendable (PixelFormat, Container) -> Bool = { _, _ in true },
    ranges: @escaping @Sendable (PixelFormat) -> [ColorRange] = { _ in ColorRange.allCases },
    sitings: [ChromaSiting] = ChromaSiting.allCases,
    sides: @escaping @Sendable (Container) -> ClosedRange<Int> = { _ in anySide },
    wholeChroma: Bool = false,
    endless: Bool = true, hint: String? = nil, line: @escaping @Sendable (Film) -> String
  ) {
    (self.name, self.title, self.summary) = (name, title, summary)
    (self.reads, self.ranges, self.sitings, self.sides) = (reads, ranges, sitings, sides)
    (wantsWholeChroma, takesEndless) = (wholeChroma, endless)
    (self.hint, self.line) = (hint, line)
  }

  /// THE TABLE of consumers: a new one is a new row.
  static let all: [Consumer] = [
    Consumer(
      "ffmpeg", "ffmpeg", "encode a film that players take", ranges: ffmpegRanges,
      line: { film in
        piped(film, ["ffmpeg"] + ffmpegInput(film) + ffmpegFilm(film))
      }),
    Consumer(
      "mpv", "mpv", "play it", sides: { $0.isRaw ? 1...8192 : anySide },
      line: { film in
        piped(film, ["mpv"] + mpvOptions(film) + ["-"])
      }),
    Consumer(
      "gst", "GStreamer", "show it in a window", reads: { gstreamerReads($0, $1) },
      line: { film in
        piped(film, ["gst-launch-1.0", "fdsrc"] + gstreamerElements(film))
      }),
    Consumer(
      "x264", "x264", "encode H.264", reads: { format, _ in x264Names[format.name] != nil },
      wholeChroma: true,
      line: { film in piped(film, ["x264"] + x264Options(film) + ["-o", "film.mkv", "-"]) }),
    Consumer(
      "svt-av1", "SVT-AV1", "encode AV1",
      reads: { ["yuv420p", "yuv420p10le"].contains($0.name) && !$1.isRaw },
      sitings: ChromaSiting.allCases.filter { $0.words.svt != nil }, sides: { _ in 64...8704 },
      wholeChroma: true,
      line: { film in piped(film, ["SvtAv1EncApp"] + svtOptions(film)) }),
    Consumer(
      // Of more bits it takes the chroma of 4:2:0 for placed otherwise.
      "rav1e", "rav1e", "encode AV1",
      reads: { !$1.isRaw && !$0.isGrey && !($0.hasSiting && $0.bitDepth > 8) },
      // It has no word for it, and of Y4M's it knows but one.
      sitings: [.mpeg2], sides: { _ in 16...VideoFormat.maximumSide },
      line: { film in piped(film, ["rav1e", "-"] + rav1eOptions(film)) }),
    Consumer(
      "obs", "OBS", "serve it to OBS on this machine", reads: { pixels, _ in !pixels.hasAlpha },
      ranges: ffmpegRanges,
      hint: "in OBS add a Media Source without Local File, with the input \(obsAddress) and the "
        + "input format mpegts",
      line: { film in
        let isPaced = film.command.contains("--realtime")
        return piped(
          film,
          adding: (isPaced ? [] : ["--realtime"]) + (film.saysLength ? [] : ["--endless"]),
          ["ffmpeg"] + ffmpegInput(film) + ffmpegService(film))
      }),
    // Its sources seek, so there has to be a file.
    Consumer(
      "vapoursynth", "VapourSynth", "write a file, and a script that reads it with BestSource",
      reads: { !$1.isRaw && !$0.isGrey }, endless: false,
      line: { film in
        let script =
          "import vapoursynth as vs\\n"
          + "clip = vs.core.bs.VideoSource(\"film.y4m\")\\n"
          + "vs.core.std.SetFrameProps(clip, _Matrix=\(film.format.matrix.words.h273)).set_output()\\n"
        return commandWords(film, adding: ["-o", "film.y4m"])
          + " && printf \(shellQuoted(script)) >film.vpy"
          + " && vspipe --info film.vpy"
      }),
  ]

  static func named(_ name: String) -> Consumer? { all.first { $0.name == name } }

  static func == (a: Consumer, b: Consumer) -> Bool { a.name == b.name }
}

let anySide = 1...VideoFormat.maximumSide
