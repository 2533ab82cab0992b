internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// One option of the command: a row of the table below. Help, parsing and suggestions follow from
/// it.
struct Option: Sendable {
  /// Long name first.
  let names: [String]
  /// What stands for the value in the help; nil for a flag.
  let value: String?
  /// The values it takes, where they can be listed.
  let choices: [String]
  let group: Group
  /// What it is of no use without.
  let needs: Need?
  /// What it says; of the options that say the same only one may be given.
  let answers: Question
  let help: String
  /// Takes the value (empty for a flag) into the settings; false where it makes no sense.
  let take: @Sendable (inout Settings, String) -> Bool

  enum Group: String, CaseIterable {
    case move = "Choose the move"
    case photo = "Say what is near"
    case estimation = "Have what is missing worked out"
    case film = "Set size and length"
    case part = "Film one layer, or from one place"
    case stream = "Choose the stream"
    case encoding = "Encode it as H.264"
    case delivery = "Deliver it"
    case look = "Look before filming"
    case command = "The command itself"
  }

  /// What an option may be of no use without. Of the photo's maps it is known only once the files have
  /// been read.
  enum Need: CaseIterable {
    /// A camera that moves, and one that is given.
    case move, pose
    /// More than one layer, and the subject alone.
    case layers, subject
    /// A film, and not something made instead.
    case film
    case photo
    case depth
    /// A depth of which it has to be said which end is near: a relative one, or one inside a photo,
    /// which says it itself.
    case relativeDepth
    case matte
    /// A subject that is looked for by a model, a depth that is guessed by one, and a subject that is
    /// cut from the depth.
    case lift, depthEstimate, cut
    /// A film that is encoded.
    case encoder

    /// What is known only once the photo's files have been read.
    static let ofMaps: Set<Need> = [.depth, .relativeDepth, .matte, .lift, .depthEstimate, .cut]
  }

  struct Question: OptionSet, Hashable {
    let rawValue: Int
    /// How many frames there are.
    static let length = Question(rawValue: 1)
    /// Which is the first.
    static let start = Question(rawValue: 2)
    /// What is to be made instead of a film.
    static let task = Question(rawValue: 4)
    /// How many bits an encoded film may have.
    static let rate = Question(rawValue: 8)
    /// Where the matte and the depth are from.
    static let matte = Question(rawValue: 16)
    static let depth = Question(rawValue: 32)

    static let all: [Question] = [.length, .start, .task, .rate, .matte, .depth]
  }

  /// What the help says, without the default in parentheses at its end.
  var meaning: Substring {
    guard help.hasSuffix(")"), let start = help.lastIndex(of: "(") else { return help[...] }
    return help[..<start].hasSuffix(" ") ? help[..<start].dropLast() : help[...]
  }

  init(
    _ names: String..., value: String? = nil, choices: [String] = [], in group: Group,
    needs: Need? = nil, answers: Question = [], _ help: String,
    take: @escaping @Sendable (inout Settings, String) -> Bool
  ) {
    self.names = names
    self.value = value ?? (choices.isEmpty ? nil : choices.joined(separator: "|"))
    self.choices = choices
    self.group = group
    self.needs = needs
    self.answers = answers
    self.help = help
    self.take = take
  }

  /// THE TABLE of options: a new one is a new row.
  static let all = common + ofEstimation

