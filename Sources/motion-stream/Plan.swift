internal import MotionCore
internal import PhotoInput
internal import StreamOut

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Everything that is known before a frame is drawn.
struct Plan {
  let settings: Settings
  let container: Container
  let format: VideoFormat
  let scene: Scene
  /// What the samples of the depth meant, where there were any.
  let depthFacts: DepthFacts?
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
      let inputs = try Inputs(photo: path, settings)
      (photo, depth, matte) = (inputs.photo, inputs.depth, inputs.matte)
      (depthFacts, photoVariant) = (inputs.depthFacts, inputs.variant)
      passedOver = inputs.passedOver
      format = try settings.format(photo: photo.size)
    } else {
      (depthFacts, photoVariant, passedOver) = (nil, nil, [])
      format = try settings.format(photo: Settings.stillLifeSize)
      (photo, depth, matte) = await StillLife(size: format.size).render()
    }
    do {
      scene = try await Scene(
        photo: photo, depth: depth, matte: matte, tap: settings.subject,
        focalLength35: settings.focalLength35, output: format.size)
    } catch {
      throw PlanError.scene(error, settings)
    }
    self.settings = settings
    framing = Framing(
      scene, move: settings.move, amount: settings.amount, output: format.size)
    loop = Loop(
      period: period, move: settings.move, amount: framing.amountUsed, easing: settings.easing)
  }
}

extension Settings {
  /// Refuses to write over what is read: `-y` is given easily, and a photo is gone for good.
  func checkInputsStay(writing output: Output) throws(UsageError) {
    guard case .file(let name, _) = output, let written = FileIdentity(name) else { return }
    for case .file(let path)? in [photo, depth, matte] where FileIdentity(path) == written {
      throw .outputIsInput(path)
    }
  }
}

/// Which regular file a name stands for, whatever links lead to it.
private struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
