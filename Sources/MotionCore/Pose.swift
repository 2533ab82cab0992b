/// Where the camera stands and how it is zoomed.
public struct Pose: Hashable, Sendable {
  /// The camera's offset in units of the subject's distance: +x to the right, +y down, +z towards
  /// the scene.
  ///
  /// Three numbers rather than a vector of three: that one wants to lie at a multiple of 32 bytes,
  /// which this compiler does not always give it in asynchronous code.
  public let x, y, z: Double
  /// Lens zoom: 1 is the photo's own focal length.
  public let zoom: Double

  /// What may be asked for: offsets aside, forward and the zoom. At a forward offset of 1 the camera
  /// would stand in the subject.
  public static let offsets = -10.0...10.0
  public static let approaches = -100.0...Camera.nearest
  public static let zooms = 0.01...100.0

  /// Values are rounded to multiples of 2⁻³⁰, so that a mathematics library that differs in the
  /// last place gives the same pose.
  public init(x: Double = 0, y: Double = 0, z: Double = 0, zoom: Double = 1) {
    // The sum turns -0 into 0.
    func rounded(_ value: Double) -> Double { (value * 0x1p30).rounded() / 0x1p30 + 0 }
    (self.x, self.y, self.z, self.zoom) = (rounded(x), rounded(y), rounded(z), rounded(zoom))
  }

  /// The camera that took the photo.
  public static let rest = Pose()
}
