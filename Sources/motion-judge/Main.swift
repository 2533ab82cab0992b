internal import Estimation
internal import FoundationEssentials
internal import MotionCore
internal import PhotoInput
internal import StreamOut

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Judges one photo: every move at its farthest pose, layered beside one sheet. Writes a strip of
/// pictures a move, FOLDER/NAME-MOVE.png, and prints a row of figures a move and method.
///
///     motion-judge FOLDER NAME PHOTO [DEPTH|- [MATTE|-]]
///     motion-judge --heading
///     motion-judge --cut WIDTHxHEIGHT
///     motion-judge --estimates PHOTO [DEPTH|- [MATTE|-]]
///
/// `scripts/kill-test.sh` makes a page of the strips and rows. `--cut` judges how the still life is cut
/// out of a degraded depth, at a size of 4:3; `--estimates` what the models that are installed make of a
/// photo, by its own depth and matte or those that are named.
@main @MainActor
struct Main {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--heading"] {
      print(heading)
      return
    }
    if arguments.count == 2, arguments[0] == "--cut" {
      await cut(arguments[1])
      return
    }
    if (2...4).contains(arguments.count), arguments[0] == "--estimates" {
      do {
        try await estimates(arguments.dropFirst())
      } catch {
        end("\(error)", status: 1)
      }
      return
    }
    guard (3...5).contains(arguments.count) else {
      end("usage: motion-judge FOLDER NAME PHOTO [DEPTH|- [MATTE|-]]", status: 2)
    }
    do {
      try await judge(arguments)
    } catch {
      end("\(error)", status: 1)
    }
  }

  private static func end(_ line: String, status: Int32) -> Never {
    let bytes = Array("motion-judge: \(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(status)
  }

  private static func cut(_ text: String) async {
    let sides = text.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ (16...16384).contains($0) }) else {
      end("usage: motion-judge --cut WIDTHxHEIGHT", status: 2)
    }
    do {
      let trial = try await CutTrial(size: Size(width: sides[0], height: sides[1]))
      print("outline\tmean px\tnine of ten px")
      for (name, miss) in [("as cut", trial.asCut), ("refined", trial.refined)] {
        print("\(name)\t\(decimal(miss.mean, 2))\t\(decimal(miss.most, 2))")
      }
      print("depth beside it\tmean error of δ / 1000")
      print("enlarged\t\(decimal(trial.depthEnlarged * 1000, 2))")
      print("refined\t\(decimal(trial.depthRefined * 1000, 2))")
    } catch {
      end("\(error)", status: 1)
    }
  }

  /// Prints how well depth and subject are estimated, so far as it is known what they are.
  private static func estimates(_ names: some Collection<String>) async throws {
    let maps = try await Maps(names)
    let (photo, folder) = (
      maps.photo, ModelFolder(environment: ProcessInfo.processInfo.environment)
    )
    let worker = try Worker(threads: 2, seconds: 120)
    var (rows, guess): ([(String, Double?)], DisparityMap?) = ([], nil)
    if let model = try folder.find(.depth).0 {
      let estimate = try await worker.depth(photo, with: model)
      let map = try DisparityMap(
        samples: estimate.samples,
        kind: .relative(nearIsWhite: estimate.nearIsWhite, range: 4), source: .estimated)
      guess = map
      if let depth = maps.depth {
        let own = await depth.disparity.scaled(to: map.disparity.size)
        rows.append(("guessed depth: rank correlation", map.disparity.rankCorrelation(with: own)))
      }
    }
    if let matte = maps.matte, let model = try folder.find(.lift).0 {
      let lift = try await worker.lift(photo, with: model).coverage
      let trial = try await LiftTrial(
        photo, lift: lift, matte: matte, depth: maps.depth, guess: guess)
      rows += [
        ("lift: overlap with the matte", trial.asFound),
        ("gated by the depth", trial.gated), ("gated by the guess", trial.gatedByGuess),
        ("in layers, refined and feathered", trial.inLayers),
      ]
    }
    guard !rows.isEmpty else {
      end(
        "\(maps.path): nothing to compare: it needs a model (MOTION_STREAM_MODELS) and, for the depth, "
          + "a depth, for the lift a matte", status: 1)
    }
    for case (let name, let figure?) in rows { print("\(name)\t\(decimal(figure, 4))") }
  }

  private static func judge(_ arguments: [String]) async throws {
    let (folder, name) = (arguments[0], arguments[1])
    let (scene, size) = try await scene(Maps(arguments.dropFirst(2)))
    let format = try VideoFormat(
      size: size, rate: FrameRate(30)!, pixelFormat: .rgb24, matrix: .bt709, range: .full)
    for move in Move.all {
      let judge = await Judge(scene, move: move, format)
      var verdicts: [Judge.Verdict] = []
      for method in Method.allCases { verdicts.append(await judge.judge(method)) }
      for verdict in verdicts { print(row(name, move, verdict)) }
      let strip = Output.file(path: "\(folder)/\(name)-\(move).png", overwrite: true)
      try strip.write(await judge.strip(verdicts))
    }
  }

  /// Edges are judged at this size, or the photo's own if that is smaller.
  private static let longSide = 1280

  private static func scene(_ maps: Maps) async throws -> (Scene, Size) {
    let photo = maps.photo
    let scale = min(1, Double(longSide) / Double(photo.size.longSide))
    let size = Size(
      width: max(Int(Double(photo.size.width) * scale / 2) * 2, 2),
      height: max(Int(Double(photo.size.height) * scale / 2) * 2, 2))
    let scene = try await Scene(
      photo: photo, depth: maps.depth, matte: maps.matte.map { Matte(coverage: $0) }, output: size)
    return (scene, size)
  }

  // MARK: - The table

  /// THE TABLE of columns: a new one is a new row.
  private static let columns: [(title: String, value: @Sendable (EdgeFigures) -> String)] = [
    ("points", { "\($0.points)" }),
    ("sharpness", { decimal($0.sharpness, 2) }),
    ("softened %", { decimal($0.softened * 100, 1) }),
    ("doubled %", { decimal($0.doubled * 100, 1) }),
    ("stretched %", { decimal($0.stretched * 100, 2) }),
    ("bled %", { $0.bled.map { decimal($0 * 100, 1) } ?? "-" }),
  ]

  private static var heading: String {
    (["photo", "move", "method"] + columns.map(\.title)).joined(separator: "\t")
  }

  private static func row(_ name: String, _ move: Move, _ verdict: Judge.Verdict) -> String {
    let values = columns.map { $0.value(verdict.figures) }
    return ([name, "\(move)", verdict.method.rawValue] + values).joined(separator: "\t")
  }

  nonisolated private static func decimal(_ value: Double, _ places: Int) -> String {
    let unit = [1, 10, 100, 1000, 10_000][places]
    let whole = Int((value * Double(unit)).rounded())
    let digits = "\(abs(whole) % unit)"
    let sign = whole < 0 ? "-" : ""
    return sign + "\(abs(whole) / unit)."
      + String(repeating: "0", count: places - digits.count) + digits
  }
}

