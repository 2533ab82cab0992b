internal import MotionCore
internal import StreamOut

/// What a consumer has to be told of a film.
struct Film {
  /// The command that makes it, word by word, its name first.
  let command: [String]
  let container: Container
  let format: VideoFormat
  let isEndless: Bool

  init(command: [String], container: Container, format: VideoFormat, isEndless: Bool) {
    (self.command, self.container, self.format) = (command, container, format)
    self.isEndless = isEndless
  }

  /// Whether its command says how long it is.
  var saysLength: Bool {
    command.contains { word in
      let name = word.prefix { $0 != "=" }
      return Option.named(String(name)).map { $0.answers.contains(.length) } ?? false
    }
  }

  init(_ plan: Plan) {
    self.init(
      command: [Arguments.command] + plan.settings.filmArguments, container: plan.container,
      format: plan.format, isEndless: plan.frames.count == nil)
  }
}

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
  private let line: @Sendable (Film) -> String

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
        return words(film, adding: ["-o", "film.y4m"])
          + " && printf \(shellQuoted(script)) >film.vpy"
          + " && vspipe --info film.vpy"
      }),
  ]

  static func named(_ name: String) -> Consumer? { all.first { $0.name == name } }

  static func == (a: Consumer, b: Consumer) -> Bool { a.name == b.name }
}

private let anySide = 1...VideoFormat.maximumSide

/// Why a consumer would not take a film for what it is.
struct ConsumerError: Error {
  enum Reason {
    case pixels(PixelFormat, Container)
    case premultiplied
    case range(PixelFormat, ColorRange)
    case siting(ChromaSiting)
    case size(Size)
    case endless
  }
  let consumer: Consumer
  /// The first of the reasons, in the order above.
  let reason: Reason
  /// The options to be given beside, or instead, for a film that it takes.
  let use: [String]
}

extension Consumer {
  /// The line for a shell that makes the film and has it read, each word quoted where it needs to be.
  func commandLine(for film: Film) throws(ConsumerError) -> String {
    if let error = refusal(of: film) { throw error }
    return line(film)
  }

  private func refusal(of film: Film) -> ConsumerError? {
    let format = film.format
    var reasons: [ConsumerError.Reason] = []
    var use: [String] = []
    let (pixels, container) = nearest(to: film)
    if pixels != format.pixelFormat || container.name != film.container.name {
      reasons.append(.pixels(format.pixelFormat, film.container))
      if container.name != film.container.name { use += ["--format", container.name] }
      if pixels != format.pixelFormat { use += ["--pix-fmt", pixels.name] }
      // Without alpha there is no subject alone.
      if format.alpha != .opaque, !pixels.hasAlpha { use += ["--layer", "all"] }
    }
    if format.alpha == .premultiplied, pixels.hasAlpha {
      reasons.append(.premultiplied)
      use += ["--alpha", "straight"]
    }
    let ranges = ranges(pixels)
    if !ranges.contains(format.range) {
      reasons.append(.range(pixels, format.range))
      use += ["--range", ranges[0].rawValue]
    }
    if pixels.hasSiting, !sitings.contains(format.siting) {
      reasons.append(.siting(format.siting))
      use += ["--chroma-siting", sitings[0].rawValue]
    }
    let size = nearest(to: format.size, of: pixels, container)
    if size != format.size {
      reasons.append(.size(format.size))
      use += ["--size", "\(size)"]
    }
    if film.isEndless && !takesEndless {
      reasons.append(.endless)
      use += ["--loops", "1"]
    }
    return reasons.first.map { ConsumerError(consumer: self, reason: $0, use: use) }
  }

