/// What the photo's camera was: the optics that every pose shares.
public struct Optics: Hashable, Sendable {
  /// The principal point, in photo pixels: the middle of the whole photo.
  public let centre: SIMD2<Double>
  /// The focal length in photo pixels.
  public let focal: Double

  /// - Parameter focalLength35: the 35 mm equivalent in millimetres; 43.27 mm is that film's
  ///   diagonal.
  public init(photo: Size, focalLength35: Double) {
    let (w, h) = (Double(photo.width), Double(photo.height))
    centre = SIMD2(w / 2, h / 2)
    focal = focalLength35 * (w * w + h * h).squareRoot() / 43.27
  }
}

/// A pose with its lens: where each point of the photo is seen from there.
///
/// Points are in photo pixels, x right, y down, pixel centres at +0.5. Depth is δ = S / Z, the
/// subject's distance over the point's: 1 at the subject, 0 infinitely far.
public struct Camera: Sendable {
  public let optics: Optics
  public let pose: Pose
  /// Added to every projected point so that the target stays where it is, in photo pixels.
  public private(set) var shift: SIMD2<Double>

  /// The largest δ·o_z: whatever comes nearer to the camera is kept just before it.
  public static let nearest = 0.9

  /// - Parameter target: the point of the photo, at δ = 1, that stays in place; nil leaves the
  ///   picture free.
  public init(optics: Optics, pose: Pose, target: SIMD2<Double>?) {
    self.optics = optics
    self.pose = pose
    shift = .zero
    guard let target else { return }
    shift = target - project(target, disparity: 1)
  }

  /// Where the photo's point `p` at disparity `disparity` is seen.
  public func project(_ p: SIMD2<Double>, disparity: Double) -> SIMD2<Double> {
    let near = 1 - min(disparity * pose.z, Self.nearest)
    let sideways = SIMD2(pose.x, pose.y) * (optics.focal * disparity)
    return optics.centre + pose.zoom * ((p - optics.centre) - sideways) / near + shift
  }

  /// How far apart two points of the photo at disparity `disparity` are that are seen 1 apart.
  func step(disparity: Double) -> Double {
    (1 - min(disparity * pose.z, Self.nearest)) / pose.zoom
  }

  /// Which point of the photo at disparity `disparity` is seen at `point`: the inverse of `project`.
  public func unproject(_ point: SIMD2<Double>, disparity: Double) -> SIMD2<Double> {
    let sideways = SIMD2(pose.x, pose.y) * (optics.focal * disparity)
    return optics.centre + (point - optics.centre - shift) * step(disparity: disparity) + sideways
  }
}
