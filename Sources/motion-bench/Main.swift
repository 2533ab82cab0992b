internal import Estimation
internal import FoundationEssentials
internal import KernelTrials
internal import MotionCore
internal import PhotoInput

/// Times the stages of a film, each beside the others in interleaved rounds, and prints medians.
///
///     motion-bench [--json] [--photos|--estimation] [ROUNDS] [PHOTO…]
///
/// `--photos` leaves the still life out, and `--estimation` all but what is estimated.
@main @MainActor
struct Main {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    let isJSON = arguments.first == "--json"
    if isJSON { arguments.removeFirst() }
    let isAboutPhotos = arguments.first == "--photos"
    let isAboutEstimation = arguments.first == "--estimation"
    if isAboutPhotos || isAboutEstimation { arguments.removeFirst() }
    let rounds = arguments.first.flatMap { Int($0) } ?? 5
    let files = arguments.drop { Int($0) != nil }
    guard files.allSatisfy({ !$0.hasPrefix("-") }) else {
      print("usage: motion-bench [--json] [--photos|--estimation] [ROUNDS] [PHOTO…]")
      return
    }
    var cases = isAboutEstimation ? [] : kernelCases()
    if !isAboutPhotos {
      if !isAboutEstimation { cases += try await stillLifeCases() }
      cases += try await largeStillLifeCases()
    }
    var photos: [(name: String, cases: Range<Int>)] = []
    for file in files {
      if !isAboutEstimation {
        let first = cases.count
        cases += try await photoCases(file)
        photos.append((file, first..<cases.count))
      }
      cases += try await estimationCases(file)
    }

