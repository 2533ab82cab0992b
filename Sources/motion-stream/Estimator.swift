internal import Estimation
internal import FoundationEssentials
internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// What made a map that no file holds.
struct MapMaker {
  /// The model's file, or the words that name a program.
  let name: String
  /// How long it took.
  let seconds: Double
  /// What a model and its card hold, where the settings want to know it.
  var content: String?
}

/// What is to be worked out where no file says it.
enum Estimates: String, CaseIterable {
  case auto, off, lift, depth

  func include(_ kind: ModelCard.Kind) -> Bool { self == .auto || rawValue == kind.rawValue }
}

extension Settings {
  /// Whether a depth is to be guessed even for a photo that is cut out by its own alpha, so that nothing
  /// is known of what is behind it.
  var asksForDepth: Bool { models[.depth] != nil || estimates == .depth }
}

/// How the subject is cut where nothing but the depth says what it is.
enum CutMethod: String, CaseIterable {
  case depth
  case grabCut = "grabcut"
}

/// A picture of how something was worked out, for whoever wants to see it.
enum Stage: String, CaseIterable {
  case lift
  case liftInstance = "lift-instance"
  case liftGated = "lift-gated"
  /// What GrabCut starts from, surely background black and surely subject white, and what it makes of it.
  case seeds = "grabcut-seeds"
  case grabCut = "grabcut"
  case estimatedDepth = "depth-estimated"
  case refinedDepth = "depth-refined"

  /// Whether its samples have a scale of their own.
  var isDepth: Bool { self == .estimatedDepth || self == .refinedDepth }
}

/// What the user may want to know of how the maps came about.
enum Remark: Equatable {
  /// The model found no subject: it is cut from the depth.
  case nothingLifted
  /// Nothing says how far anything is: the background is flat. Whether a model was to say it.
  case flatBackground(isWanted: Bool)
  /// No model finds subjects here: it is cut from the depth.
  case noLiftModel
  /// A model that somebody may think to be installed.
  case missed(ModelFolder.Miss)

  /// Whether it is no more than what was to be expected.
  var isMinor: Bool {
    switch self {
    case .noLiftModel, .missed: true
    case .nothingLifted, .flatBackground: false
    }
  }
}

/// Works out by models and other programs what the photo's files do not say.
struct Estimator {
  let settings: Settings
  /// Its samples may be pending.
  let photo: Photo
  let decoding: Task<Photo, any Error>?

  /// The model of a kind: the one that was named, else an installed one where it is wanted, and what
  /// was missed while that was looked for.
  func model(_ kind: ModelCard.Kind) throws -> (Model?, [ModelFolder.Miss]) {
    if let named = settings.models[kind] {
      guard Worker.isBuilt else { throw EstimationError.leftOut }
      return (try Model(at: named, kind: kind), [])
    }
    guard Worker.isBuilt, settings.estimates.include(kind) else { return (nil, []) }
    return try ModelFolder(environment: ProcessInfo.processInfo.environment).find(kind)
  }

  func lift(with model: Model) async throws -> (Lift, MapMaker) {
    let photo = try await wholePhoto()
    return try await timed(model) { try await $0.lift(photo, with: model) }
  }

  func depth(with model: Model) async throws -> (DepthEstimate, MapMaker) {
    let photo = try await wholePhoto()
    return try await timed(model) { try await $0.depth(photo, with: model) }
  }

  /// The longest side at which the subject's edge is looked for by colours.
  private static let grabCutSide = 640

  /// The subject as what stands out of the depth, its edge found by the photo's colours; nil where
  /// nothing stands out, or the colours part nothing.
  func grabCut(
    _ depth: DisparityMap, _ stages: inout [Stage: Plane<Float>]
  ) async throws -> (Plane<Float>, MapMaker)? {
    let photo = try await wholePhoto()
    let side = min(Self.grabCutSide, photo.size.longSide)
    let size = photo.size.scaled(toLongSide: side)
    guard let seeds = await depth.seeds(at: size, tap: settings.subject) else { return nil }
    let clock = ContinuousClock()
    let start = clock.now
    let pixels = await photo.encoded(at: size)
    let mask = try await Signals.whileChildRuns {
      try Worker(
        threads: 1, seconds: settings.commandSeconds, isCancelled: { Signals.pending != nil }
      ).grabCut(pixels, seeds: seeds)
    }
    (stages[.seeds], stages[.grabCut]) = (seeds.map { $0.sureness }, mask)
    // Colours that are all alike leave nothing, or all.
    guard mask.withUnsafeSamples({ $0.contains(1) && $0.contains(0) }) else { return nil }
    return (mask, MapMaker(name: "GrabCut", seconds: (clock.now - start) / .seconds(1)))
  }

  /// What a program makes of the photo.
  func run<Result>(
    _ command: ExternalCommand, _ read: (InputPath) throws -> Result
  ) async throws -> (Result, MapMaker) {
    let photo = try await wholePhoto()
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await Signals.whileChildRuns {
      try command.run(
        seconds: settings.commandSeconds, isCancelled: { Signals.pending != nil },
        photo: { try Output.file(path: $0, overwrite: false).write(photo.raster()) },
        read: { try read(.file($0)) })
    }
    return (
      result, MapMaker(name: command.text, seconds: (clock.now - start) / .seconds(1))
    )
  }

  /// The photo with its samples.
  func wholePhoto() async throws -> Photo { try await decoding?.value ?? photo }

  private func timed<Result>(
    _ model: Model, _ body: (Worker) async throws -> Result
  ) async throws -> (Result, MapMaker) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await Signals.whileChildRuns {
      try await body(
        Worker(
          threads: settings.threads, seconds: settings.commandSeconds,
          isCancelled: { Signals.pending != nil }))
    }
    let content =
      settings.wantsRecipe
      ? "\(SHA256(model.bytes.span.bytes)) \(SHA256(model.cardBytes.span.bytes))" : nil
    return (
      result,
      MapMaker(name: model.path, seconds: (clock.now - start) / .seconds(1), content: content)
    )
  }
}
