internal import MotionCore
internal import PhotoInput

/// Times the stages of a film, each beside the others in interleaved rounds, and prints medians.
///
///     motion-bench [ROUNDS] [PHOTO MATTE]
@main @MainActor
struct Main {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let rounds = arguments.first.flatMap { Int($0) } ?? 5
    let files = arguments.drop { Int($0) != nil }
    var cases = try await stillLifeCases()
    if files.count == 2 { cases += try await photoCases(files.first!, files.last!) }

    var times = [[Double]](repeating: [], count: cases.count)
    for _ in 0..<max(rounds, 1) {
      for (index, item) in cases.enumerated() {
        let start = ContinuousClock.now
        try await item.run()
        times[index].append((ContinuousClock.now - start) / .milliseconds(1))
      }
    }
    print("median ms  least  most  what")
    for (item, times) in zip(cases, times.map { $0.sorted() }) {
      let columns = [times[times.count / 2], times[0], times.last!].map { column($0) }
      print(columns.joined(separator: " "), "", item.name)
    }
  }

  struct Case {
    let name: String
    let run: @MainActor () async throws -> Void
  }

  static let size = Size(width: 1920, height: 1080)

  static func stillLifeCases() async throws -> [Case] {
    let picture = await StillLife(size: size).render()
    let scene = try await Scene(
      photo: picture.photo, depth: picture.depth, matte: picture.matte, output: size)
    return [
      Case(name: "still life, 1080p, all cores") { _ = await StillLife(size: size).render() },
      Case(name: "still life: scene") {
        _ = try await Scene(
          photo: picture.photo, depth: picture.depth, matte: picture.matte, output: size)
      },
    ] + (try await shotCases(scene, "still life", size))
  }

  static func photoCases(_ photo: String, _ matte: String) async throws -> [Case] {
    let path = InputPath(photo)
    let picture = try PhotoReader.photo(at: path)
    let coverage = Matte(coverage: try PhotoReader.matte(at: InputPath(matte)))
    let scene = try await Scene(photo: picture, depth: nil, matte: coverage, output: size)
    return [
      Case(name: "photo: decode \(picture.size)") { _ = try PhotoReader.photo(at: path) },
      Case(name: "photo: scene") {
        _ = try await Scene(photo: picture, depth: nil, matte: coverage, output: size)
      },
    ] + (try await shotCases(scene, "photo", size))
  }

  /// Layers, one frame of each move on one core, and a loop's first round on one and two threads.
  static func shotCases(_ scene: Scene, _ name: String, _ size: Size) async throws -> [Case] {
    let format = try VideoFormat(
      size: size, rate: FrameRate(30)!, pixelFormat: .yuv420p, matrix: .bt709, range: .limited)
    var cases: [Case] = []
    for move in Move.all {
      let framing = Framing(scene, move: move, amount: 1, output: size)
      let loop = Loop(period: 120, move: move, amount: framing.amountUsed)
      for method in Method.allCases {
        let shot = await Shot(scene, framing, loop, format, method)
        cases.append(
          Case(name: "\(name): frame, \(move), \(method.rawValue), one core") {
            _ = shot.frame(25)
          })
      }
      guard move == .push else { continue }
      cases.append(
        Case(name: "\(name): layers, \(move)") { _ = await Shot(scene, framing, loop, format) })
      let shot = await Shot(scene, framing, loop, format)
      for threads in [1, 2] {
        cases.append(
          Case(name: "\(name): 12 poses, \(move), \(threads) threads") {
            try await shot.render(FrameRange(count: 12), threads: threads) { _ in true }
          })
      }
    }
    return cases
  }

  /// A number with one decimal, in nine places.
  static func column(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let text = "\(tenths / 10).\(tenths % 10)"
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
  }
}
