internal import MotionCore
internal import PhotoInput

/// What the samples of a depth mean, as `--info` says it.
struct DepthFacts {
  let kind: Settings.DepthMeaning
  /// Which end is near; nil where the kind alone says it.
  let near: Settings.Near?
}

/// What of the photo's file is there, cannot be used and is done without, and why.
enum PassedOver {
  /// Of the roles, `photo` is the photo before it was edited.
  case part(PhotoInputError.Role, PhotoInputError.Problem)
  /// A further picture that may be a map.
  case untold(PhotoInputError.Problem)
}

/// The photo and what there is to cut it by: the files the user named, else what the photo's own
/// file holds.
struct Inputs {
  let photo: Photo
  /// Which of the file's two photos it is; nil where there is only one.
  let variant: PhotoVariant?
  let depth: DisparityMap?
  let depthFacts: DepthFacts?
  let matte: Matte?
  let passedOver: [PassedOver]

  init(photo path: InputPath, _ settings: Settings) throws {
    var maps: Set<PhotoInputError.Role> = []
    if settings.depth == nil { maps.insert(.depth) }
    if settings.matte == nil { maps.insert(.matte) }
    let file = try PhotoReader.file(at: path, variant: settings.photoVariant, maps: maps)
    (photo, variant) = (file.photo, file.variant)
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

    if let named = settings.depth {
      (depth, depthFacts) = try Self.depth(at: named, settings)
    } else {
      let own = try file.depth.map { try Self.depth($0, .embedded, in: path, settings) }
      (depth, depthFacts) = (own?.0, own?.1)
    }
    if let named = settings.matte {
      matte = Matte(coverage: try PhotoReader.matte(at: named))
    } else {
      matte = file.matte.map { Matte(coverage: $0, source: .embedded) }
    }
    if depth == nil, matte == nil, !photo.hasAlpha { throw UsageError.nothingToCut }
  }

  private static func depth(
    at path: InputPath, _ settings: Settings
  ) throws -> (DisparityMap, DepthFacts) {
    switch try PhotoReader.depthFile(at: path) {
    case .embedded(let depth): return try Self.depth(depth, .file, in: path, settings)
    case .samples(let samples): return try Self.depth(samples, .file, in: path, settings)
    }
  }

  /// A depth in a photo, which says what it means or leaves that to the options.
  private static func depth(
    _ embedded: EmbeddedDepth, _ source: Source, in path: InputPath, _ settings: Settings
  ) throws -> (DisparityMap, DepthFacts) {
    if let samples = embedded.unexplained {
      return try depth(samples, source, in: path, settings)
    }
    return (
      DisparityMap(disparity: embedded.map.disparity, source: source),
      try DepthFacts(embedded, in: path, settings)
    )
  }

  private static func depth(
    _ samples: Plane<Float>, _ source: Source, in path: InputPath, _ settings: Settings
  ) throws(PlanError) -> (DisparityMap, DepthFacts) {
    let meaning = settings.depthMeaning ?? .relative
    let near = settings.near ?? .white
    let kind: DepthKind =
      switch meaning {
      case .relative: .relative(nearIsWhite: near == .white, range: settings.depthRange ?? 4)
      case .disparity: .disparity
      case .metric: .metric
      }
    do throws(DisparityMap.Unusable) {
      return (
        try DisparityMap(samples: samples, kind: kind, source: source),
        DepthFacts(kind: meaning, near: meaning == .relative ? near : nil)
      )
    } catch {
      throw .depth(path, error)
    }
  }
}

extension DepthFacts {
  /// - Throws: `depthSaysItself` for an option that says otherwise.
  fileprivate init(
    _ embedded: EmbeddedDepth, in path: InputPath, _ settings: Settings
  ) throws(UsageError) {
    kind =
      switch embedded.kind {
      case .relative: .relative
      case .disparity: .disparity
      case .metric: .metric
      }
    near = embedded.nearIsWhite ? .white : .black
    let contradictions = [
      ("--depth-kind", settings.depthMeaning.map { $0 != kind } ?? false),
      ("--near", settings.near.map { $0 != near } ?? false),
      ("--depth-range", settings.depthRange != nil),
    ]
    for case (let option, true) in contradictions {
      throw .depthSaysItself(path, self, option: option)
    }
  }
}
