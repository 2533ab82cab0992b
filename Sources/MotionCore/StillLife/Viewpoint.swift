/// A camera before the still life: which way each output pixel looks.
///
/// Every view looks along +z, not tilted and not rolled, so a pixel's direction is (x, y, 1) with x
/// the same down a column and y the same along a row. Along a direction, t measures z from the
/// camera.
struct Viewpoint: Sendable {
  let size: Size
  /// Where the camera stands, in the scene's unit.
  let origin: SIMD3<Float>
  /// The direction at the output's top left corner, and how much it turns per output pixel.
  private let corner: SIMD2<Double>
  private let step: Double

  /// - Parameter unit: the subject's distance S in the scene's unit, in which poses are measured.
  init(camera: Camera, window: Window, crop: Double, unit: Double) {
    let lens = camera.optics.focal * camera.pose.zoom
    size = window.output
    let pose = camera.pose
    origin = SIMD3(Float(pose.x * unit), Float(pose.y * unit), Float(pose.z * unit))
    corner = (window.photoPoint(.zero, crop: crop) - camera.shift - camera.optics.centre) / lens
    step = 1 / (window.scale * crop * lens)
  }

  /// A pixel's width as a tangent.
  var pixel: Float { Float(step) }

  /// The direction's x at column `x`, in output pixels (centres at +0.5).
  @inline(__always)
  func column(_ x: Double) -> Float { Float(corner.x + x * step) }

  /// The direction's y at row `y`, in output pixels (centres at +0.5).
  @inline(__always)
  func row(_ y: Double) -> Float { Float(corner.y + y * step) }

  /// Where a point of the scene before the camera is seen, in output pixels.
  @inline(__always)
  func project(_ point: SIMD3<Float>) -> SIMD2<Float> {
    let ray = SIMD3<Double>(point - origin)
    return SIMD2<Float>((SIMD2(ray.x, ray.y) / ray.z - corner) / step)
  }
}
