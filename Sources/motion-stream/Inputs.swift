internal import Estimation
internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// What the samples of a depth mean, as `--info` says it.
struct DepthFacts {
  let kind: Settings.DepthMeaning
  /// Which end is near, white or black; nil where the kind alone says it.
  let near: Settings.Near?
  /// The file, where it is another than the photo's.
  var path: InputPath?
  /// Whether the file was turned as the photo was.
  var isTurned = false
}

/// What of the photo's file is there, cannot be used and is done without, and why.
enum PassedOver {
  /// Of the roles, `photo` is the photo before it was edited.
  case part(PhotoInputError.Role, PhotoInputError.Problem)
  /// A further picture that may be a map.
  case untold(PhotoInputError.Problem)
}

/// The photo and what there is to cut it by: the files and programs the user named, else what the
/// photo's own file holds, else what lies beside it by its name, else what models make of it.
struct Inputs {
  /// Its samples may be pending.
  let photo: Photo
  let decoding: Task<Photo, any Error>?
  /// Which of the file's two photos it is; nil where there is only one.
  let variant: PhotoVariant?
  let depth: DisparityMap?
  let depthFacts: DepthFacts?
  let matte: Matte?
  /// Where the matte was read from, where it is another file than the photo's, and whether that was
  /// turned as the photo was.
  let mattePath: InputPath?
  let matteIsTurned: Bool
  /// What made the maps that are in no file.
  let matteMaker: MapMaker?
  let depthMaker: MapMaker?
  /// How a subject and a depth were found that no file says.
  let stages: [Stage: Plane<Float>]
  let remarks: [Remark]
  let passedOver: [PassedOver]
  /// What the files that were read hold; empty unless the settings want to know it.
  let contents: [PhotoInputError.Role: SHA256]

  static func read(photo path: InputPath, _ settings: Settings) async throws -> Inputs {
    var maps: Set<PhotoInputError.Role> = []
    if !settings.givesDepth { maps.insert(.depth) }
    if !settings.givesMatte { maps.insert(.matte) }
    var contents: [PhotoInputError.Role: SHA256] = [:]
    let file = try PhotoReader.open(
      at: path, variant: settings.photoVariant, maps: maps, maxPixels: settings.maxPixels
    ) { if settings.wantsRecipe { contents[.photo] = SHA256($0) } }
    return try await file.decoding.readable {
      try await Inputs(file, contents, at: path, settings)
    }
  }

