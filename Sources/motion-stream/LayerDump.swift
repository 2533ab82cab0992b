internal import FoundationEssentials
internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// What `--dump-layers` writes: the pictures that the scene was made of, and `scene.json`, which says
/// where they came from.
struct LayerDump {
  /// THE TABLE of its pictures: a new one is a new row; nil where a scene has none.
  private static let pictures: [(name: String, of: @Sendable (LayerPictures) -> Raster?)] = [
    ("cut-heights.png", { $0.heights }),
    ("coverage-given.png", { $0.coverageAsGiven }),
    ("coverage-refined.png", { $0.coverageAsRefined }),
    ("coverage.png", { $0.coverage }),
    ("subject.png", { $0.subject }),
    ("background.png", { $0.background }),
    ("disparity-photo.png", { $0.photoDisparity }),
    ("disparity-background.png", { $0.backgroundDisparity }),
  ]
  private static let description = "scene.json"

  /// Every file it may write.
  static let names =
    pictures.map { $0.name } + Stage.allCases.map { file(of: $0) } + [description]

  /// How the subject and the depth were found, where no file says it: at the size of that.
  private static func file(of stage: Stage) -> String { "\(stage.rawValue).png" }

  let plan: Plan

  func write(into folder: OutputFolder) async throws {
    let layers = await plan.scene.layerPictures()
    var pictures: [(name: String, raster: Raster)] = Self.pictures.compactMap { name, picture in
      picture(layers).map { (name, $0) }
    }
    for (stage, plane) in plan.stages {
      let white = stage.isDepth ? plane.withUnsafeSamples { $0.max() } ?? 1 : 1
      pictures.append((Self.file(of: stage), Raster(measured: plane, white: white)))
    }
    // What an earlier dump wrote and this one does not would be taken for this one's. Where no
    // description is, there was none, and files of these names are the user's.
    let isAgain = folder.holds(Self.description)
    try folder.make()
    if isAgain {
      let written = pictures.map { $0.name } + [Self.description]
      try folder.clear(Self.names.filter { !written.contains($0) })
    }
    for (name, raster) in pictures { try folder.file(name).write(raster) }
    let json = try SceneFacts(plan, layers).json()
    try folder.file(Self.description).write(Array(json.utf8))
  }
}

/// `scene.json`: the sources of a dump, and what its pictures' samples mean.
private struct SceneFacts: Encodable {
  struct Map: Encodable {
    let source: String
    /// The file it was read from; null where there is none, or it is the photo's.
    @Null var file: String?
  }
  struct Depth: Encodable {
    let source: String
    @Null var file: String?
    /// What the samples mean, and which end is near; null where there are none.
    @Null var kind: String?
    @Null var near: String?
    /// Bounds of δ in the photo, the subject's distance over the point's.
    let min, max: Float
    /// The δ that white stands for in the pictures of it, black being 0.
    let white: Float
    /// The subject's inverse depth in the map's own unit: δ is the map's over this.
    let subject: Double
  }
  struct Grid: Encodable {
    /// Of the pictures.
    let size: [Int]
    /// Samples a photo pixel, along either axis.
    let density: Double
    /// The top left corner, in photo pixels.
    let origin: [Double]
  }

  /// Null for the still life.
  @Null var photo: String?
  let photoSize: [Int]
  let orientation: Int
  let matte: Map
  let depth: Depth
  let grid: Grid
  /// The point that stays in place, and the focal length, in photo pixels.
  let target: [Double]
  let focal: Double

  init(_ plan: Plan, _ layers: LayerPictures) {
    let (scene, settings) = (plan.scene, plan.settings)
    photo = settings.photo.map { "\($0)" }
    photoSize = [scene.photo.size.width, scene.photo.size.height]
    orientation = scene.photo.orientation
    matte = Map(
      source: scene.matteSource.rawValue,
      file: Null(wrappedValue: plan.mattePath?.description))
    depth = Depth(
      source: scene.depthSource.rawValue,
      file: Null(wrappedValue: plan.depthFacts?.path?.description),
      kind: Null(wrappedValue: plan.depthFacts?.kind.rawValue),
      near: Null(wrappedValue: plan.depthFacts?.near?.rawValue),
      min: scene.disparityBounds.lowerBound, max: scene.disparityBounds.upperBound,
      white: layers.whiteDisparity, subject: scene.subjectDisparity)
    grid = Grid(
      size: [layers.grid.size.width, layers.grid.size.height], density: layers.grid.density.x,
      origin: [layers.grid.origin.x, layers.grid.origin.y])
    target = [scene.target.x, scene.target.y]
    focal = scene.optics.focal
  }
}
