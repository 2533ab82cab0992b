internal import Estimation
internal import MotionCore
internal import PhotoInput
internal import StreamOut

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file that was read and cannot be used, with what it was given beside.
enum PlanError: Error {
  case depth(InputPath, DisparityMap.Unusable)
  /// - Parameters: the files the photo, the depth and the matte came from; nil for the still life, and
  ///   where the photo's own file is meant.
  case scene(Scene.Problem, photo: InputPath?, depth: InputPath?, matte: InputPath?)
  /// A file that was found beside the photo, and not named, cannot be read.
  case sidecar(PhotoInputError.Role, PhotoInputError)
  /// What a program wrote cannot be read.
  case made(PhotoInputError.Role, by: ExternalCommand, PhotoInputError.Problem)
  /// A model finds no subject in the photo, and there is no depth to cut it from.
  case nothingLifted(InputPath)
}

/// What the user is told of an error: one line that says what was tried, on which file, and what to
/// do. Every sentence about an error is here, and those of estimation in `Sentences+Estimation.swift`.
func sentence(_ error: any Error) -> String {
  switch error {
  case let error as UsageError: sentence(error)
  case let error as VideoFormat.SizeError:
    "\(error.size) is no size for a film: sides are 1 to \(VideoFormat.maximumSide) pixels; "
      + "give another --size"
  case let error as PhotoInputError: "\(name(error.path)): \(sentence(error.problem))"
  case let error as PlanError: sentence(error)
  case let error as ConsumerError: sentence(error)
  case let error as StreamOutError: sentence(error)
  case let error as VerifyError: sentence(error)
  case let error as FilmProblem: sentence(error)
  case let error as EstimationError: sentence(error)
  default: "\(error)"
  }
}

func sentence(_ note: Scene.Note) -> String {
  switch note {
  case .tapOnBackground:
    "--subject names a point of the background: it stays in place, and distances are measured "
      + "from the subject"
  case .noKnownBackground:
    "no part of the photo is surely background: what the subject hides is black; "
      + "give a tighter --matte"
  case .nothingBehindSubject:
    "the photo is transparent around its subject: the background is black"
  case .subjectBehind:
    "by the depth the subject is behind its background: see --near, --depth-kind and --matte-invert"
  }
}

/// What a comparison that found nothing tells.
func sentence(_ agreement: Agreement) -> String {
  let (frames, period) = (agreement.frames, UInt64(agreement.period))
  return "\(name(agreement.stream)): \(counted(frames, "frame")) as in the index, "
    + (frames % period == 0
      ? counted(frames / period, "loop") : "of loops of \(counted(period, "frame"))")
}