  /// The film's pixel format and container where the consumer reads them, else what is most like
  /// them: the pixel format in another container, then one with as many bits, then any; with alpha
  /// first where the subject is alone.
  private func nearest(to film: Film) -> (PixelFormat, Container) {
    let (wanted, said) = (film.format.pixelFormat, film.format.siting)
    let siting = sitings.contains(said) ? said : sitings[0]
    let transparent = PixelFormat.all.filter { $0.hasAlpha && film.format.alpha != .opaque }
    let formats =
      [wanted] + transparent + PixelFormat.all.filter { $0.bitDepth == wanted.bitDepth }
      + PixelFormat.all
    // A picture is no stream, and what is encoded is no stream of frames.
    let containers = ([film.container] + Container.all).filter { !$0.isStill && !$0.isEncoded }
    for format in formats where said == .mpeg2 || format.hasSiting {
      for container in containers
      where container.canCarry(format, siting) && reads(format, container) {
        return (format, container)
      }
    }
    preconditionFailure("\(name) reads nothing that is sited as \(said)")
  }

  /// The size itself where the consumer takes it, else the nearest below; both sides scaled together
  /// where one is out of bounds.
  private func nearest(
    to size: Size, of pixelFormat: PixelFormat, _ container: Container
  ) -> Size {
    let sides = sides(container)
    let shortSide = min(size.width, size.height)
    let scale =
      shortSide < sides.lowerBound
      ? Double(sides.lowerBound) / Double(shortSide)
      : min(1, Double(sides.upperBound) / Double(size.longSide))
    func side(_ length: Int, _ shifts: [Int]) -> Int {
      let step = wantsWholeChroma ? 1 << (shifts.max() ?? 0) : 1
      let steps = Double(length) * scale / Double(step)
      let whole = Int(steps.rounded(scale == 1 ? .down : .toNearestOrAwayFromZero)) * step
      let clamped = min(max(whole, sides.lowerBound), sides.upperBound)
      return max(clamped / step * step, step)
    }
    return Size(
      width: side(size.width, pixelFormat.planes.map { $0.shiftX }),
      height: side(size.height, pixelFormat.planes.map { $0.shiftY }))
  }
}

// MARK: - What consumers call things

/// Names of a matrix.
private struct MatrixWords {
  /// In ITU-T H.273.
  let h273: Int
  /// ffmpeg's and x264's.
  let ffmpeg: String
  let mpv: String
  let gstreamer: Int
  let rav1e: String
}

extension ColorMatrix {
  fileprivate var words: MatrixWords {
    switch self {
    case .bt709: MatrixWords(h273: 1, ffmpeg: "bt709", mpv: "bt.709", gstreamer: 3, rav1e: "BT709")
    case .bt601:
      MatrixWords(h273: 6, ffmpeg: "smpte170m", mpv: "bt.601", gstreamer: 4, rav1e: "BT601")
    }
  }
}

/// Names of a place of chroma.
private struct SitingWords {
  /// In ITU-T H.264.
  let h264: Int
  let ffmpeg: String
  let mpv: String
  let gstreamer: String
  /// Nil where SVT-AV1, as AV1, has none.
  let svt: String?
  /// Across and down, in 256ths of a pixel of luma, by swscale.
  let offset: (across: Int, down: Int)
}

extension ChromaSiting {
  fileprivate var words: SitingWords {
    switch self {
    case .mpeg2:
      SitingWords(
        h264: 0, ffmpeg: "left", mpv: "mpeg2/4/h264", gstreamer: "mpeg2", svt: "left",
        offset: (0, 128))
    case .jpeg:
      SitingWords(
        h264: 1, ffmpeg: "center", mpv: "mpeg1/jpeg", gstreamer: "jpeg", svt: nil,
        offset: (128, 128))
    case .paldv:
      SitingWords(
        h264: 2, ffmpeg: "topleft", mpv: "uhd", gstreamer: "cosited", svt: "topleft",
        offset: (0, 0))
    }
  }
}

extension Container {
  /// Whether nothing says what the frames are. Other streams are Y4M.
  fileprivate var isRaw: Bool { name == "raw" }
}

// MARK: - ffmpeg

/// ffmpeg 5.1 takes grey for full range, whatever is said of it.
private let ffmpegRanges: @Sendable (PixelFormat) -> [ColorRange] = {
  $0.isGrey ? [.full] : ColorRange.allCases
}

