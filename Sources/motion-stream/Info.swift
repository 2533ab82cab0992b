internal import FoundationEssentials
internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// The resolved plan, as `--info` prints it: what will be drawn, from what.
struct Info: Encodable {
  struct Amount: Encodable { let asked, used: Double }
  struct Picture: Encodable {
    let size: [Int]
    let orientation: Int
    /// Of a file with two photos, which: `original` or `edited`; null where there is only one.
    @Null var variant: String?
    let colour: Colour
  }
  struct Colour: Encodable {
    /// What the file calls it, as its profile's description; null where it says nothing.
    @Null var name: String?
    /// `assumed` sRGB, `kept` as sRGB, `converted`, or `ignored` for a reason.
    let treatment: String
    @Null var reason: String?

    init(_ colour: PhotoColour) {
      name = colour.name
      switch colour.treatment {
      case .assumed: treatment = "assumed"
      case .kept: treatment = "kept"
      case .converted: treatment = "converted"
      case .ignored(let why): (treatment, reason) = ("ignored", sentence(why))
      }
    }
  }
  /// What made a map that is in no file.
  struct Maker: Encodable {
    /// The model's file, or the words that name a program.
    let name: String
    let seconds: Double

    init(_ maker: MapMaker) {
      name = maker.name
      seconds = (maker.seconds * 1000).rounded() / 1000
    }
  }
  struct Matte: Encodable {
    let source: String
    /// The file it was read from; null where there is none, or it is the photo's.
    @Null var path: String?
    /// Whether that file was turned as the photo was.
    let turned: Bool
    /// Null where it is a file's.
    @Null var madeBy: Maker?
  }
  struct Depth: Encodable {
    let source: String
    /// As the matte's.
    @Null var path: String?
    let turned: Bool
    /// What the samples mean; null where there are none.
    @Null var kind: String?
    @Null var near: String?
    /// Bounds of δ, the subject's distance over the point's.
    let min, max: Float
    /// As the matte's.
    @Null var madeBy: Maker?
  }

  struct Camera: Encodable {
    let x, y, z, zoom: Double
    let pinned: Bool
  }

  struct Encoding: Encodable {
    let encoder: String
    /// One of these, or neither where the encoder decides.
    @Null var crf: Double?
    @Null var bitrate: Int?
    /// Null leaves it to the encoder.
    @Null var preset: String?
    @Null var tune: String?
    let threads: Int
    /// Of its pictures, which have even sides.
    let size: [Int]

    init(_ encoding: StreamOut.Encoding, _ size: Size) {
      (encoder, threads) = (encoding.encoder, encoding.threads)
      (preset, tune) = (encoding.preset, encoding.tune)
      (crf, bitrate) = (encoding.quality, encoding.bitrate)
      self.size = [size.width, size.height]
    }
  }

  let size: [Int]
  let fps: String
  let period: Int
  /// How many frames of a period the camera rests.
  let hold: Int
  /// Null when endless.
  @Null var frames: Int?
  let frameBytes: Int
  let pixFmt, matrix, range, siting, format: String
  /// The one that was asked for: what the fast one cannot draw, the reference does.
  let renderer: String
  /// Null where frames are not encoded.
  @Null var encoding: Encoding?
  /// Which layers are drawn, and what their alpha means.
  let layer, alpha: String
  let move: String
  /// The camera in place of a moving one, and whether the target stays in place there; null where it
  /// moves.
  @Null var pose: Camera?
  let amount: Amount
  let crop: Double
  /// In photo pixels, as are `focal` and `window` (left, top, width, height).
  let target: [Double]
  let focal: Double
  let window: [Double]
  /// Null for the still life.
  @Null var photo: Picture?
  let matte: Matte
  let depth: Depth
  /// The hash of all that the stream's bytes follow from, as a frame index has it.
  let recipe: String

  init(_ plan: Plan) {
    let (format, framing, scene) = (plan.format, plan.framing, plan.scene)
    size = [format.size.width, format.size.height]
    fps = "\(format.rate)"
    period = plan.loop.period
    hold = plan.loop.hold
    frames = plan.frames.count
    frameBytes = format.frameBytes
    pixFmt = format.pixelFormat.name
    matrix = format.matrix.rawValue
    range = format.range.rawValue
    siting = format.siting.rawValue
    renderer = plan.settings.renderer.rawValue
    self.format = plan.container.name
    if plan.container.isEncoded {
      encoding = Encoding(plan.settings.encoding, plan.container.pictureSize(format.size))
    }
    layer = plan.settings.layer.rawValue
    alpha = format.alpha.rawValue
    move = framing.move.name
    pose = plan.loop.fixedPose.map {
      Camera(x: $0.x, y: $0.y, z: $0.z, zoom: $0.zoom, pinned: framing.isPinned)
    }
    amount = Amount(asked: framing.amountAsked, used: framing.amountUsed)
    crop = framing.crop
    target = [framing.target.x, framing.target.y]
    focal = framing.optics.focal
    let rectangle = framing.window.rectangle
    window = [rectangle.x, rectangle.y, rectangle.width, rectangle.height]
    photo = plan.settings.photo.map { _ in
      Picture(
        size: [scene.photo.size.width, scene.photo.size.height],
        orientation: scene.photo.orientation,
        variant: Null(wrappedValue: plan.photoVariant?.rawValue),
        colour: Colour(scene.photo.colour))
    }
    matte = Matte(
      source: scene.matteSource.rawValue,
      path: Null(wrappedValue: plan.mattePath?.description), turned: plan.matteIsTurned,
      madeBy: Null(wrappedValue: plan.matteMaker.map { Maker($0) }))
    depth = Depth(
      source: scene.depthSource.rawValue,
      path: Null(wrappedValue: plan.depthFacts?.path?.description),
      turned: plan.depthFacts?.isTurned ?? false,
      kind: Null(wrappedValue: plan.depthFacts?.kind.rawValue),
      near: Null(wrappedValue: plan.depthFacts?.near?.rawValue),
      min: scene.disparityBounds.lowerBound, max: scene.disparityBounds.upperBound,
      madeBy: Null(wrappedValue: plan.depthMaker.map { Maker($0) }))
    recipe = "\(Recipe.hash(of: plan))"
  }
}

extension Encodable {
  /// As a program and a person can read it, with the end of a line.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

/// An optional that is written as null rather than left out.
@propertyWrapper
struct Null<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue {
      try container.encode(wrappedValue)
    } else {
      try container.encodeNil()
    }
  }
}
