internal import Estimation
internal import FoundationEssentials
internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// What the user asked for, as far as it can be known without opening anything.
struct Settings {
  /// What to do instead of a film.
  enum Task: Equatable {
    case film, info, help, version
    /// The layers as pictures in a folder.
    case layers(String)
    /// One picture of the loop in a file.
    case contactSheet(String)
    /// The index of the loop's frames in a file, or none of it but its seam.
    case index(String)
    case checkLoop
    /// To compare a stream with an index.
    case verify(index: InputPath, stream: InputPath)
    /// The line for a shell that has a consumer read the film.
    case consumer(Consumer)
    case completion(Shell)
    case manual

    /// Whether `--output` means something to it: the film's place, or its container.
    var takesOutput: Bool {
      switch self {
      case .film, .info, .help, .version, .verify: true
      case .layers, .contactSheet, .index, .checkLoop, .consumer, .completion, .manual: false
      }
    }

    /// Whether a film is made, or the line for one printed.
    var isOfFilm: Bool {
      switch self {
      case .film, .consumer: true
      default: false
      }
    }

    /// Whether it makes pictures of its own, whatever the film's pixels are.
    var makesPictures: Bool {
      switch self {
      case .layers, .contactSheet, .checkLoop: true
      default: false
      }
    }
  }

  /// How many frames are wanted.
  enum Length {
    case loops(Int)
    case frames(Int)
    case endless
  }

  /// What the samples of a depth file mean.
  enum DepthMeaning: String, CaseIterable { case relative, disparity, metric }

  /// Which end of a relative depth is near; `auto` asks the matte, else it is white.
  enum Near: String, CaseIterable { case auto, white, black }

  var task = Task.film
  /// The options that were given, each by the name that stood there.
  var given: [(name: String, option: Option)] = []
  /// The arguments without what asks for something else than a film.
  var filmArguments: [String] = []

  var photo: InputPath?
  var photoVariant = PhotoVariant.original
  var depth: InputPath?
  var matte: InputPath?
  /// Of a depth picture: nil is relative, auto and 4. A depth in a photo says these itself.
  var depthMeaning: DepthMeaning?
  var near: Near?
  var depthRange: Double?
  var invertsMatte = false
  /// What is worked out, by which models, or by which programs.
  var estimates = Estimates.auto
  var models: [ModelCard.Kind: String] = [:]
  var matteCommand: ExternalCommand?
  var depthCommand: ExternalCommand?
  var commandSeconds = 120.0
  var cut = CutMethod.depth
  var maxPixels = PhotoReader.defaultMaxPixels
  var focalLength35: Double?
  /// The tap, as fractions of the photo's sides.
  var subject: SIMD2<Double>?

  var move = Move.push
  var amount = 1.0
  var seconds = 4.0
  var holdSeconds = 0.0
  var easing = Easing.sine
  var method = Method.layered
  /// Where the camera stands instead of moving, and whether the target stays in place there.
  var pose: Pose?
  var isPinned = true
  var layer = LayerSelection.all
  /// Nil is straight where the pixels have alpha and the subject is alone.
  var alpha: Alpha?

  var size: Size?
  var rate = FrameRate(30)!
  var length: Length?
  var start: UInt64 = 0
  var preview = false

  var container: Container?
  var pixelFormat: PixelFormat?
  /// Nil is what players assume for the size.
  var matrix: ColorMatrix?
  /// Nil is what the pixel format is taken to be.
  var range: ColorRange?
  /// Nil is MPEG-2's.
  var siting: ChromaSiting?
  var renderer = Renderer.fast
  var instructions = InstructionSet.best
  var encoding = Encoding()

  var outputPath = "-"
  /// Where the index of a film's frames is written.
  var indexPath: String?
  var overwrite = false
  var threads = ProcessInfo.processInfo.activeProcessorCount
  /// Nil is what the machine's memory allows.
  var cacheBytes: Int?
  var isRealtime = false
  var progress = Progress.Style.auto
  var quiet = false
  var verbose = false
}

extension Settings {
  var output: Output { output(at: outputPath) }

  /// Where the index goes that is written beside a film.
  var indexOutput: Output? { indexPath.map { output(at: $0) } }

  /// Where else than into films something is written.
  var otherPaths: [String] {
    let made: String? =
      switch task {
      case .layers(let path), .contactSheet(let path), .index(let path): path
      default: nil
      }
    return [made, indexPath].compactMap(\.self)
  }

  func output(at path: String) -> Output {
    if path == "-" { return .standardOutput }
    guard let scheme = Output.scheme(of: path) else {
      return .file(path: path, overwrite: overwrite)
    }
    return .address(scheme + path.dropFirst(scheme.count))
  }

  /// Whether the user says himself where the matte and the depth are from.
  var givesMatte: Bool { matte != nil || matteCommand != nil }
  var givesDepth: Bool { depth != nil || depthCommand != nil }

