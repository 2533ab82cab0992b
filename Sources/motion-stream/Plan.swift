internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// Everything that is known before a frame is drawn.
struct Plan {
  let settings: Settings
  let container: Container
  let format: VideoFormat
  let scene: Scene
  /// What the samples of the depth meant, where there were any.
  let depthFacts: DepthFacts?
  /// Where the matte was read from; nil where there is none.
  let mattePath: InputPath?
  let matteIsTurned: Bool
  /// Which of the two photos in its file is drawn; nil where there is only one.
  let photoVariant: PhotoVariant?
  let passedOver: [PassedOver]
  let framing: Framing
  let loop: Loop
  let frames: FrameRange

  /// Reads the inputs and works out what will be drawn.
  init(_ settings: Settings) async throws {
    let period = Loop.period(seconds: settings.seconds, rate: settings.rate)
    frames = try settings.frames(period: period)
    container = try settings.resolvedContainer()
    let photo: Photo
    let depth: DisparityMap?
    let matte: Matte?
    if let path = settings.photo {
      let inputs = try await Inputs(photo: path, settings)
      (photo, depth, matte) = (inputs.photo, inputs.depth, inputs.matte)
      (depthFacts, mattePath) = (inputs.depthFacts, inputs.mattePath)
      matteIsTurned = inputs.matteIsTurned
      (photoVariant, passedOver) = (inputs.variant, inputs.passedOver)
      format = try settings.format(photo: photo.size)
    } else {
      (depthFacts, mattePath, matteIsTurned) = (nil, nil, false)
      (photoVariant, passedOver) = (nil, [])
      format = try settings.format(photo: Settings.stillLifeSize)
      (photo, depth, matte) = await StillLife(size: format.size).render()
    }
    do {
      scene = try await Scene(
        photo: photo, depth: depth, matte: matte, tap: settings.subject,
        focalLength35: settings.focalLength35, output: format.size)
    } catch {
      throw PlanError.scene(
        error, photo: settings.photo, depth: depthFacts?.path, matte: mattePath)
    }
    self.settings = settings
    framing = Framing(
      scene, move: settings.move, amount: settings.amount, output: format.size)
    loop = Loop(
      period: period, move: settings.move, amount: framing.amountUsed, easing: settings.easing)
  }
}

extension Settings {
  /// The files that the user named.
  var inputPaths: [InputPath?] { [photo, depth, matte] }
}

extension Plan {
  /// Every file that was read.
  var inputPaths: [InputPath?] { settings.inputPaths + [depthFacts?.path, mattePath] }
}

extension Plan {
  /// The same shot, small and in R'G'B'.
  func thumbnail() async throws -> Shot {
    let size = Settings.defaultSize(photo: format.size, longSide: Montage.cellSide)
    let small = try VideoFormat(
      size: size, rate: format.rate, pixelFormat: .rgb24, matrix: format.matrix, range: .full)
    let framing = Framing(scene, move: settings.move, amount: settings.amount, output: size)
    let loop = Loop(
      period: loop.period, move: settings.move, amount: framing.amountUsed,
      easing: settings.easing)
    return await Shot(scene, framing, loop, small, settings.method)
  }
}

extension [InputPath?] {
  /// Refuses to write over what is read: `-y` is given easily, and a photo is gone for good.
  func checkStay(writing outputs: [Output]) throws(UsageError) {
    for case .file(let name, _) in outputs {
      guard let written = FileIdentity(.file(name)) else { continue }
      for case let path? in self where FileIdentity(path) == written {
        throw .outputIsInput(path.description)
      }
    }
  }
}