  private static let common: [Option] = [
    Option("--move", choices: Move.all.map(\.name), in: .move, "which way the camera goes (push)") {
      put(Move.named($1), into: &$0.move)
    },
    Option("--amount", value: "A", in: .move, "how far, 0 to 3; 1 is natural (1)") {
      put(number($1, in: Move.amounts), into: &$0.amount)
    },
    Option(
      "--length", value: "SECONDS", in: .move, needs: .move,
      "of one loop, its hold apart, 0.001 to 86400 (4)"
    ) {
      put(number($1, in: 0.001...86400), into: &$0.seconds)
    },
    Option(
      "--hold", value: "SECONDS", in: .move, needs: .move,
      "how long the camera rests before the loop begins anew, 0 to 86400 (0)"
    ) { put(number($1, in: 0...86400), into: &$0.holdSeconds) },
    Option(
      "--ease", choices: Easing.all.map(\.name), in: .move, needs: .move,
      "how it starts and stops (sine)"
    ) {
      put(Easing.named($1), into: &$0.easing)
    },
    Option(
      "--pose", value: "X,Y,Z,ZOOM", in: .part,
      "one camera in place of the moving one: how far right, down and forward, in distances of the "
        + "subject (-10 to 10, forward -100 to 0.9), and its zoom (0.01 to 100); 0,0,0,1 is the "
        + "photo's; the frame is cropped as the --move would be"
    ) { put(pose($1), into: &$0.pose) },
    Option(
      "--no-pin", in: .part, needs: .pose,
      "let the subject go where that camera sees it, as for a second view"
    ) { settings, _ in
      settings.isPinned = false
      return true
    },
    Option(
      "--subject", value: "X,Y", in: .move,
      "the point that stays in place, as fractions of the photo (the subject's middle)"
    ) {
      put(point($1), into: &$0.subject)
    },
    Option(
      "--method", choices: Method.allCases.map(\.rawValue), in: .move,
      "layers, or the photo warped as one sheet (layered)"
    ) { put(Method(rawValue: $1), into: &$0.method) },
    Option(
      "--layer", choices: LayerSelection.allCases.map(\.rawValue), in: .part, needs: .layers,
      "film the subject alone, for which the pixels need alpha, or the background filled in (all)"
    ) { put(LayerSelection(rawValue: $1), into: &$0.layer) },
    Option(
      "--alpha", choices: [Alpha.straight, .premultiplied].map(\.rawValue), in: .part,
      needs: .subject, "whether its colours are multiplied by their alpha (straight)"
    ) { put(Alpha(rawValue: $1), into: &$0.alpha) },

    Option(
      "--photo-variant", choices: PhotoVariant.allCases.map(\.rawValue), in: .photo, needs: .photo,
      "of a file with two photos, the one before or after its background was blurred (original)"
    ) { put(PhotoVariant(rawValue: $1), into: &$0.photoVariant) },
    Option(
      "--depth", value: "FILE", in: .photo, needs: .photo, answers: .depth,
      "its depth: a grey picture, PFM or NPY, or a photo that holds one "
        + "(the photo's own, else NAME_depth.* beside it)"
    ) {
      put(path($1), into: &$0.depth)
    },
    Option(
      "--matte", value: "FILE", in: .photo, needs: .photo, answers: .matte,
      "what the subject is, white on black or as alpha, or a photo that holds one "
        + "(the photo's own, else NAME_matte.* beside it)"
    ) {
      put(path($1), into: &$0.matte)
    },
    Option("--matte-invert", in: .photo, needs: .matte, "the subject is black on white") {
      settings, _ in
      settings.invertsMatte = true
      return true
    },
    Option(
      "--depth-kind", choices: Settings.DepthMeaning.allCases.map(\.rawValue), in: .photo,
      needs: .depth,
      "what its samples mean: inverse depth of unknown scale, true inverse depth, distance "
        + "(relative; a depth inside a photo says it itself)"
    ) { put(Settings.DepthMeaning(rawValue: $1), into: &$0.depthMeaning) },
    Option(
      "--near", choices: Settings.Near.allCases.map(\.rawValue), in: .photo,
      needs: .relativeDepth,
      "which end of a relative depth is near; auto is the matte's end, or white without one (auto)"
    ) { put(Settings.Near(rawValue: $1), into: &$0.near) },
    Option(
      "--depth-range", value: "R", in: .photo, needs: .relativeDepth,
      "how many times farther than its nearest a relative depth's farthest is, 1 to 1000 (4)"
    ) { put(number($1, in: 1...1000), into: &$0.depthRange) },
    Option(
      "--focal", value: "MM", in: .photo,
      "the lens as a 35 mm equivalent, 5 to 2000 (the photo's own, else 28)"
    ) { put(number($1, in: 5...2000), into: &$0.focalLength35) },
    Option(
      "--max-pixels", value: "N", in: .photo, needs: .photo,
      "larger pictures are refused, 1 to 250M; M stands for a million (120M)"
    ) { put(pixels($1), into: &$0.maxPixels) },

    Option(
      "--size", value: "WxH", in: .film,
      "in pixels, 1x1 to \(VideoFormat.maximumSide)x\(VideoFormat.maximumSide) "
        + "(the photo's, at most 1920 on the long side; still life 1920x1080)"
    ) { put(size($1), into: &$0.size) },
    Option("--fps", value: "RATE", in: .film, "0.01 to 1000, as 30, 23.976 or 30000/1001 (30)") {
      put(FrameRate(parsing: $1), into: &$0.rate)
    },
    Option(
      "--loops", value: "N", in: .film, answers: .length, "that many loops, 1 or more (1)"
    ) {
      putLength(count($1).map { .loops($0) }, into: &$0)
    },
    Option(
      "--frames", value: "N", in: .film, answers: .length, "that many frames, 1 or more"
    ) {
      putLength(count($1).map { .frames($0) }, into: &$0)
    },
    Option(
      "--endless", in: .film, answers: .length, "until the reader has had enough"
    ) { settings, _ in
      putLength(.endless, into: &settings)
    },
    Option(
      "--start", value: "K", in: .film, answers: .start,
      "begin at frame K of the endless loop, 0 or more (0)"
    ) {
      put(UInt64($1), into: &$0.start)
    },
    Option(
      "--still", value: "K", in: .film, answers: [.start, .length],
      "frame K alone, 0 or more; with -o FILE.png or FILE.jpg as a picture"
    ) { settings, text in
      settings.length = .frames(1)
      return put(UInt64(text), into: &settings.start)
    },
    Option("--preview", in: .film, "long side 720, endless") { settings, _ in
      settings.preview = true
      return true
    },

    Option(
      "--format", choices: Container.all.map(\.name), in: .stream,
      "(by the file's name, else y4m)"
    ) { put(Container.named($1), into: &$0.container) },
    Option(
      "--pix-fmt", value: "NAME", choices: PixelFormat.all.map(\.name), in: .stream,
      "a pixel format below (yuv420p; .raw, .rgb, png: rgb24; jpeg: yuv444p; a subject alone: rgba)"
    ) { put(PixelFormat.named($1), into: &$0.pixelFormat) },
    Option(
      "--matrix", choices: ["auto"] + ColorMatrix.allCases.map(\.rawValue), in: .stream,
      "auto is bt709 from 1280 wide or 577 high on, else bt601 (auto; H.264 is always bt709)"
    ) { settings, text in
      settings.matrix = ColorMatrix(rawValue: text)
      return settings.matrix != nil || text == "auto"
    },
    Option(
      "--range", choices: ColorRange.allCases.map(\.rawValue), in: .stream,
      "of luma and chroma (limited; grey: full; a JPEG is always full)"
    ) { put(ColorRange(rawValue: $1), into: &$0.range) },
    Option(
      "--chroma-siting", choices: ChromaSiting.allCases.map(\.rawValue), in: .stream,
      "where the chroma of 4:2:0 lies (mpeg2; a JPEG is always jpeg)"
    ) { put(ChromaSiting(rawValue: $1), into: &$0.siting) },
    Option(
      "--renderer", choices: Renderer.allCases.map(\.rawValue), in: .stream,
      "quickly, or pixel by pixel: what all others are measured by (fast)"
    ) { put(Renderer(rawValue: $1), into: &$0.renderer) },
    Option(
      "--encoder", value: "NAME", in: .encoding, needs: .encoder,
      "one of libavcodec's, as h264_nvenc, h264_vaapi or h264_qsv (libx264)"
    ) { put(word($1), into: &$0.encoding.encoder) },
    Option(
      "--crf", value: "Q", in: .encoding, needs: .encoder, answers: .rate,
      "how good, whatever it takes: 0, which is lossless and which few players take, to 51, the worst (18)"
    ) { put(number($1, in: 0...51).map { .quality($0) }, into: &$0.encoding.rate) },
    Option(
      "--bitrate", value: "BITS", in: .encoding, needs: .encoder, answers: .rate,
      "how many bits a second on average, 1k to 2000M; k and M stand for a thousand and a million"
    ) { put(bits($1).map { .bitrate($0) }, into: &$0.encoding.rate) },
    Option(
      "--preset", value: "NAME", in: .encoding, needs: .encoder,
      "how much care the encoder takes, in its own words, as veryfast (its own, medium)"
    ) { put(word($1), into: &$0.encoding.preset) },
    Option(
      "--tune", value: "NAME", in: .encoding, needs: .encoder,
      "what it cares for, in its own words, as zerolatency for live streams (nothing)"
    ) { put(word($1), into: &$0.encoding.tune) },
    Option(
      "--encoder-threads", value: "N", in: .encoding, needs: .encoder,
      "that encode, 1 to 128; the film's bytes depend on it, not on the machine (\(Encoding.defaultThreads))"
    ) {
      put(count($1).flatMap { $0 <= 128 ? $0 : nil }, into: &$0.encoding.threads)
    },
    Option(
      "--output", "-o", value: "FILE", in: .delivery,
      "a file, a FIFO, an address as udp://127.0.0.1:5000, or - (standard output)"
    ) {
      put(outputPath($1), into: &$0.outputPath)
    },
    Option("--overwrite", "-y", in: .delivery, "replace the file if there is one") { settings, _ in
      settings.overwrite = true
      return true
    },
    Option(
      "--index", value: "FILE", in: .delivery, needs: .film,
      "and write where each frame of the loop is and what it holds, as JSON"
    ) { put(outputPath($1), into: &$0.indexPath) },
    Option("--realtime", in: .delivery, "no faster than the film plays; late frames are counted") {
      settings, _ in
      settings.isRealtime = true
      return true
    },
    Option(
      "--progress", choices: Progress.Style.allCases.map(\.rawValue), in: .delivery,
      "on standard error: a line on a terminal, an object a line for programs, nothing (auto)"
    ) { put(Progress.Style(rawValue: $1), into: &$0.progress) },

    Option("--threads", value: "N", in: .delivery, "that draw, 1 to 256 (one a core)") {
      put(count($1).flatMap { $0 <= 256 ? $0 : nil }, into: &$0.threads)
    },
    Option(
      "--cache", value: "BYTES", in: .delivery,
      "frames kept to be shown again, up to so many bytes, 0 or more; k, M and G stand for 1024 and its "
        + "powers (a quarter of the memory, at most 2G)"
    ) { put(bytes($1), into: &$0.cacheBytes) },
    Option("--info", in: .look, answers: .task, "print the plan as JSON and draw nothing") {
      settings, _ in
      settings.task = .info
      return true
    },
    Option(
      "--dump-layers", value: "FOLDER", in: .look, answers: .task,
      "write what the scene was made of as PNGs, with scene.json, and film nothing; -y removes what "
        + "an earlier one wrote there"
    ) { put(outputPath($1).map { .layers($0) }, into: &$0.task) },
    Option(
      "--contact-sheet", value: "FILE", in: .look, answers: .task,
      "write twelve frames of the loop as one PNG, and film nothing"
    ) { put(outputPath($1).map { .contactSheet($0) }, into: &$0.task) },
    Option(
      "--index-only", value: "FILE", in: .look, answers: .task,
      "write the index of the loop's frames, and film nothing"
    ) { put(outputPath($1).map { .index($0) }, into: &$0.task) },
    Option(
      "--check-loop", in: .look, needs: .move, answers: .task,
      "print how large the seam's step is beside the loop's own, as JSON, and film nothing; "
        + "status 1 where it is seen"
    ) { settings, _ in
      settings.task = .checkLoop
      return true
    },
    Option(
      "--print-consumer", value: "NAME", choices: Consumer.all.map(\.name), in: .look,
      answers: .task,
      "print the line for a shell that makes this stream and has it read by a "
        + "consumer below, and film nothing"
    ) { put(Consumer.named($1).map { .consumer($0) }, into: &$0.task) },
    Option(
      "--print-completion", choices: Shell.all.map(\.name), in: .command, answers: .task,
      "print what completes this command's words in a shell"
    ) { put(Shell.named($1).map { .completion($0) }, into: &$0.task) },
    Option("--print-man", in: .command, answers: .task, "print the manual page") { settings, _ in
      settings.task = .manual
      return true
    },
    Option("--quiet", "-q", in: .command, "say nothing but errors") { settings, _ in
      settings.quiet = true
      return true
    },
    Option("--verbose", "-v", in: .command, "say what was read and what is drawn") { settings, _ in
      settings.verbose = true
      return true
    },
    Option("--version", in: .command, "print the version") { settings, _ in
      settings.task = .version
      return true
    },
    Option("--help", "-h", in: .command, "print this") { settings, _ in
      settings.task = .help
      return true
    },
  ]