/// The decoder's own words for what Y4M does not say, and for all that a raw stream does not.
private func ffmpegInput(_ film: Film) -> [String] {
  let format = film.format
  let colours = ffmpegColours(format)
  if !film.container.isRaw { return ["-f", "yuv4mpegpipe"] + colours + ["-i", "-"] }
  let range = ["-color_range", format.range == .full ? "pc" : "tv"]
  let siting =
    format.pixelFormat.hasSiting ? ["-chroma_sample_location", format.siting.words.ffmpeg] : []
  return [
    "-f", "rawvideo", "-pixel_format", format.pixelFormat.name, "-video_size", "\(format.size)",
    "-framerate", "\(format.rate)",
  ] + (format.pixelFormat.isRGB ? [] : range + colours + siting) + ["-i", "-"]
}

private func ffmpegColours(_ format: VideoFormat) -> [String] {
  format.pixelFormat.isRGB || format.pixelFormat.isGrey
    ? [] : ["-colorspace", format.matrix.words.ffmpeg]
}

/// A film as players take it: limited range, H.264's pixel formats, and ProRes where there is alpha.
private func ffmpegFilm(_ film: Film) -> [String] {
  let format = film.format
  if format.pixelFormat.hasAlpha {
    let codec = ["-c:v", "prores_ks", "-profile:v", "4444"]
    return codec + ffmpegPixels(format, as: "yuva444p10le") + ["film.mov"]
  }
  let codec =
    ["-c:v", "libx264", "-crf", "18"] + ffmpegPixels(format, as: h264Pixels(format))
  return codec + (film.isEndless ? ["film.mkv"] : ["-movflags", "+faststart", "film.mp4"])
}

private let obsAddress = "udp://127.0.0.1:5000"

private func ffmpegService(_ film: Film) -> [String] {
  let format = film.format
  let everySecond = "\(max(1, Int(format.rate.framesPerSecond.rounded())))"
  return ["-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-g", everySecond]
    + ffmpegPixels(format, as: h264Pixels(format))
    + ["-f", "mpegts", "\(obsAddress)?pkt_size=1316"]
}

/// H.264 has no 12 bits here, and no odd sides where chroma is halved.
private func h264Pixels(_ format: VideoFormat) -> String {
  let pixels = format.pixelFormat
  let shifts = pixels.planes.last.map { ($0.shiftX, $0.shiftY) } ?? (0, 0)
  let (isOddWide, isOddHigh) = (format.size.width % 2 == 1, format.size.height % 2 == 1)
  let chroma =
    switch shifts {
    case (1, 0): isOddWide ? "444" : "422"
    case (0, 0) where !pixels.isRGB && !pixels.isGrey: "444"
    default: isOddWide || isOddHigh ? "444" : "420"
    }
  return "yuv\(chroma)p" + (pixels.bitDepth > 8 ? "10le" : "")
}

/// What the frames are turned into and how the film is tagged.
private func ffmpegPixels(_ format: VideoFormat, as pixels: String) -> [String] {
  let matrix = format.matrix.rawValue
  var scale: [String] = []
  if format.pixelFormat.isRGB || format.pixelFormat.isGrey {
    scale = ["out_color_matrix=\(matrix)", "out_range=tv"]
  } else if format.range == .full {
    scale = [
      "in_color_matrix=\(matrix)", "out_color_matrix=\(matrix)", "in_range=pc", "out_range=tv",
    ]
  }
  if format.pixelFormat.hasSiting, PixelFormat.named(pixels)?.hasSiting != true {
    let offset = format.siting.words.offset
    scale += ["in_h_chr_pos=\(offset.across)", "in_v_chr_pos=\(offset.down)"]
  }
  return (scale.isEmpty ? [] : ["-vf", "scale=" + scale.joined(separator: ":")]) + [
    "-pix_fmt", pixels, "-color_primaries", "bt709", "-color_trc", "bt709",
    "-colorspace", format.matrix.words.ffmpeg, "-color_range", "tv",
  ]
}

// MARK: - mpv