  private init(
    _ file: PhotoFile, _ given: [PhotoInputError.Role: SHA256], at photoPath: InputPath,
    _ settings: Settings
  ) async throws {
    var contents = given
    func keep(_ bytes: RawSpan, _ role: PhotoInputError.Role) {
      if settings.wantsRecipe { contents[role] = SHA256(bytes) }
    }
    (photo, decoding, variant) = (file.photo, file.decoding, file.variant)
    passedOver =
      PhotoInputError.Role.allCases.compactMap { role in
        file.broken[role].map { .part(role, $0) }
      } + (file.untold.map { [.untold($0)] } ?? [])
    // Whoever names a file of his own does not depend on what is broken in the photo's.
    if !settings.givesDepth, !settings.givesMatte {
      for role in [PhotoInputError.Role.depth, .matte] {
        guard let problem = file.broken[role] else { continue }
        throw PhotoInputError(path: photoPath, problem: .embedded(role, problem))
      }
    }

    let estimator = Estimator(settings: settings, photo: photo, decoding: decoding)
    var (stages, remarks) = ([Stage: Plane<Float>](), [Remark]())
    var (found, lift, matteMaker, depthMaker) = (
      Matte?.none, Lift?.none, MapMaker?.none, MapMaker?.none
    )
    var (path, isTurned) = (InputPath?.none, false)

    var misses: [ModelFolder.Miss] = []
    func model(_ kind: ModelCard.Kind) throws -> Model? {
      let (model, missed) = try estimator.model(kind)
      for miss in missed where !misses.contains(miss) { misses.append(miss) }
      return model
    }

    // The matte first: it says which end of the depth is near.
    let hasMatte = file.matte != nil || photo.hasAlpha
    func coverage(_ path: InputPath) throws(PhotoInputError) -> Plane<Float> {
      try PhotoReader.matte(at: path, maxPixels: settings.maxPixels) { keep($0, .matte) }
    }
    if let command = settings.matteCommand {
      let (coverage, maker) = try await estimator.run(command) { path in
        try command.reading(.matte) { () throws(PhotoInputError) in try coverage(path) }
      }
      found = Self.matte(Self.fitted(coverage, to: photo).map, .command, settings)
      matteMaker = maker
    } else if let named = MapFile(.matte, settings.matte, beside: hasMatte ? nil : photoPath) {
      let read = try named.read(coverage)
      let (fitted, turned) = Self.fitted(read, to: photo)
      found = Self.matte(fitted, named.source, settings)
      (path, isTurned) = (named.path, turned)
    } else if let own = file.matte {
      found = Self.matte(own, .embedded, settings)
    } else if !photo.hasAlpha, let model = try model(.lift) {
      (lift, matteMaker) = try await estimator.lift(with: model)
      stages[.lift] = lift?.coverage
    }

    // What was lifted tells near from far as well as any other matte.
    let subject = found ?? lift.flatMap { $0.hasSubject ? Matte(coverage: $0.coverage) : nil }
    func depthFile(_ path: InputPath) throws(PhotoInputError) -> DepthFile {
      try PhotoReader.depthFile(at: path, maxPixels: settings.maxPixels) { keep($0, .depth) }
    }
    if let command = settings.depthCommand {
      let (read, maker) = try await estimator.run(command) { path in
        try command.reading(.depth) { () throws(PhotoInputError) in try depthFile(path) }
      }
      let named = MapFile(.depth, of: command)
      (depth, depthFacts) = try await Self.depth(read, named, settings, photo, subject)
      depthMaker = maker
    } else if let named = MapFile(
      .depth, settings.depth, beside: file.depth == nil ? photoPath : nil)
    {
      (depth, depthFacts) = try await Self.depth(
        try named.read(depthFile), named, settings, photo, subject)
    } else if let own = file.depth {
      (depth, depthFacts) = try await Self.depth(
        own, in: photoPath, isPhoto: true, .embedded, settings, photo, subject)
    } else if found != nil || !photo.hasAlpha || settings.asksForDepth,
      let model = try model(.depth)
    {
      let (estimate, maker) = try await estimator.depth(with: model)
      let (guess, facts) = try Self.depth(estimate, settings)
      let refined = await guess.refined(by: try await estimator.wholePhoto())
      (depth, depthFacts, depthMaker) = (refined, facts, maker)
      (stages[.estimatedDepth], stages[.refinedDepth]) = (guess.disparity, refined.disparity)
    } else {
      (depth, depthFacts) = (nil, nil)
    }
    if depth == nil, found == nil, lift == nil, !photo.hasAlpha {
      throw UsageError.nothingToCut(isEstimating: settings.estimates != .off, misses)
    }
    remarks += misses.map { .missed($0) }

    var met: Set<Option.Need> = [.photo]
    if found != nil { met.insert(.matte) }
    if lift != nil { met.insert(.lift) }
    if let depthFacts {
      met.insert(depthMaker != nil && settings.depthCommand == nil ? .depthEstimate : .depth)
      if depthFacts.near != nil { met.insert(.relativeDepth) }
    }
    if let lift {
      found = await Self.subject(of: lift, depth, tap: settings.subject, &stages)
      if found == nil {
        if depth == nil { throw PlanError.nothingLifted(photoPath) }
        remarks.append(.nothingLifted)
        matteMaker = nil
      } else if depth == nil {
        remarks.append(.flatBackground(isWanted: settings.estimates.include(.depth)))
      }
    }
    if found == nil, !photo.hasAlpha, let depth {
      met.insert(.cut)
      if lift == nil, settings.estimates.include(.lift) { remarks.append(.noLiftModel) }
      if settings.cut == .grabCut, let (mask, maker) = try await estimator.grabCut(depth, &stages) {
        found = Matte(coverage: mask, isRough: true, source: .grabCut)
        matteMaker = maker
      }
    }
    (matte, mattePath, matteIsTurned) = (found, path, isTurned)
    (self.matteMaker, self.depthMaker) = (matteMaker, depthMaker)
    (self.stages, self.remarks, self.contents) = (stages, remarks, contents)
    try settings.checkNeeds(met: met)
  }

