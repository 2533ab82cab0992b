internal import Estimation
internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// A command line that makes no sense.
enum UsageError: Error {
  case unknownOption(String, near: String?)
  case missingValue(Option, name: String)
  case needlessValue(name: String)
  case badValue(Option, name: String, value: String, near: String?)
  case twoPhotos(String, String)
  case conflict([String])
  case cannotCarry(PixelFormat, ChromaSiting, Container)
  /// Only chroma that is subsampled both ways has a choice.
  case noSiting(PixelFormat)
  /// A file's name that says it is to hold what cannot be written.
  case unknownEnding(path: String, String)
  case tooManyFrames
  /// The container takes one frame and more are wanted.
  case oneFrame(Container)
  /// The subject alone needs pixels with alpha.
  case noAlpha(PixelFormat, Container)
  case straightOnly(Container)
  /// Only an encoded film goes to an address.
  case noAddress(String, Container)
  case unknownScheme(String)
  case onlyFilmsAreSent(String)
  case badPort(String, String)
  /// The container's table of contents is written at the end.
  case wantsAnEnd(Container)
  /// The line for a consumer is of frames that are not encoded.
  case noConsumer(Container)
  /// Where the index stands that is made with a film, and not without.
  case indexWithoutFile(Container)
  case tooLarge(Size, Container)
  /// A contact sheet is a PNG, and the file's name says something else.
  case sheetIsNoPNG(String)
  /// The option asks for colours that the container's readers would not see.
  case fixedColours(String, Container)
  /// Nothing says what is near, and no model is there that could; why some that may be meant are not.
  case nothingToCut(isEstimating: Bool, [ModelFolder.Miss])
  /// A range of 1, in which no depth stands out.
  case flatRange
  /// A variable of the environment asks for instructions that there are not here.
  case unknownInstructions(variable: String, value: String, known: [String])
  /// The option of this name is of no use without something that is missing.
  case useless(String, without: Option.Need)
  case twoFromStandardInput
  /// The stream would replace a file that it is made from.
  case outputIsInput(String)
  /// The film and its index would be written into the same file.
  case indexIsOutput(String)
  /// Frames are not found again in what the container makes of them.
  case noIndex(Container)
  /// More frames than an index holds, and than are looked at one by one.
  case loopTooLong(Int)
  /// `verify` compares two files.
  case verifyWantsTwoFiles(Int)
  case notOfVerify(String)
  /// The option contradicts what the photo's file says of the depth in it.
  case depthSaysItself(InputPath, DepthFacts, option: String)
}