private func mpvOptions(_ film: Film) -> [String] {
  let format = film.format
  let pixels = format.pixelFormat
  var options: [String] = []
  var said: [String] = []
  if !pixels.isRGB {
    if format.matrix != .assumed(for: format.size), !pixels.isGrey {
      said.append("colormatrix=" + format.matrix.words.mpv)
    }
    // Y4M says its range itself, but mpv does not believe it of grey.
    if film.container.isRaw && format.range == .full || pixels.isGrey {
      said.append("colorlevels=\(format.range.rawValue)")
    }
    // Where nothing says it, it goes by the range. Y4M says it of 8 bits.
    let assumed: ChromaSiting = format.range == .full ? .jpeg : .mpeg2
    if pixels.hasSiting, film.container.isRaw || pixels.bitDepth > 8, format.siting != assumed {
      said.append("chroma-location=" + format.siting.words.mpv)
    }
  }
  if film.container.isRaw {
    let rate = format.rate
    options = [
      "--demuxer=rawvideo", "--demuxer-rawvideo-w=\(format.size.width)",
      "--demuxer-rawvideo-h=\(format.size.height)",
      // A float there.
      "--demuxer-rawvideo-fps=\(rate.denominator == 1 ? "\(rate.numerator)" : "\(Float(rate.framesPerSecond))")",
      // Names are the machine's own byte order.
      "--demuxer-rawvideo-mp-format="
        + (pixels.name.hasSuffix("le") ? String(pixels.name.dropLast(2)) : pixels.name),
      "--demuxer-rawvideo-size=\(format.frameBytes)",
    ]
  }
  return options + (said.isEmpty ? [] : ["--vf=format=" + said.joined(separator: ":")])
}

// MARK: - GStreamer

/// Pixel formats by what GStreamer's `rawvideoparse` calls them.
private let gstreamerNames = [
  "yuv420p": "i420", "yuv422p": "y42b", "yuv444p": "y444", "gray": "gray8",
  "yuv420p10le": "i420-10le", "yuv422p10le": "i422-10le", "yuv444p10le": "y444-10le",
  "yuv420p12le": "i420-12le", "yuv422p12le": "i422-12le", "yuv444p12le": "y444-12le",
  "nv12": "nv12", "p010le": "p010-10le", "rgb24": "rgb", "bgr24": "bgr", "rgba": "rgba",
  "bgra": "bgra", "rgb0": "rgbx", "bgr0": "bgrx", "gbrp": "gbr",
]

/// Of Y4M, GStreamer 1.22 takes grey and more than 8 bits for something else.
private func gstreamerReads(_ format: PixelFormat, _ container: Container) -> Bool {
  container.isRaw
    ? gstreamerNames[format.name] != nil : format.bitDepth == 8 && !format.isGrey
}

private func gstreamerElements(_ film: Film) -> [String] {
  let format = film.format
  let pixels = format.pixelFormat
  var elements = ["!", "y4mdec"]
  if film.container.isRaw {
    elements = [
      "!", "rawvideoparse", "format=\(gstreamerNames[pixels.name] ?? "")",
      "width=\(format.size.width)", "height=\(format.size.height)", "framerate=\(format.rate)",
    ]
    // It would pad rows to four bytes, and planes to even heights.
    let rows = pixels.planes.map { plane in
      plane.size(in: format.size).width * plane.components.count * pixels.codeBytes
    }
    if rows.contains(where: { $0 % 4 != 0 }) || format.size.height % 2 == 1 {
      var (offset, offsets) = (0, [Int]())
      for plane in pixels.planes {
        offsets.append(offset)
        offset += pixels.byteCount(plane, format.size)
      }
      elements += [
        "plane-strides=\(gstreamerList(rows))", "plane-offsets=\(gstreamerList(offsets))",
        "frame-size=\(format.frameBytes)",
      ]
    }
  }
  if !pixels.isRGB {
    // What it takes Y'CbCr to be goes by the height alone, whatever Y4M says, and from 2160 on by
    // its version.
    let assumed: (ColorMatrix, ChromaSiting)? =
      format.size.height > 576
      ? format.size.height < 2160 ? (.bt709, .mpeg2) : nil : (.bt601, .jpeg)
    let isAssumed = format.matrix == assumed?.0 && format.range == .limited
    var caps = "video/x-raw"
    if !isAssumed || pixels.isGrey { caps += ",colorimetry=\(gstreamerColorimetry(format))" }
    if pixels.hasSiting, format.siting != assumed?.1 {
      caps += ",chroma-site=" + format.siting.words.gstreamer
    }
    if caps != "video/x-raw" { elements += ["!", "capssetter", "caps=\(caps)"] }
  }
  return elements + ["!", "videoconvert", "!", "autovideosink"]
}