  /// The one subject of a lift that is meant, without what lies far behind it; nil where nothing, or
  /// hardly anything else, was found.
  ///
  /// Depth parts what hangs together only for a tap, which says that a part is meant. And a depth that
  /// was guessed gates nothing: networks that find subjects know edges better than those that guess
  /// depth.
  private static func subject(
    of lift: Lift, _ depth: DisparityMap?, tap: SIMD2<Double>?,
    _ stages: inout [Stage: Plane<Float>]
  ) async -> Matte? {
    let nearness = await depth?.nearness(at: lift.coverage.size)
    guard lift.hasSubject,
      let instance = lift.coverage.instance(under: tap, depth: tap == nil ? nil : nearness)
    else { return nil }
    stages[.liftInstance] = instance
    guard let nearness, depth?.source != .estimated else { return credible(instance) }
    let gated = instance.gated(by: nearness)
    stages[.liftGated] = gated
    return credible(gated)
  }

  private static func credible(_ coverage: Plane<Float>) -> Matte? {
    credibleShares.contains(coverage.mean)
      ? Matte(coverage: coverage, isRough: true, source: .lift) : nil
  }

  /// How much of a photo a subject can be.
  private static let credibleShares: ClosedRange<Float> = 0.002...0.97

  /// A map as it lies, or turned as the photo was where only then it has the photo's shape.
  private static func fitted(
    _ map: Plane<Float>, to photo: Photo
  ) -> (map: Plane<Float>, isTurned: Bool) {
    let turned = Size(width: map.height, height: map.width)
    guard (5...8).contains(photo.orientation), !Scene.hasAspect(map.size, of: photo.size),
      Scene.hasAspect(turned, of: photo.size)
    else { return (map, false) }
    return (map.turnedUpright(fromEXIF: photo.orientation), true)
  }

  private static func matte(
    _ coverage: Plane<Float>, _ source: Source, _ settings: Settings
  ) -> Matte {
    Matte(coverage: settings.invertsMatte ? coverage.map { 1 - $0 } : coverage, source: source)
  }

  /// A depth that a model guessed.
  private static func depth(
    _ estimate: DepthEstimate, _ settings: Settings
  ) throws -> (DisparityMap, DepthFacts) {
    let isWhite =
      switch settings.near ?? .auto {
      case .auto: estimate.nearIsWhite
      case .white: true
      case .black: false
      }
    return (
      try DisparityMap(
        samples: estimate.samples,
        kind: .relative(nearIsWhite: isWhite, range: settings.depthRange ?? 4),
        source: .estimated),
      DepthFacts(kind: .relative, near: isWhite ? .white : .black)
    )
  }

  private static func depth(
    _ read: DepthFile, _ file: MapFile, _ settings: Settings, _ photo: Photo, _ matte: Matte?
  ) async throws -> (DisparityMap, DepthFacts) {
    switch read {
    case .embedded(let depth):
      return try await Self.depth(
        depth, in: file.path, isPhoto: false, file.source, settings, photo, matte)
    case .samples(let samples):
      let (fitted, isTurned) = fitted(samples, to: photo)
      var result = try await Self.depth(
        fitted, in: file.path, isPhoto: false, file.source, settings, photo, matte)
      result.1.isTurned = isTurned
      return result
    }
  }

  /// A depth in a photo, which says what it means or leaves that to the options.
  private static func depth(
    _ embedded: EmbeddedDepth, in path: InputPath, isPhoto: Bool, _ source: Source,
    _ settings: Settings, _ photo: Photo, _ matte: Matte?
  ) async throws -> (DisparityMap, DepthFacts) {
    if let samples = embedded.unexplained {
      return try await depth(samples, in: path, isPhoto: isPhoto, source, settings, photo, matte)
    }
    return (
      DisparityMap(disparity: embedded.map.disparity, source: source),
      try DepthFacts(embedded, in: path, isPhoto: isPhoto, settings)
    )
  }