    var times = [[Double]](repeating: [], count: cases.count)
    for _ in 0..<max(rounds, 1) {
      for (index, item) in cases.enumerated() {
        let start = ContinuousClock.now
        try await item.run()
        let unit: Duration = item.samples == nil ? .milliseconds(1) : .nanoseconds(1)
        times[index].append((ContinuousClock.now - start) / unit / Double(item.samples ?? 1))
      }
    }
    if isJSON {
      let rows = zip(cases, times.map { $0.sorted() }).map {
        ($0.name, $0.samples == nil ? "ms" : "ns a sample", $1)
      }
      print(json(rows), terminator: "")
      return
    }
    print("   median     least      most  ms, and ns a sample of kernels")
    for (item, times) in zip(cases, times.map { $0.sorted() }) {
      let columns = [times[times.count / 2], times[0], times.last!].map { column($0) }
      print(columns.joined(separator: " "), "", item.name)
    }
    for photo in photos {
      print(
        shares(zip(cases, times).map { ($0, $1.sorted()[$1.count / 2]) }[photo.cases], photo.name))
    }
  }

  /// An object a case.
  private static func json(_ rows: [(name: String, unit: String, times: [Double])]) -> String {
    let objects = rows.map { row in
      let name = row.name.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      return
        "{\"name\":\"\(name)\",\"unit\":\"\(row.unit)\",\"median\":\(row.times[row.times.count / 2]),"
        + "\"least\":\(row.times[0]),\"most\":\(row.times.last!)}"
    }
    return "[\n\(objects.joined(separator: ",\n"))\n]\n"
  }

  struct Case {
    let name: String
    /// What it is of the way to a photograph's first frame; nil for what is measured beside that.
    var stage: Stage?
    /// Of a kernel, how many values a run makes.
    var samples: Int?
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

  /// Every kernel on long rows by each instruction set, beside its plain twin. They must agree.
  static func kernelCases() -> [Case] {
    KernelTrial.timed.flatMap { trial in
      let sets = InstructionSet.all + [.plain]
      let results = sets.map { trial.result($0) }
      precondition(results.allSatisfy { $0 == results[0] }, "\(trial.kernel), \(trial.input)")
      let runs = 1 + 100_000 / trial.samples
      return sets.map { instructions in
        Case(
          name: "\(trial.kernel), \(trial.input): \(instructions.name)",
          samples: runs * trial.samples
        ) {
          for _ in 0..<runs { trial.run(instructions) }
        }
      }
    }
  }

  /// The still life in the sizes of films.
  static func stillLifeCases() async throws -> [Case] {
    var cases: [Case] = []
    for (width, height) in [(1920, 1080), (1280, 720), (1440, 1920), (3840, 2160)] {
      let size = Size(width: width, height: height)
      let picture = await StillLife(size: size).render()
      func scene() async throws -> Scene {
        try await Scene(
          photo: picture.photo, depth: picture.depth, matte: picture.matte, output: size)
      }
      cases += [
        Case(name: "still life \(size): render, all cores") {
          _ = await StillLife(size: size).render()
        },
        Case(name: "still life \(size): scene") { _ = try await scene() },
      ]
      cases += try await frameCases(scene(), "still life", size)
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
    let wide = Size(width: 1920, height: 1080)
    let wideScene = try await Scene(photo: photo, depth: depth, matte: matte, output: wide)
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
    ] + (try await frameCases(wideScene, label, wide))
  }

  /// What estimation takes at 12 megapixels, of the still life as a telephone's 8 bits hold it.
  ///
  /// What is refined are its own coverage and depth, as coarse as networks make theirs.
  static func largeStillLifeCases() async throws -> [Case] {
    let size = Size(width: 4032, height: 3024)
    let (picture, depth, matte) = await StillLife(size: size).render()
    guard case .sixteen(let codes) = picture.samples else { return [] }
    let photo = Photo(
      samples: .eight(codes.map { SIMD4<UInt8>(truncatingIfNeeded: $0 &>> 8) }), hasAlpha: false)
    let label = "still life, \(size)"
    return try await modelCases(photo, label).cases
      + refinementCases(
        photo, label, await matte.coverage.scaled(to: size.scaled(toLongSide: 320)),
        DisparityMap(disparity: await depth.disparity.scaled(to: size.scaled(toLongSide: 512))))
  }

  /// What is estimated of a photograph that says nothing of itself, by the models that are installed,
  /// and what moving that onto its edges takes.
  static func estimationCases(_ name: String) async throws -> [Case] {
    let photo = try PhotoReader.file(at: InputPath(name)).photo
    let label = "\(name.split(separator: "/").last.map(String.init) ?? name), \(photo.size)"
    let (cases, coverage, depth) = try await modelCases(photo, label)
    guard let coverage, let depth else { return cases }
    return cases + (await refinementCases(photo, label, coverage, depth))
  }

  /// Each model that is installed, with what it finds.
  private static func modelCases(_ photo: Photo, _ label: String) async throws -> (
    cases: [Case], coverage: Plane<Float>?, depth: DisparityMap?
  ) {
    guard Worker.isBuilt else { return ([], nil, nil) }
    let folder = ModelFolder(environment: ProcessInfo.processInfo.environment)
    let worker = try Worker(threads: 2, seconds: 120)
    var (cases, coverage, depth) = ([Case](), Plane<Float>?.none, DisparityMap?.none)
    if let model = try folder.find(.lift).0 {
      coverage = try await worker.lift(photo, with: model).coverage
      cases.append(
        Case(name: "\(label): lift by \(model.card.name)") {
          _ = try await worker.lift(photo, with: model)
        })
    }
    if let model = try folder.find(.depth).0 {
      let estimate = try await worker.depth(photo, with: model)
      depth = try DisparityMap(
        samples: estimate.samples, kind: .relative(nearIsWhite: estimate.nearIsWhite, range: 4))
      cases.append(
        Case(name: "\(label): depth by \(model.card.name)") {
          _ = try await worker.depth(photo, with: model)
        })
    }
    return (cases, coverage, depth)
  }

  /// The long sides, in samples, of layers whose mask is refined: those of a film of 1080 rows, and as
  /// fine as the photo is.
  private static let layerSides = [1440, 4032]

  /// What moving a rough coverage and a depth onto the photo's edges takes, as a run does it.
  private static func refinementCases(
    _ photo: Photo, _ label: String, _ coverage: Plane<Float>, _ depth: DisparityMap
  ) async -> [Case] {
    var cases = [Case(name: "\(label): depth refined") { _ = await depth.refined(by: photo) }]
    for side in layerSides where side <= photo.size.longSide {
      let trial = await MaskTrial(
        photo, coverage, density: Double(side) / Double(photo.size.longSide))
      cases += [
        Case(name: "\(label): mask refined in layers of \(trial.size)") {
          _ = await trial.refined()
        },
        Case(name: "\(label): depth, and mask in layers of \(trial.size), refined") {
          _ = await depth.refined(by: photo)
          _ = await trial.refined()
        },
      ]
    }
    return cases
  }

  /// Layers, and of each move poses by every renderer and instruction set on one thread and on two.
  static func frameCases(_ scene: Scene, _ name: String, _ size: Size) async throws -> [Case] {
    let format = try VideoFormat(
      size: size, rate: FrameRate(30)!, pixelFormat: .yuv420p, matrix: .bt709, range: .limited)
    var cases: [Case] = []
    for move in Move.all {
      let framing = Framing(scene, move: move, amount: 1, output: size)
      let loop = Loop(period: 120, move: move, amount: framing.amountUsed)
      let label = "\(name) \(size), \(move)"
      if move == .push {
        cases.append(
          Case(name: "\(label): layers") { _ = await Shot(scene, framing, loop, format) })
      }
      let reference = await Shot(scene, framing, loop, format, renderer: .reference)
      cases.append(Case(name: "\(label): a pose, reference") { _ = reference.frame(25) })
      for instructions in InstructionSet.all {
        let shot = await Shot(scene, framing, loop, format, instructions: instructions)
        for threads in [1, 2] {
          cases.append(
            Case(
              name: "\(label): 8 poses, \(shot.renderer) \(instructions.name), threads: \(threads)"
            ) {
              try await shot.render(
                FrameRange(start: 16, count: 8), threads: threads, cacheBytes: 0
              ) { _ in true }
            })
        }
      }
    }
    return cases
  }

  /// A number with two decimals, in nine places.
  static func column(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let text = "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
  }
}