  /// Whether the contents of what is read must be known.
  var wantsRecipe: Bool {
    if case .index = task { return true }
    return task == .info || indexPath != nil
  }

  /// The container: as asked, or as the file's name says, or Y4M where its name says nothing.
  func resolvedContainer() throws(UsageError) -> Container {
    if let scheme = Output.scheme(of: outputPath), !Container.schemes.contains(scheme) {
      throw .unknownScheme(outputPath)
    }
    if case .address(let address) = output, let port = Output.port(of: address),
      UInt16(port).map({ $0 > 0 }) != true
    {
      throw .badPort(address, String(port))
    }
    if let container = container ?? Container.forPath(outputPath) {
      if case .address = output, !container.isEncoded { throw .noAddress(outputPath, container) }
      return container.suited(to: output)
    }
    if let ending = Container.ending(ofPath: outputPath), !output.isSpecial {
      throw .unknownEnding(path: outputPath, ending)
    }
    return .y4m
  }

  /// The format of a film whose photo has the given size.
  func format(photo: Size) throws -> VideoFormat {
    // A contact sheet is made of R'G'B', whatever the film would be.
    let size = size ?? Self.defaultSize(photo: photo, longSide: preview ? 720 : 1920)
    if task.makesPictures {
      return try VideoFormat(
        size: size, rate: rate, pixelFormat: .rgb24, matrix: .assumed(for: size), range: .full)
    }
    let container = try resolvedContainer()
    let pixelFormat = pixelFormat ?? defaultPixelFormat(container)
    if siting != nil && !pixelFormat.hasSiting { throw UsageError.noSiting(pixelFormat) }
    let fixed = container.colours
    if let fixed {
      if let matrix, matrix != fixed.matrix ?? matrix {
        throw UsageError.fixedColours("--matrix", container)
      }
      if let range, range != fixed.range { throw UsageError.fixedColours("--range", container) }
      if let siting, siting != fixed.siting {
        throw UsageError.fixedColours("--chroma-siting", container)
      }
    }
    let siting = pixelFormat.hasSiting ? siting ?? fixed?.siting ?? .mpeg2 : .mpeg2
    guard container.canCarry(pixelFormat, siting) else {
      throw UsageError.cannotCarry(pixelFormat, siting, container)
    }
    guard container.canHold(size) else { throw UsageError.tooLarge(size, container) }
    if layer == .subject, !pixelFormat.hasAlpha {
      throw UsageError.noAlpha(pixelFormat, container)
    }
    if alpha == .premultiplied, !container.carriesPremultiplied {
      throw UsageError.straightOnly(container)
    }
    return try VideoFormat(
      size: size, rate: rate, pixelFormat: pixelFormat,
      matrix: matrix ?? fixed?.matrix ?? .assumed(for: size),
      range: range ?? fixed?.range ?? .assumed(for: pixelFormat), siting: siting,
      alpha: layer == .subject ? alpha ?? .straight : .opaque)
  }

  /// What the file's name says, or what the container is mostly asked for; with alpha where the subject
  /// is alone and the container can carry that.
  private func defaultPixelFormat(_ container: Container) -> PixelFormat {
    let usual = container.pixelFormat(forPath: outputPath)
    let hasRoom = container.canCarry(.rgba, .mpeg2)
    return layer == .subject && !usual.hasAlpha && hasRoom ? .rgba : usual
  }

  /// Frames of a loop, and how many of them are held.
  var period: (whole: Int, held: Int) {
    if pose != nil { return (1, 0) }
    let held = Loop.hold(seconds: holdSeconds, rate: rate)
    return (Loop.period(seconds: seconds, rate: rate) + held, held)
  }

  /// The frames wanted of a loop with the given period.
  func frames(period: Int) throws -> FrameRange {
    switch length ?? (preview ? .endless : .loops(1)) {
    case .endless: return FrameRange(start: start, count: nil)
    case .frames(let count): return FrameRange(start: start, count: count)
    case .loops(let loops):
      let (count, overflow) = loops.multipliedReportingOverflow(by: period)
      guard !overflow else { throw UsageError.tooManyFrames }
      return FrameRange(start: start, count: count)
    }
  }

  /// The still life, which can be had at any size, is shown at this unless asked otherwise.
  static let stillLifeSize = Size(width: 1920, height: 1080)

  /// The photo's aspect, no larger than the photo, with even sides where it has two pixels.
  static func defaultSize(photo: Size, longSide: Int) -> Size {
    let scale = min(1, Double(longSide) / Double(photo.longSide))
    func side(_ length: Int) -> Int {
      let exact = Double(length) * scale
      return length < 2 ? 1 : max(2, min(Int((exact / 2).rounded()) * 2, length / 2 * 2))
    }
    return Size(width: side(photo.width), height: side(photo.height))
  }
}