/// Whether a loop's seam is seen.
func sentence(_ steps: LoopSteps) -> String {
  func code(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
  return steps.seamIsSeen
    ? "the seam is seen: its step of \(code(steps.seam)) is larger than any of the loop's own, "
      + "at most \(code(steps.largest))"
    : "the seam is not seen: its step of \(code(steps.seam)) is among the loop's own, "
      + "\(code(steps.least)) to \(code(steps.largest))"
}

/// Said where a signal or a reader ended a film before its index was known.
func noIndexSentence(_ path: String) -> String {
  "\(path): no index is written, and what may have been there stays: the film was ended before all "
    + "of its frames were known"
}

func sentence(_ part: PassedOver) -> String {
  switch part {
  case .part(.photo, let problem):
    "the original in the photo's file is left out for the edited photo: \(sentence(problem))"
  case .part(let role, let problem):
    "the \(role.rawValue) in the photo's file is left out: \(sentence(problem))"
  case .untold(let problem):
    "a further picture in the photo's file, perhaps its matte, is left out: \(sentence(problem))"
  }
}

/// What became of a photo's colours.
func sentence(_ colour: PhotoColour) -> String {
  let name = colour.name.map { " (\($0))" } ?? ""
  switch colour.treatment {
  case .assumed: return "the photo does not say its colours: they are taken as sRGB"
  case .kept: return "the photo's colours are sRGB\(name)"
  case .converted: return "the photo's colours are converted to sRGB\(name)"
  case .ignored(let reason):
    return "the photo's colours\(name) are taken as sRGB: \(sentence(reason))"
  }
}

/// Why what a file says of its colours is not used.
func sentence(_ reason: PhotoColour.Reason) -> String {
  switch reason {
  case .broken(let detail): "its colour profile is broken (\(detail)); export it again"
  case .otherChannels(let channels):
    "its colour profile is for a picture in \(channels); convert it to sRGB first"
  case .primaries(let code):
    "primaries \(code) of H.273 are not known here; convert it to sRGB first"
  case .transfer(let code):
    "transfer function \(code) of H.273 is not known here; convert it to sRGB first"
  case .noProfiles:
    "this build is without Little CMS, which reads colour profiles; build it with the trait LittleCMS"
  }
}

private func sentence(_ error: UsageError) -> String {
  func meant(_ near: String?) -> String { near.map { "; did you mean \($0)?" } ?? "" }
  switch error {
  case .unknownOption(let option, let near):
    return "there is no option \(option)" + (near.map { "; did you mean \($0)?" } ?? "; see --help")
  case .missingValue(let option, let name):
    return "\(name) wants a value: \(option.value ?? "")"
  case .needlessValue(let name):
    return "\(name) takes no value"
  case .badValue(let option, let name, let value, _) where option.value == Option.command:
    return "\(name) cannot be \"\(value)\": " + commandMistake(value)
  case .badValue(let option, let name, let value, let near):
    return "\(name) cannot be \"\(value)\"\(meant(near)) "
      + (option.choices.isEmpty
        ? "(\(option.value ?? ""): \(option.meaning))"
        : "(\(option.choices.joined(separator: "|")))")
  case .twoPhotos(let first, let second):
    return "one photo at a time: \(first) or \(second); options begin with -"
  case .conflict(let names):
    return "\(names.joined(separator: " and ")) exclude each other: give one of them"
  case .noSiting(let pixelFormat):
    return "--chroma-siting is for 4:2:0, and \(pixelFormat) is not: leave it out"
  case .cannotCarry(let pixelFormat, let siting, let container)
  where container.canCarry(pixelFormat, .mpeg2):
    return "\(container) has no word for \(pixelFormat) with --chroma-siting \(siting.rawValue): "
      + "use mpeg2, 8 bits or --format raw"
  case .cannotCarry(let pixelFormat, _, let container):
    let list = container.pixelFormats.map(\.name).joined(separator: ", ")
    return "\(container) cannot carry \(pixelFormat): give --pix-fmt one of \(list), "
      + "or --format raw"
  case .unknownEnding(let path, let ending):
    return "\(path): .\(ending) is not written here: pipe the stream into ffmpeg, "
      + "or say what the file is to hold with --format"
  case .tooManyFrames:
    return "so many loops cannot be counted: use --endless"
  case .flatRange:
    return "--depth-range 1 makes everything equally far: give more, as 4"
  case .unknownInstructions(let variable, let value, let known):
    return "\(variable)=\(value): not an instruction set of this processor; set it to "
      + "\(known.joined(separator: " or ")), or unset it"
  case .nothingToCut(let isEstimating, let misses):
    return "the photo does not say what is near: give --depth FILE, --matte FILE or both; "
      + (!isEstimating
        ? "--estimate off has nothing worked out"
        : !Worker.isBuilt
          ? "a build with the trait Estimation works it out by models"
          : misses.isEmpty
            ? installation : misses.map(sentence).joined(separator: "; "))
  case .oneFrame(let container):
    return "\(an(container)) holds one frame: say which with --still K or --pose, or "
      + "see --contact-sheet"
  case .noAlpha(_, let container) where container.isEncoded:
    return "H.264 has no alpha here: leave out --layer subject, or give --format raw"
  case .noAlpha(let pixelFormat, let container):
    let formats = container.pixelFormats.filter(\.hasAlpha).map(\.name)
    return "the subject alone needs pixels with alpha, and \(pixelFormat) has none: give "
      + (formats.isEmpty
        ? "--format raw, or -o FILE.png" : "--pix-fmt \(formats.joined(separator: ", "))")
  case .straightOnly(let container):
    return "alpha in \(an(container)) is straight: leave out --alpha, or give --format raw"
  case .noAddress(let address, let container):
    return
      "\(address): \(an(container)) is not sent to an address: give --format "
      + names { $0.isEncoded && $0.canBeEndless }
  case .badPort(let address, let port):
    return "\(address): \"\(port)\" is no port: give one of 1 to 65535"
  case .onlyFilmsAreSent(let path):
    return "\(path): only films are sent to an address: give a file's name"
  case .unknownScheme(let address):
    return "\(address): "
      + (Container.schemes.isEmpty
        ? "this build encodes no films: build it with the package's trait H264"
        : "films are sent by \(Container.schemes.joined(separator: ", ")): give an address of these, "
          + "or a file's name")
  case .wantsAnEnd(let container):
    return "\(an(container)) is whole only at its end: give --loops N, or --format "
      + names { $0.isEncoded && $0.canBeEndless }
  case .noConsumer(let container):
    return "every player reads \(an(container)) as it is: leave out --print-consumer, or --format"
  case .indexWithoutFile(let container):
    return
      "where the frames of \(an(container)) stand is read in its file, which is no pipe: give -o FILE "
      + "and --index FILE, and --loops or --frames"
  case .fixedColours(let option, let container) where container.isEncoded:
    return "\(an(container)) holds BT.709 in limited range, sited as MPEG-2: leave out \(option)"
  case .fixedColours(let option, let container):
    return "what reads \(an(container)) does not ask for \(option): leave it out"
  case .useless(let name, .move):
    return "\(name) belongs to a camera that moves: leave out --pose"
  case .useless(let name, .film):
    return "\(name) belongs to a film, and none is made: leave it out, or see --index-only"
  case .useless(let name, .pose):
    return "\(name) belongs to a camera that is given: give --pose X,Y,Z,ZOOM"
  case .useless(let name, .layers):
    return "\(name) belongs to layers, and one sheet has none: leave out --method one-sheet"
  case .useless(let name, .subject):
    return "\(name) belongs to the subject alone: give --layer subject"
  case .useless(let name, .photo):
    return "\(name) belongs to a photo: name the photo too"
  case .useless(let name, .encoder):
    return Container.all.contains { $0.isEncoded }
      ? "\(name) belongs to a film that is encoded: give --format \(names { $0.isEncoded }), or "
        + "-o FILE.mp4"
      : "\(name): this build encodes no films: build it with the package's trait H264"
  case .useless(let name, .depth):
    return "\(name) belongs to a depth: give --depth FILE"
  case .useless(let name, .relativeDepth):
    return "\(name) belongs to a depth that is relative, and there is none: leave it out"
  case .useless(let name, .matte):
    return "\(name) belongs to a matte: give --matte FILE"
  case .useless(let name, .lift):
    return
      "\(name) belongs to a photo whose subject nothing says, and this one's is known, or not to "
      + "be estimated: leave it out"
  case .useless(let name, .depthEstimate):
    return
      "\(name) belongs to a photo whose depth nothing says, and this one's is known, or not to be "
      + "estimated: leave it out"
  case .useless(let name, .cut):
    return
      "\(name) belongs to a subject that is cut from the depth, and this one is not: leave it out, or "
      + "give --estimate depth where a model finds the subject"
  case .outputIsInput(let path):
    return "\(path) is read, and would be replaced: give another name"
  case .indexIsOutput(let path):
    return "\(path) cannot hold both the film and its index: give --index another name"
  case .noIndex(let container):
    return "\(an(container)) is no stream of frames, so that there is no index of it: "
      + "leave that out, or give --format y4m or raw"
  case .loopTooLong(let frames):
    return "a loop of \(frames) frames is too long for an index, or to be looked at: at most "
      + "\(FrameIndex.maximumFrames); give a shorter --length or --hold, or a lower --fps"
  case .tooLarge(let size, let container):
    let picture = container.pictureSize(size)
    if picture.width == 0 || picture.height == 0 {
      return
        "\(an(container)) has even sides, and \(size) has not two pixels each way: give a larger "
        + "--size"
    }
    return "\(an(container)) of \(size) is not written here: give a smaller --size, or --format "
      + (container.isStill ? "png" : "y4m")
  case .sheetIsNoPNG(let path):
    return "\(path): a contact sheet is a PNG: give a name that ends in .png"
  case .verifyWantsTwoFiles(let count):
    return "verify compares two files, and \(count) were named: give INDEX and STREAM, or - for one"
  case .notOfVerify(let option):
    return "\(option) does not go with verify: it takes \(Option.ofVerify.joined(separator: ", ")) "
      + "(a photo of that name is ./verify)"
  case .depthSaysItself(let path, let facts, let option):
    let near = facts.near.map { ", near is \($0.rawValue)" } ?? ""
    return
      "\(name(path)): the depth in it says itself what it means (\(facts.kind.rawValue)\(near)): "
      + "leave out \(option)"
  case .twoFromStandardInput:
    return
      "standard input can be read only once: give - for one of the photo, --depth and --matte, "
      + "and to verify for the index or the stream"
  }
}

private func sentence(_ problem: PhotoInputError.Problem) -> String {
  switch problem {
  case .cannotOpen(let code): "cannot be opened: \(text(code))"
  case .cannotRead(let code): "cannot be read: \(text(code))"
  case .isDirectory: "is a directory: name a picture file"
  case .empty: "is empty: copy or export the picture again"
  case .tooManyBytes(let limit):
    "is larger than \(limit >> 20) MiB: give a smaller picture"
  case .notAPicture: "is no picture of a kind that is read: convert it to PNG or JPEG"
  case .truncated(let kind): "the \(kind) ends too early: copy or export it again"
  case .damaged(let kind, let detail):
    "the \(kind) is damaged (\(detail)): copy or export it again"
  case .unsupported(let kind, .cmyk):
    "\(a(kind)) in CMYK is only read as a photo, and with its colour profile: convert it to RGB"
  case .unsupported(let kind, .cmykProfile):
    "\(a(kind)) in CMYK is not read by a build without Little CMS: convert it to RGB"
  case .unsupported(let kind, .bitsPerSample(let bits)):
    "\(a(kind)) of \(bits) bits a sample is not read: convert it to 8 bits"
  case .unsupported(let kind, .colour):
    "\(a(kind)) in colour is not read: export it as a grey picture"
  case .unsupported(let kind, .coding(let coding)):
    "\(a(kind)) coded as \(coding) is not read: convert it to PNG or a baseline JPEG"
  case .unsupported(let kind, .pixelFormat(let format)):
    "\(a(kind)) with pixels as \(format) is not read: convert it to PNG"
  case .unsupported(let kind, .arrayType(let type)):
    "\(a(kind)) of type \(type) is not read: save it as float32, float16, uint16 or uint8"
  case .unsupported(let kind, .arrayShape(let shape)):
    "\(a(kind)) of the shape (\(shape.map(String.init).joined(separator: ", "))) is not read: "
      + "save one picture, height by width"
  case .unsupported(let kind, .fortranOrder):
    "\(a(kind)) in Fortran order is not read: save it with numpy.ascontiguousarray"
  case .leftOut(let kind, let trait):
    "this build reads no \(kind): build it with the package's trait \(trait), or convert the picture "
      + "to JPEG"
  case .needsLibrary(let kind, let library, let found):
    "the \(kind) has \(library.reason) for \(library.name) \(found), as those of newer telephones "
      + "have: install \(library.name) \(library.version) or newer, or convert it to JPEG"
  case .tooLarge(let size, let maxPixels):
    "\(size) is more than \(inMillions(maxPixels)) pixels: scale it down first, or give a larger "
      + "--max-pixels"
  case .zeroSize(let size): "\(size) has no pixels: export the picture again"
  case .coloured(let role):
    "a \(role.rawValue) must be grey, and this is coloured: export it as a grey picture, "
      + "without a colour map"
  case .notAPhoto(let kind): "\(a(kind)) is no photo: give the photo first and this as --depth"
  case .embedded(let role, let problem):
    "the \(role.rawValue) in it cannot be used: \(sentence(problem)), or give --\(role.rawValue) FILE"
  }
}

private func sentence(_ error: PlanError) -> String {
  switch error {
  case .depth(let path, .nothingKnown):
    return "\(name(path)): no sample of the depth is a usable number: see --depth-kind"
  case .depth(let path, .everythingInfinitelyFar):
    return "\(name(path)): everything in the depth is infinitely far: see --depth-kind"
  case .sidecar(let role, let error):
    return "\(name(error.path)), found beside the photo: \(sentence(error.problem)), "
      + "or give --\(role.rawValue) FILE"
  case .made(let role, let command, let problem):
    return "\(command.name), for --\(role.rawValue)-command, wrote what cannot be used: "
      + sentence(problem)
  case .nothingLifted(let path):
    return "\(name(path)): the model finds no subject in it, and nothing says its depth: give "
      + "--matte FILE or --depth FILE"
  case .scene(let problem, let photoPath, let depthPath, let mattePath):
    let photo = photoPath.map(name) ?? "the still life"
    let depth = depthPath.map(name) ?? "\(photo) (its depth)"
    let matte = mattePath.map(name) ?? "\(photo) (its matte or alpha)"
    switch problem {
    case .aspect(let part, let size, let photoSize):
      return "\(part == .matte ? matte : depth): its size \(size) is not the shape of "
        + "\(photo), \(photoSize): scale or crop it to that shape"
    case .nothingToCut: return sentence(UsageError.nothingToCut(isEstimating: true, []))
    case .emptyMatte(.cut), .fullMatte(.cut):
      return "\(depth): nothing stands out in the depth: give --matte FILE too"
    case .emptyMatte:
      return "\(matte): the matte is black all over: paint the subject white"
    case .fullMatte:
      return "\(matte): the matte is white all over: paint the background black"
    case .flatDepth:
      return "\(depth): nothing stands out in the depth: give --matte FILE too"
    case .noSubjectDistance:
      return "\(depth): the subject has no finite distance in it: check --depth-kind and --near"
    }
  }
}

private func sentence(_ error: ConsumerError) -> String {
  let what =
    switch error.reason {
    case .pixels(let format, let container): "does not read \(format) in \(container) rightly"
    case .premultiplied: "takes all alpha for straight"
    case .range(let format, let range): "does not take \(format) for \(range.rawValue) range"
    case .siting(let siting): "has no word for chroma as in \(siting.rawValue)"
    case .size(let size): "does not take the size \(size)"
    case .endless: "wants a film that ends"
    }
  return "\(error.consumer.title) \(what): give \(error.use.joined(separator: " "))"
}

private func sentence(_ error: StreamOutError) -> String {
  switch error {
  case .system(let operation, let path, let code):
    return "\(path ?? "standard output"): cannot be \(verb(operation)): \(text(code))"
  case .readerGone: return "the reader left"
  case .exists(let path): return "\(path): exists already: give -y to replace it, or another name"
  case .isTerminal(let path):
    return "\(path ?? "standard output") is a terminal: pipe the frames, as in "
      + "\"motion-stream … | mpv -\", or give -o FILE"
  case .cannotCarry(let pixelFormat, let siting, let container):
    return "\(container) cannot carry \(pixelFormat) with chroma as in \(siting.rawValue)"
  case .noEncoder(let name, let known):
    return "--encoder cannot be \"\(name)\": "
      + (known.isEmpty
        ? "this libavcodec has no encoder of H.264"
        : "give one of \(known.joined(separator: ", "))")
  case .noEncoderOption(let option, let encoder):
    return "\(encoder) knows no \(option): leave it out"
      + (option == "--crf" ? ", or give --bitrate" : "")
  case .noEncoderWord(let word, let option, let encoder, let known):
    return "\(option) cannot be \"\(word)\" for \(encoder): "
      + "give one of \(known.joined(separator: ", "))"
  case .encoder(let name, let detail):
    return "the encoder \(name) fails: \(detail)"
      + (name == Encoding.defaultEncoder ? "" : "; leave out --encoder to encode without a device")
  case .noLibrary(let name, let detail):
    return "\(name) is needed to encode and cannot be loaded: \(detail)"
  case .muxer(let operation, let path, let detail):
    return "\(path ?? "standard output"): cannot be \(verb(operation)): \(detail.lowercasedFirst)"
  }
}

private func verb(_ operation: StreamOutError.Operation) -> String {
  switch operation {
  case .inspect, .open: "opened"
  case .makeFolder: "made"
  case .write: "written"
  case .close: "closed"
  case .rename: "given its name"
  case .remove: "removed"
  }
}

private func sentence(_ error: VerifyError) -> String {
  switch error {
  case .unreadable(let path, .cannotOpen(let code)):
    return "\(name(path)): cannot be opened: \(text(code))"
  case .unreadable(let path, .cannotRead(let code)):
    return "\(name(path)): cannot be read: \(text(code))"
  case .unreadable(let path, .isDirectory): return "\(name(path)): is a directory: name a file"
  case .unreadable(let path, .tooManyBytes(let limit)):
    return "\(name(path)): is larger than \(limit >> 20) MiB, and no index is: "
      + "name the index first, then the stream"
  case .notAnIndex(let path, let detail):
    return "\(name(path)): is no index of frames\(detail.map { " (\($0))" } ?? ""): "
      + "make one with --index-only"
  case .index(let path, .unknownVersion(let version)):
    return "\(name(path)): is an index of version \(version), and \(FrameIndex.schemaVersion) is "
      + "read here: make it again with --index-only"
  case .index(let path, .number(let member)):
    return "\(name(path)): the index is damaged (its \(member) cannot be): make it again"
  case .index(let path, .frames(let count, let period)):
    return "\(name(path)): the index is damaged (\(counted(UInt64(count), "frame")) of \(period)): "
      + "make it again"
  case .index(let path, .frame(let place)):
    return "\(name(path)): the index is damaged (its frame \(place) contradicts the others): "
      + "make it again"
  case .index(let path, .film):
    return
      "\(name(path)): the index is damaged (what it says of its film is not whole): make it again"
  case .film(let path, let problem):
    return "\(name(path)): \(sentence(problem))"
  case .stream(let path, let difference, let period, let start):
    return "\(name(path)): \(sentence(difference, period: period, start: start))"
  }
}

private func sentence(_ problem: FilmProblem) -> String {
  switch problem {
  case .system(let code): "cannot be read: \(text(code))"
  case .noFilm(let detail): "is no film: \(detail.lowercasedFirst)"
  case .noLibrary(let name, let detail):
    "\(name) is needed to read it and cannot be loaded: \(detail)"
  case .damaged(let frame, let detail):
    "the film is damaged at frame \(frame): \(detail.lowercasedFirst)"
  case .leftOut: "this build reads no films: build it with the package's trait H264"
  }
}

private func sentence(
  _ difference: Verification.Difference, period: Int, start: UInt64
) -> String {
  switch difference {
  case .header(let expected, let found)
  where expected.hasPrefix("YUV4MPEG2 ") && !found.hasPrefix("YUV4MPEG2 "):
    return "it is no Y4M stream, and the index is of one"
  case .header(let expected, let found):
    return "the header differs: \"\(found)\", and by the index \"\(expected)\""
  case .noFrames: return "there is no frame in it"
  case .noFrame(let n, let offset):
    return "bytes that are no frame stand at \(offset), where frame \(n) should begin"
  case .truncated(let n, let bytes, let stride):
    return "it ends in frame \(n), after \(bytes) of its \(stride) bytes"
  case .size(let expected, let found):
    return "its pictures are \(found), and by the index \(expected)"
  case .picture(let n, let place, let distance, let allowed, let shown):
    return "frame \(n), which is \(place) of \(period) in the loop, differs from the index by "
      + "\(distance) of 255, and \(allowed) are let pass"
      + (shown.map { ": it is most like \($0)" } ?? "")
  case .time(let n, let expected, let found):
    func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
    return
      "frame \(n) is shown after \(seconds(found)) seconds, and by the index after \(seconds(expected))"
  case .missing(let frames, let count):
    return "it ends after \(counted(frames, "frame")) of \(count)"
  case .frame(let n, let place, let shown):
    let place = "frame \(n), which is \(place) of \(period) in the loop"
    if shown.isEmpty { return "\(place), differs from the index" }
    let seen = shown.map { "\($0)" }.joined(separator: " or ")
    return "\(place), differs from the index: it shows \(seen)"
      + (n == 0 && start == 0 ? "; give --start \(seen) if the stream begins there" : "")
  }
}

private func counted(_ count: UInt64, _ thing: String) -> String {
  "\(count) \(thing)\(count == 1 ? "" : "s")"
}

/// A container with its article: names that are letters are spoken so, and "raw" and "ts" are not.
private func an(_ container: Container) -> String {
  let name = container.name.uppercased()
  return (["MP4", "MKV", "H264", "FMP4", "FLV"].contains(name) ? "an " : "a ") + name
}

/// The names of the containers that are as asked.
private func names(_ isWanted: (Container) -> Bool) -> String {
  let names = Container.all.filter(isWanted).map(\.name)
  return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
}

/// A kind of file with the article that it is spoken with.
private func a(_ kind: some CustomStringConvertible) -> String {
  (["AVIF", "NPY"].contains(kind.description) ? "an " : "a ") + kind.description
}

private func inMillions(_ count: Int) -> String {
  count % 1_000_000 == 0 ? "\(count / 1_000_000) million" : "\(count)"
}

private func name(_ path: InputPath) -> String {
  switch path {
  case .standardInput: "standard input"
  case .file(""): "\"\""
  case .file, .bytes: path.description
  }
}

func text(_ code: Int32) -> String { String(cString: strerror(code)).lowercasedFirst }

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