  /// What goes with `verify`, which makes no stream and reads one.
  static let ofVerify = ["--start", "--quiet", "--help"]

  static func named(_ name: String) -> Option? { all.first { $0.names.contains(name) } }
}

// What the rows are made of: each gives nil, or false, for a value that makes no sense.

func put<Value>(_ value: Value?, into place: inout Value) -> Bool {
  guard let value else { return false }
  place = value
  return true
}

func put<Value>(_ value: Value?, into place: inout Value?) -> Bool {
  guard let value else { return false }
  place = value
  return true
}

/// The name of something to be written; what is no UTF-8 could only be written under another name.
private func outputPath(_ text: String) -> String? {
  text.isEmpty || Arguments.isEscaped(text) ? nil : text
}

private func putLength(_ length: Settings.Length?, into settings: inout Settings) -> Bool {
  put(length, into: &settings.length)
}

func number(_ text: String, in range: ClosedRange<Double>) -> Double? {
  Double(text).flatMap { range.contains($0) ? $0 : nil }
}

/// A name of libav's.
private func word(_ text: String) -> String? {
  text.isEmpty
    || text.contains { !$0.isASCII || !($0.isLetter || $0.isNumber || "-_".contains($0)) }
    ? nil : text
}

/// At most a petabyte, which no memory is.
private func bytes(_ text: String) -> Int? {
  scaled(text, ["k": 0x1p10, "K": 0x1p10, "M": 0x1p20, "G": 0x1p30], in: 0...1e15)
}