/// A photo with the depth and the matte that are named behind it, or that it holds.
private struct Maps {
  let path: InputPath
  let photo: Photo
  let depth: DisparityMap?
  let matte: Plane<Float>?

  /// - Parameter names: of the photo, the depth and the matte, the last two `-` or left out where the
  ///   photo's own are meant.
  init(_ names: some Collection<String>) async throws {
    path = InputPath(names.first!)
    let named = (names.dropFirst() + ["-", "-"]).prefix(2).map { $0 == "-" ? nil : InputPath($0) }
    let file = try PhotoReader.file(at: path)
    photo = file.photo
    matte = try named[1].map { try PhotoReader.matte(at: $0) } ?? file.matte
    var (map, samples) = (file.depth?.map, file.depth?.unexplained)
    if let name = named[0] {
      switch try PhotoReader.depthFile(at: name) {
      case .embedded(let embedded): (map, samples) = (embedded.map, embedded.unexplained)
      case .samples(let plain): samples = plain
      }
    }
    if let samples {
      // As the command takes a depth that does not say what it means.
      let isWhite =
        await DisparityMap.nearIsWhite(
          samples, matte: matte.map { Matte(coverage: $0) }, photo: photo) ?? true
      map = try DisparityMap(samples: samples, kind: .relative(nearIsWhite: isWhite, range: 4))
    }
    depth = map
  }
}