  private static func depth(
    _ samples: Plane<Float>, in path: InputPath, isPhoto: Bool, _ source: Source,
    _ settings: Settings, _ photo: Photo, _ matte: Matte?
  ) async throws -> (DisparityMap, DepthFacts) {
    let meaning = settings.depthMeaning ?? .relative
    var near: Settings.Near?
    let kind: DepthKind
    switch meaning {
    case .relative:
      let isWhite =
        switch settings.near ?? .auto {
        case .auto: await DisparityMap.nearIsWhite(samples, matte: matte, photo: photo) ?? true
        case .white: true
        case .black: false
        }
      near = isWhite ? .white : .black
      kind = .relative(nearIsWhite: isWhite, range: settings.depthRange ?? 4)
    case .disparity: kind = .disparity
    case .metric: kind = .metric
    }
    do {
      return (
        try DisparityMap(samples: samples, kind: kind, source: source),
        DepthFacts(kind: meaning, near: near, path: isPhoto ? nil : path)
      )
    } catch {
      throw PlanError.depth(path, error)
    }
  }
}

extension Task<Photo, any Error>? {
  /// What `body` makes while the photo is being decoded; what keeps that from being read is thrown
  /// before any error of `body`.
  func readable<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch {
      _ = try await self?.value
      throw error
    }
  }
}

/// A file of its own for a depth or a matte.
private struct MapFile {
  let role: PhotoInputError.Role
  let path: InputPath
  let source: Source

  /// The file the user named, else the one beside a photo.
  init?(_ role: PhotoInputError.Role, _ named: InputPath?, beside photo: InputPath?) {
    self.role = role
    if let named {
      (path, source) = (named, .file)
    } else if let found = photo.flatMap({ Sidecar.find(role, beside: $0) }) {
      (path, source) = (found, .sidecar)
    } else {
      return nil
    }
  }

  /// What a program wrote, which is called by that program's name and is no file that stays.
  init(_ role: PhotoInputError.Role, of command: ExternalCommand) {
    (self.role, path, source) = (role, .file(command.name), .command)
  }

  /// - Throws: a `PlanError` for what the user did not name.
  func read<Result>(_ read: (InputPath) throws(PhotoInputError) -> Result) throws -> Result {
    do {
      return try read(path)
    } catch {
      if source == .sidecar { throw PlanError.sidecar(role, error) }
      throw error
    }
  }
}

extension ExternalCommand {
  /// - Throws: a `PlanError` that names the program, since what it wrote will be gone.
  fileprivate func reading<Result>(
    _ role: PhotoInputError.Role, _ read: () throws(PhotoInputError) -> Result
  ) throws(PlanError) -> Result {
    do {
      return try read()
    } catch {
      throw .made(role, by: self, error.problem)
    }
  }
}

extension Plane<Float> {
  fileprivate var mean: Float {
    withUnsafeSamples { samples in
      var sum: Float = 0
      for value in samples { sum += value }
      return sum / Float(Swift.max(samples.count, 1))
    }
  }
}

extension DepthFacts {
  /// - Parameters:
  ///   - path: the file that holds it.
  ///   - isPhoto: whether that is the photo's own.
  /// - Throws: `depthSaysItself` for an option that says otherwise.
  fileprivate init(
    _ embedded: EmbeddedDepth, in path: InputPath, isPhoto: Bool, _ settings: Settings
  ) throws(UsageError) {
    kind =
      switch embedded.kind {
      case .relative: .relative
      case .disparity: .disparity
      case .metric: .metric
      }
    near = embedded.nearIsWhite ? .white : .black
    self.path = isPhoto ? nil : path
    let contradictions = [
      ("--depth-kind", settings.depthMeaning.map { $0 != kind } ?? false),
      ("--near", settings.near.map { $0 != near && $0 != .auto } ?? false),
      ("--depth-range", settings.depthRange != nil),
    ]
    for case (let option, true) in contradictions {
      throw .depthSaysItself(path, self, option: option)
    }
  }
}