private func bits(_ text: String) -> Int? {
  scaled(text, ["k": 1e3, "K": 1e3, "M": 1e6], in: 1e3...2e9)
}

/// A number with a unit behind it, or without.
private func scaled(
  _ text: String, _ units: [Character: Double], in range: ClosedRange<Double>
) -> Int? {
  let unit = text.last.flatMap { units[$0] }
  guard let value = Double(unit == nil ? text : String(text.dropLast())) else { return nil }
  let whole = value * (unit ?? 1)
  return range.contains(whole) ? Int(whole.rounded()) : nil
}

private func count(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

private func path(_ text: String) -> InputPath? {
  text.isEmpty ? nil : InputPath(argument: text)
}

/// At most what libavcodec takes of a picture.
private func pixels(_ text: String) -> Int? {
  guard text.hasSuffix("M") else { return count(text).flatMap { $0 <= 250_000_000 ? $0 : nil } }
  return number(String(text.dropLast()), in: 0.000_001...250).map {
    Int(($0 * 1_000_000).rounded())
  }
}

private func point(_ text: String) -> SIMD2<Double>? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  guard parts.count == 2, let x = number(String(parts[0]), in: 0...1),
    let y = number(String(parts[1]), in: 0...1)
  else { return nil }
  return SIMD2(x, y)
}

private func pose(_ text: String) -> Pose? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  guard parts.count == 4, let x = number(parts[0], in: Pose.offsets),
    let y = number(parts[1], in: Pose.offsets), let z = number(parts[2], in: Pose.approaches),
    let zoom = number(parts[3], in: Pose.zooms)
  else { return nil }
  return Pose(x: x, y: y, z: z, zoom: zoom)
}

private func size(_ text: String) -> Size? {
  let parts = text.split(separator: "x", omittingEmptySubsequences: false)
  let sides = 1...VideoFormat.maximumSide
  guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
    sides.contains(width), sides.contains(height)
  else { return nil }
  return Size(width: width, height: height)
}
