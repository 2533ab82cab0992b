internal import MotionCore
internal import PhotoInput

/// Times the stages of a film, each beside the others in interleaved rounds, and prints medians.
///
///     motion-bench [--json] [ROUNDS] [PHOTO…]
@main @MainActor
struct Main {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    let isJSON = arguments.first == "--json"
    if isJSON { arguments.removeFirst() }
    let rounds = arguments.first.flatMap { Int($0) } ?? 5
    let files = arguments.drop { Int($0) != nil }
    var cases = try await stillLifeCases() + sizeCases()
    var photos: [(name: String, cases: Range<Int>)] = []
    for file in files {
      let first = cases.count
      cases += try await photoCases(file)
      photos.append((file, first..<cases.count))
    }

    var times = [[Double]](repeating: [], count: cases.count)
    for _ in 0..<max(rounds, 1) {
      for (index, item) in cases.enumerated() {
        let start = ContinuousClock.now
        try await item.run()
        times[index].append((ContinuousClock.now - start) / .milliseconds(1))
      }
    }
    if isJSON {
      print(json(zip(cases, times.map { $0.sorted() }).map { ($0.name, $1) }), terminator: "")
      return
    }
    print("median ms  least  most  what")
    for (item, times) in zip(cases, times.map { $0.sorted() }) {
      let columns = [times[times.count / 2], times[0], times.last!].map { column($0) }
      print(columns.joined(separator: " "), "", item.name)
    }
    for photo in photos {
      print(
        shares(zip(cases, times).map { ($0, $1.sorted()[$1.count / 2]) }[photo.cases], photo.name))
    }
  }

  /// An object a case, with milliseconds.
  private static func json(_ rows: [(name: String, times: [Double])]) -> String {
    let objects = rows.map { row in
      let name = row.name.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      return
        "{\"name\":\"\(name)\",\"median\":\(row.times[row.times.count / 2]),"
        + "\"least\":\(row.times[0]),\"most\":\(row.times.last!)}"
    }
    return "[\n\(objects.joined(separator: ",\n"))\n]\n"
  }

  struct Case {
    let name: String
    /// What it is of the way to a photograph's first frame; nil for what is measured beside that.
    var stage: Stage?
    let run: @MainActor () async throws -> Void
  }

  /// The parts of the way to a photograph's first frame.
  enum Stage: String, CaseIterable {
    case decode, scene, framing, layers, colour, draw
  }

  /// What part of the way each stage takes, one after the other. Colour is what the layers take longer
  /// for colours that are converted.
  static func shares(_ cases: ArraySlice<(Case, milliseconds: Double)>, _ name: String) -> String {
    var times: [Stage: Double] = [:]
    for (item, milliseconds) in cases {
      if let stage = item.stage { times[stage] = milliseconds }
    }
    let layers = times[.layers]!
    let plain = min(times[.colour]!, layers)
    (times[.layers], times[.colour]) = (plain, layers - plain)
    let whole = times.values.reduce(0, +)
    let parts = Stage.allCases.map { stage in
      "\(stage.rawValue) \(Int((100 * times[stage]! / whole).rounded())) %"
    }
    return "\(name): \(Int(whole.rounded())) ms stage by stage: " + parts.joined(separator: ", ")
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

  /// Poses of every move at other sizes, on one thread and on two.
  static func sizeCases() async throws -> [Case] {
    let sizes = [(1280, 720), (1440, 1920), (3840, 2160)]
    var cases: [Case] = []
    for (width, height) in sizes {
      let size = Size(width: width, height: height)
      let picture = await StillLife(size: size).render()
      let scene = try await Scene(
        photo: picture.photo, depth: picture.depth, matte: picture.matte, output: size)
      for move in Move.all {
        let framing = Framing(scene, move: move, amount: 1, output: size)
        let loop = Loop(period: 120, move: move, amount: framing.amountUsed)
        let format = try VideoFormat(
          size: size, rate: FrameRate(30)!, pixelFormat: .yuv420p, matrix: .bt709, range: .limited)
        let shot = await Shot(scene, framing, loop, format)
        for threads in [1, 2] {
          cases.append(
            Case(name: "still life \(size): 8 poses, \(move), threads: \(threads)") {
              try await shot.render(FrameRange(count: 8), threads: threads) { _ in true }
            })
        }
      }
    }
    return cases
  }

  /// The way from a photograph with its depth or matte inside to its first frame, 1080 high.
  static func photoCases(_ name: String) async throws -> [Case] {
    let path = InputPath(name)
    let file = try PhotoReader.file(at: path)
    let (photo, depth) = (file.photo, file.depth?.map)
    let matte = file.matte.map { Matte(coverage: $0, source: .embedded) }
    let size = Size(width: photo.size.width * 1080 / photo.size.height / 2 * 2, height: 1080)
    let format = try VideoFormat(
      size: size, rate: FrameRate(30)!, pixelFormat: .yuv420p, matrix: .bt709, range: .limited)
    // The same samples without a word on their colours: the difference is what those cost.
    let untagged = Photo(samples: photo.samples, hasAlpha: photo.hasAlpha)
    let (scene, plain) = (
      try await Scene(photo: photo, depth: depth, matte: matte, output: size),
      try await Scene(photo: untagged, depth: depth, matte: matte, output: size)
    )
    let framing = Framing(scene, move: .push, amount: 1, output: size)
    let loop = Loop(period: 120, move: .push, amount: framing.amountUsed)
    let shot = await Shot(scene, framing, loop, format)
    let label = name.split(separator: "/").last.map(String.init) ?? name
    return [
      Case(name: "\(label), \(photo.size): decode with its maps", stage: .decode) {
        _ = try PhotoReader.file(at: path)
      },
      Case(name: "\(label): scene", stage: .scene) {
        _ = try await Scene(photo: photo, depth: depth, matte: matte, output: size)
      },
      Case(name: "\(label): framing", stage: .framing) {
        _ = Framing(scene, move: .push, amount: 1, output: size)
      },
      Case(name: "\(label): layers", stage: .layers) {
        _ = await Shot(scene, framing, loop, format)
      },
      Case(name: "\(label): layers, colours not converted", stage: .colour) {
        _ = await Shot(plain, framing, loop, format)
      },
      Case(name: "\(label): frame \(size), one core", stage: .draw) { _ = shot.frame(0) },
    ]
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
        for renderer in Renderer.allCases {
          let shot = await Shot(scene, framing, loop, format, method, renderer: renderer)
          guard shot.renderer == renderer else { continue }
          cases.append(
            Case(name: "\(name): frame, \(move), \(method.rawValue), \(renderer), one core") {
              _ = shot.frame(25)
            })
        }
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
