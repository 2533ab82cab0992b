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

/// The photo and what there is to cut it by: the files the user named, else what the photo's own
/// file holds, else what lies beside it by its name.
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
  let passedOver: [PassedOver]
  /// What the files that were read hold; empty unless the settings want to know it.
  let contents: [PhotoInputError.Role: SHA256]

  static func read(photo path: InputPath, _ settings: Settings) async throws -> Inputs {
    var maps: Set<PhotoInputError.Role> = []
    if settings.depth == nil { maps.insert(.depth) }
    if settings.matte == nil { maps.insert(.matte) }
    var contents: [PhotoInputError.Role: SHA256] = [:]
    let file = try PhotoReader.open(
      at: path, variant: settings.photoVariant, maps: maps, maxPixels: settings.maxPixels
    ) { if settings.wantsRecipe { contents[.photo] = SHA256($0) } }
    return try await file.decoding.readable {
      try await Inputs(file, contents, at: path, settings)
    }
  }

  private init(
    _ file: PhotoFile, _ given: [PhotoInputError.Role: SHA256], at path: InputPath,
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
    if settings.depth == nil, settings.matte == nil {
      for role in [PhotoInputError.Role.depth, .matte] {
        guard let problem = file.broken[role] else { continue }
        throw PhotoInputError(path: path, problem: .embedded(role, problem))
      }
    }

    // The matte first: it says which end of the depth is near.
    let hasMatte = file.matte != nil || photo.hasAlpha
    if let named = MapFile(.matte, settings.matte, beside: hasMatte ? nil : path) {
      let coverage = try named.read { (path) throws(PhotoInputError) in
        try PhotoReader.matte(at: path, maxPixels: settings.maxPixels) { keep($0, .matte) }
      }
      let (fitted, isTurned) = Self.fitted(coverage, to: photo)
      matte = Self.matte(fitted, named.source, settings)
      (mattePath, matteIsTurned) = (named.path, isTurned)
    } else {
      matte = file.matte.map { Self.matte($0, .embedded, settings) }
      (mattePath, matteIsTurned) = (nil, false)
    }
    if let named = MapFile(.depth, settings.depth, beside: file.depth == nil ? path : nil) {
      let read = try named.read { (path) throws(PhotoInputError) in
        try PhotoReader.depthFile(at: path, maxPixels: settings.maxPixels) { keep($0, .depth) }
      }
      (depth, depthFacts) = try await Self.depth(read, named, settings, photo, matte)
    } else if let own = file.depth {
      (depth, depthFacts) = try await Self.depth(
        own, in: path, isPhoto: true, .embedded, settings, photo, matte)
    } else {
      (depth, depthFacts) = (nil, nil)
    }
    self.contents = contents
    if depth == nil, matte == nil, !photo.hasAlpha { throw UsageError.nothingToCut }

    var met: Set<Option.Need> = [.photo]
    if matte != nil { met.insert(.matte) }
    if depth != nil {
      met.insert(.depth)
      if depthFacts?.near != nil { met.insert(.relativeDepth) }
    }
    try settings.checkNeeds(met: met)
  }

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
