internal import MotionCore
internal import PhotoInput

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Everything that is known before a frame is drawn.
struct Plan {
  let settings: Settings
  let format: VideoFormat
  let scene: Scene
  let framing: Framing
  let loop: Loop
  let frames: FrameRange

  /// Reads the inputs and works out what will be drawn.
  init(_ settings: Settings) async throws {
    let period = Loop.period(seconds: settings.seconds, rate: settings.rate)
    frames = try settings.frames(period: period)
    let photo: Photo
    let depth: DisparityMap?
    let matte: Matte?
    if let path = settings.photo {
      photo = try PhotoReader.photo(at: path)
      depth = try settings.depth.map { try settings.readDepth(at: $0) }
      matte = try settings.matte.map { Matte(coverage: try PhotoReader.matte(at: $0)) }
      if depth == nil, matte == nil, !photo.hasAlpha { throw UsageError.nothingToCut }
      format = try settings.format(photo: photo.size)
    } else {
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
  func checkInputsStay() throws(UsageError) {
    guard outputPath != "-", let output = FileIdentity(outputPath) else { return }
    for case .file(let path)? in [photo, depth, matte] where FileIdentity(path) == output {
      throw .outputIsInput(path)
    }
  }

  fileprivate func readDepth(at path: InputPath) throws -> DisparityMap {
    let samples = try PhotoReader.depth(at: path)
    let kind: DepthKind =
      switch depthMeaning {
      case .relative: .relative(nearIsWhite: near == .white, range: depthRange)
      case .disparity: .disparity
      case .metric: .metric
      }
    do {
      return try DisparityMap(samples: samples, kind: kind)
    } catch {
      throw PlanError.depth(path, error)
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
