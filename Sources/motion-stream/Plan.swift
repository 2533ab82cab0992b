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
  /// What made the maps that are in no file, how, and what is to be said of it.
  let matteMaker: MapMaker?
  let depthMaker: MapMaker?
  let stages: [Stage: Plane<Float>]
  let remarks: [Remark]
  let passedOver: [PassedOver]
  /// What the files that were read hold, where the settings want to know it.
  let contents: [PhotoInputError.Role: SHA256]
  let framing: Framing
  let loop: Loop
  let frames: FrameRange

  /// Reads the inputs and works out what will be drawn.
  init(_ settings: Settings) async throws {
    frames = try settings.frames(period: settings.period.whole)
    container = try settings.resolvedContainer()
    // What else is made of a loop does not go where its frames would.
    if settings.task == .film, container.isStill, frames.count != 1 {
      throw UsageError.oneFrame(container)
    }
    if settings.task.isOfFilm, frames.count == nil, !container.canBeEndless {
      throw UsageError.wantsAnEnd(container)
    }
    if case .consumer = settings.task, container.isEncoded {
      throw UsageError.noConsumer(container)
    }
    let photo: Photo
    let depth: DisparityMap?
    let matte: Matte?
    var decoding: Task<Photo, any Error>?
    if let path = settings.photo {
      let inputs = try await Inputs.read(photo: path, settings)
      (photo, depth, matte) = (inputs.photo, inputs.depth, inputs.matte)
      decoding = inputs.decoding
      (depthFacts, mattePath) = (inputs.depthFacts, inputs.mattePath)
      matteIsTurned = inputs.matteIsTurned
      (photoVariant, passedOver) = (inputs.variant, inputs.passedOver)
      contents = inputs.contents
      (matteMaker, depthMaker) = (inputs.matteMaker, inputs.depthMaker)
      (stages, remarks) = (inputs.stages, inputs.remarks)
      format = try await decoding.readable { try settings.format(photo: photo.size) }
    } else {
      (depthFacts, mattePath, matteIsTurned) = (nil, nil, false)
      (photoVariant, passedOver, contents) = (nil, [], [:])
      (matteMaker, depthMaker, stages, remarks) = (nil, nil, [:], [])
      format = try settings.format(photo: Settings.stillLifeSize)
      (photo, depth, matte) = await StillLife(size: format.size).render()
    }
    let understood: Scene
    do {
      understood = try await Scene(
        photo: photo, depth: depth, matte: matte, tap: settings.subject,
        focalLength35: settings.focalLength35, output: format.size)
    } catch {
      _ = try await decoding?.value
      switch error {
      case .flatDepth, .emptyMatte(.cut), .fullMatte(.cut):
        if settings.depthRange == 1 { throw UsageError.flatRange }
      default: break
      }
      throw PlanError.scene(
        error, photo: settings.photo, depth: depthFacts?.path, matte: mattePath)
    }
    scene = if let decoding { understood.with(try await decoding.value) } else { understood }
    self.settings = settings
    framing = settings.framing(of: scene, output: format.size)
    loop = settings.loop(framing)
  }
}

extension Settings {
  func framing(of scene: Scene, output: Size) -> Framing {
    Framing(
      scene, move: move, amount: amount, output: output, extra: pose, isPinned: isPinned)
  }

  func loop(_ framing: Framing) -> Loop {
    if let pose { return Loop(fixedPose: pose, move: move, amount: framing.amountUsed) }
    return Loop(
      period: period.whole, hold: period.held, move: move, amount: framing.amountUsed,
      easing: easing)
  }

  /// The files that the user named.
  var inputPaths: [InputPath?] { [photo, depth, matte] }
}

extension Plan {
  /// How the stream is made of rounds. A camera that stands still has no loop to begin, and a round of
  /// one frame would be all key frames.
  var rounds: Rounds {
    let period =
      loop.fixedPose == nil
      ? loop.period : Loop.period(seconds: Encoding.keySeconds, rate: format.rate)
    let (twoRounds, isOver) = period.multipliedReportingOverflow(by: 2)
    return Rounds(
      period: period, start: Int(frames.start % UInt64(period)),
      areRepeated: frames.count.map { !isOver && $0 >= twoRounds } ?? true)
  }

  /// The frames, in parts that a writer may repeat: they all begin at the same place of the loop.
  var parts: some Sequence<FrameRange> {
    let length = container.isEncoded && rounds.areRepeated ? rounds.period : frames.count
    return sequence(state: frames.count) { left -> FrameRange? in
      guard left != 0 else { return nil }
      guard let whole = left else { return FrameRange(start: frames.start, count: length) }
      let count = min(length ?? whole, whole)
      left = whole - count
      return FrameRange(start: frames.start, count: count)
    }
  }

  /// Every file that was read.
  var inputPaths: [InputPath?] { settings.inputPaths + [depthFacts?.path, mattePath] }
}

extension Plan {
  func shot() async -> Shot {
    await Shot(
      scene, framing, loop, format, settings.method, layers: settings.layer,
      renderer: settings.renderer, instructions: settings.instructions)
  }

  /// The same shot, small and in R'G'B'.
  func thumbnail() async throws -> Shot {
    let size = Settings.defaultSize(photo: format.size, longSide: Montage.cellSide)
    let small = try VideoFormat(
      size: size, rate: format.rate, pixelFormat: .rgb24, matrix: format.matrix, range: .full)
    let framing = settings.framing(of: scene, output: size)
    return await Shot(
      scene, framing, settings.loop(framing), small, settings.method, layers: settings.layer,
      renderer: settings.renderer, instructions: settings.instructions)
  }
}

extension [InputPath?] {
  /// Refuses to write over what is read: `-y` is given easily, and a photo is gone for good.
  func checkStay(writing outputs: [Output]) throws(UsageError) {
    for case .file(let name, _) in outputs {
      guard let written = FileIdentity(.file(name)) else { continue }
      for case let path? in self where FileIdentity(path) == written {
        throw .outputIsInput(name)
      }
    }
  }
}
