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
///
/// The last judges how the still life is cut out of a degraded depth, at a size of 4:3.
/// `scripts/kill-test.sh` makes a page of them.
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

  private static func judge(_ arguments: [String]) async throws {
    let (folder, name, photo) = (arguments[0], arguments[1], InputPath(arguments[2]))
    let named = (arguments.dropFirst(3) + ["-", "-"]).prefix(2).map {
      $0 == "-" ? nil : InputPath($0)
    }
    let (scene, size) = try await scene(photo: photo, depth: named[0], matte: named[1])
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

  private static func scene(
    photo path: InputPath, depth: InputPath?, matte: InputPath?
  ) async throws -> (Scene, Size) {
    let file = try PhotoReader.file(at: path)
    let coverage = try matte.map { try PhotoReader.matte(at: $0) } ?? file.matte
    let subject = coverage.map { Matte(coverage: $0) }
    var (map, samples) = (file.depth?.map, file.depth?.unexplained)
    if let depth {
      switch try PhotoReader.depthFile(at: depth) {
      case .embedded(let embedded): (map, samples) = (embedded.map, embedded.unexplained)
      case .samples(let plain): samples = plain
      }
    }
    if let samples {
      // As the command takes a depth that does not say what it means.
      let isWhite =
        await DisparityMap.nearIsWhite(samples, matte: subject, photo: file.photo) ?? true
      map = try DisparityMap(samples: samples, kind: .relative(nearIsWhite: isWhite, range: 4))
    }
    let scale = min(1, Double(longSide) / Double(file.photo.size.longSide))
    let size = Size(
      width: max(Int(Double(file.photo.size.width) * scale / 2) * 2, 2),
      height: max(Int(Double(file.photo.size.height) * scale / 2) * 2, 2))
    let scene = try await Scene(
      photo: file.photo, depth: map, matte: subject, output: size)
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
    let unit = [1, 10, 100][places]
    let whole = Int((value * Double(unit)).rounded())
    let digits = "\(abs(whole) % unit)"
    let sign = whole < 0 ? "-" : ""
    return sign + "\(abs(whole) / unit)."
      + String(repeating: "0", count: places - digits.count) + digits
  }
}
