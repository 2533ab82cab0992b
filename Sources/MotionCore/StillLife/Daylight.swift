/// The light of the room: daylight through a window with bars, and what the room throws back.
///
/// Daylight runs in parallel, so what it does depends on a place's shadow coordinates alone: where
/// its ray crosses z = 0, (x, y) − z · slope. Nothing here depends on who looks.
struct Daylight: Sendable {
  /// To the right and down per unit towards the wall.
  let slope: SIMD2<Float>
  /// The direction towards the light, of length 1.
  let source: SIMD3<Float>
  /// The shadow coordinates of the vase's middle, which the window is built around.
  let middle: SIMD2<Float>
  private let scale: Float

  /// The colour of daylight that falls straight on a surface.
  static var sun: SIMD4<Float> { light(0.80, 0.71, 0.58) }

  init(_ composition: Composition) {
    slope = composition.daylight
    source = unit(SIMD3(-slope.x, -slope.y, -1))
    middle = SIMD2(
      composition.axis.x - slope.x, composition.table - composition.height / 2 - slope.y)
    scale = composition.scale
  }

  @inline(__always)
  func coordinates(_ point: SIMD3<Float>) -> SIMD2<Float> {
    SIMD2(point.x - slope.x * point.z, point.y - slope.y * point.z)
  }

  /// How much daylight comes through the window's columns of panes, 0…1.
  @inline(__always)
  func columns(_ u: Float) -> Float {
    let x = (u - middle.x) / scale
    let opening = smoothStep(-0.80, -0.74, x) * (1 - smoothStep(0.40, 0.46, x))
    return opening * (1 - 0.9 * bar(x + 0.24))
  }

  /// How much daylight comes through the window's rows of panes, 0…1.
  @inline(__always)
  func rows(_ v: Float) -> Float {
    let y = (v - middle.y) / scale
    let opening = smoothStep(-0.79, -0.73, y) * (1 - smoothStep(0.34, 0.46, y))
    return opening * (1 - 0.9 * bar(y + 0.36))
  }

  @inline(__always)
  func window(_ point: SIMD3<Float>) -> Float {
    let at = coordinates(point)
    return columns(at.x) * rows(at.y)
  }

  /// The shadow of a bar at 0: soft, because the sky is wide.
  @inline(__always)
  private func bar(_ x: Float) -> Float { 1 - smoothStep(0.006, 0.034, x < 0 ? -x : x) }
}