extension Settings {
  /// Reads the arguments behind the command's name: `--name value`, `--name=value`, flags, and one
  /// photo; behind `--` everything is a photo's name. A first word `verify` is another command, of an
  /// index and a stream.
  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var optionsEnd = false
    let isVerifying = rest.first == "verify"
    if isVerifying { rest.removeFirst() }
    var verified: [InputPath] = []
    while let argument = rest.first {
      let before = rest
      rest.removeFirst()
      var isOfFilm = true
      defer { if isOfFilm { filmArguments += before.prefix(before.count - rest.count) } }
      if argument == "--", !optionsEnd {
        optionsEnd = true
        continue
      }
      if optionsEnd || !argument.hasPrefix("-") || argument == "-" {
        let path = InputPath(argument: argument)
        if isVerifying {
          verified.append(path)
          continue
        }
        if let photo { throw .twoPhotos(photo.description, path.description) }
        photo = path
        continue
      }
      let equals = argument.hasPrefix("--") ? argument.firstIndex(of: "=") : nil
      let name = String(argument[..<(equals ?? argument.endIndex)])
      guard let option = Option.named(name) else {
        throw .unknownOption(name, near: nearest(to: name, in: Option.all.flatMap(\.names)))
      }
      guard !isVerifying || Option.ofVerify.contains(option.names[0]) else {
        throw .notOfVerify(name)
      }
      var value = equals.map { String(argument[argument.index(after: $0)...]) }
      if option.value == nil {
        guard value == nil else { throw .needlessValue(name: name) }
      } else if value == nil {
        // The next option is no value: this one's was forgotten.
        value = rest.first.flatMap { Option.named($0) } == nil ? rest.popFirst() : nil
        guard value != nil else { throw .missingValue(option, name: name) }
      }
      guard option.take(&self, value ?? "") else {
        throw .badValue(
          option, name: name, value: value ?? "",
          near: nearest(to: value ?? "", in: option.choices))
      }
      given.append((name, option))
      isOfFilm = !option.answers.contains(.task)
    }
    guard task != .help, task != .version else { return }
    if isVerifying {
      guard verified.count == 2 else { throw .verifyWantsTwoFiles(verified.count) }
      guard verified[0] != verified[1] || verified[0] != .standardInput else {
        throw .twoFromStandardInput
      }
      task = .verify(index: verified[0], stream: verified[1])
      return
    }
    for question in Option.Question.all {
      var names: [String] = []
      for (name, option) in given where option.answers.contains(question) {
        if !names.contains(name) { names.append(name) }
      }
      if names.count > 1 { throw .conflict(names) }
    }
    if !task.takesOutput, outputPath != "-",
      let name = given.first(where: { $0.option.answers.contains(.task) })?.name
    {
      throw .conflict([name, "--output"])
    }
    if case .contactSheet(let path) = task, let ending = Container.ending(ofPath: path),
      ending != "png"
    {
      throw .sheetIsNoPNG(path)
    }
    if let path = otherPaths.first(where: { Output.scheme(of: $0) != nil }) {
      throw .onlyFilmsAreSent(path)
    }
    // What a photo's files hold is known later.
    try checkNeeds(met: photo == nil ? [] : Option.Need.ofMaps.union([.photo]))
    if [photo, depth, matte].count(where: { $0 == .standardInput }) > 1 {
      throw .twoFromStandardInput
    }
  }
}

extension Settings {
  /// Refuses an option that would do nothing.
  /// - Parameter met: what there is.
  func checkNeeds(met: Set<Option.Need>) throws(UsageError) {
    let met = met.union(needsMet)
    for (name, option) in given {
      guard let need = option.needs, !met.contains(need) else { continue }
      switch need {
      case .move, .pose, .layers, .subject, .film, .encoder: throw .useless(name, without: need)
      case .photo, .depth, .relativeDepth, .matte, .lift, .depthEstimate, .cut:
        // Whatever it is of, it is of a photo, and what a depth is like matters when there is one.
        if photo == nil { throw .useless(name, without: .photo) }
        let hasNoDepth = need == .relativeDepth && !met.contains(.depth)
        throw .useless(name, without: hasNoDepth ? .depth : need)
      }
    }
  }

  /// What is there whatever the files hold.
  private var needsMet: Set<Option.Need> {
    var met: Set<Option.Need> = [pose == nil ? .move : .pose]
    if method == .layered { met.insert(.layers) }
    if layer == .subject { met.insert(.subject) }
    if task.isOfFilm { met.insert(.film) }
    // What is wrong with the container is said elsewhere.
    if (try? resolvedContainer())?.isEncoded ?? true { met.insert(.encoder) }
    return met
  }
}

/// The candidate that was most likely meant, nil where none is near: at most two slips of the
/// finger, and fewer than half of the letters.
func nearest(to word: String, in candidates: [String]) -> String? {
  // A word that was broken off says more than one that was mistyped.
  let longer = candidates.filter { word.count > 2 && $0.hasPrefix(word) }
  if longer.count == 1 { return longer[0] }
  let distances = candidates.map { ($0, slips($0.lowercased(), word.lowercased())) }
  guard let (candidate, distance) = distances.min(by: { $0.1 < $1.1 }) else { return nil }
  return distance <= 2 && 2 * distance < candidate.count ? candidate : nil
}

/// How many letters are missing, too many, wrong or swapped (optimal string alignment).
private func slips(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a), Array(b))
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        least = min(least, rows[i - 1][j - 1] + 1)
      }
      row.append(least)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