private func gstreamerList(_ numbers: [Int]) -> String {
  "<" + numbers.map(String.init).joined(separator: ",") + ">"
}

/// Range, matrix, transfer function and primaries by GStreamer's numbers; the last two are BT.709's.
private func gstreamerColorimetry(_ format: VideoFormat) -> String {
  "\(format.range == .full ? 1 : 2):\(format.matrix.words.gstreamer):5:1"
}

// MARK: - Encoders

/// Pixel formats by what x264 calls them, and as what it encodes them. It would turn R'G'B' into
/// BT.601 whatever it is told.
private let x264Names = [
  "yuv420p": ("i420", "i420"), "yuv422p": ("i422", "i422"), "yuv444p": ("i444", "i444"),
  "yuv420p10le": ("i420", "i420"), "yuv422p10le": ("i422", "i422"),
  "yuv444p10le": ("i444", "i444"), "yuv420p12le": ("i420", "i420"),
  "yuv422p12le": ("i422", "i422"), "yuv444p12le": ("i444", "i444"), "gray": ("i400", "i400"),
  "gray10le": ("i400", "i400"), "gray12le": ("i400", "i400"), "nv12": ("nv12", "i420"),
]

private func x264Options(_ film: Film) -> [String] {
  let format = film.format
  let (input, output) = x264Names[format.pixelFormat.name]!
  let range = format.range == .full ? "pc" : "tv"
  var options = ["--demuxer", "y4m"]
  if film.container.isRaw {
    options = [
      "--demuxer", "raw", "--input-csp", input, "--input-depth", "\(format.pixelFormat.bitDepth)",
      "--input-res", "\(format.size)", "--fps", "\(format.rate)",
    ]
  }
  return options + [
    "--input-range", range, "--range", range, "--output-csp", output,
    "--output-depth", format.pixelFormat.bitDepth > 8 ? "10" : "8", "--crf", "18",
    "--colorprim", "bt709", "--transfer", "bt709",
    "--colormatrix", format.matrix.words.ffmpeg,
  ] + (format.pixelFormat.hasSiting ? ["--chromaloc", "\(format.siting.words.h264)"] : [])
}

private func svtOptions(_ film: Film) -> [String] {
  let format = film.format
  return [
    "-i", "stdin", "--input-depth", "\(format.pixelFormat.bitDepth)", "--crf", "30",
    "--color-primaries", "1", "--transfer-characteristics", "1",
    "--matrix-coefficients", "\(format.matrix.words.h273)",
    "--color-range", format.range == .full ? "1" : "0",
    "--chroma-sample-position", format.siting.words.svt!, "-b", "film.ivf",
  ]
}

private func rav1eOptions(_ film: Film) -> [String] {
  let format = film.format
  return [
    "--quantizer", "80", "--primaries", "BT709", "--transfer", "BT709",
    "--matrix", format.matrix.words.rav1e,
    "--range", format.range == .full ? "Full" : "Limited", "--output", "film.ivf",
  ]
}

// MARK: - Words

/// The command that makes the film, with options more. They go in front: behind `--` they would be
/// a photo's name.
private func words(_ film: Film, adding options: [String] = []) -> String {
  ([film.command[0]] + options + film.command.dropFirst()).map(shellQuoted).joined(separator: " ")
}

private func piped(_ film: Film, adding options: [String] = [], _ reader: [String]) -> String {
  words(film, adding: options) + " | " + reader.map(shellQuoted).joined(separator: " ")
}

extension PixelFormat {
  /// Whether its pixels are R'G'B'.
  fileprivate var isRGB: Bool { planes.contains { $0.components.contains(.red) } }
}
