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

  /// Values are rounded to multiples of 2⁻³⁰, so that a mathematics library that differs in the
  /// last place gives the same pose.
  public init(x: Double = 0, y: Double = 0, z: Double = 0, zoom: Double = 1) {
    func rounded(_ value: Double) -> Double { (value * 0x1p30).rounded() / 0x1p30 }
    (self.x, self.y, self.z, self.zoom) = (rounded(x), rounded(y), rounded(z), rounded(zoom))
  }

  /// The camera that took the photo.
  public static let rest = Pose()
}
