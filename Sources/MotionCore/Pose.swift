/// Where the camera stands and how it is zoomed.
public struct Pose: Hashable, Sendable {
  /// The camera's offset in units of the subject's distance: +x to the right, +y down, +z towards
  /// the scene.
  public let offset: SIMD3<Double>
  /// Lens zoom: 1 is the photo's own focal length.
  public let zoom: Double

  /// Values are rounded to multiples of 2⁻³⁰, so that a mathematics library that differs in the
  /// last place gives the same pose.
  public init(offset: SIMD3<Double>, zoom: Double) {
    let unit = 0x1p30
    self.offset = (offset * unit).rounded(.toNearestOrEven) / unit
    self.zoom = (zoom * unit).rounded(.toNearestOrEven) / unit
  }

  /// The camera that took the photo.
  public static let rest = Pose(offset: .zero, zoom: 1)
}
