/// A framed print on the wall: hills under a low sun, with a mat around it.
///
/// It lies flat on the wall, and its upright edges stand behind the bouquet, where a camera move
/// shows itself.
struct Print: Sendable {
  private let centre: SIMD2<Float>
  private let half: SIMD2<Float>

  init(composition: Composition) {
    let size = composition.scale * composition.wall
    half = SIMD2(0.125, 0.155) * size
    let side = min(0.44 * composition.halfWidth, 0.27 * composition.scale)
    centre = SIMD2(
      composition.axis.x * composition.wall - side * composition.wall,
      -0.38 * min(composition.halfHeight, 0.46) * composition.wall)
  }

  /// The wall's own colour `wall`, or what hangs before it at (x, y) on the wall.
  @inline(__always)
  func colour(_ x: Float, _ y: Float, wall: SIMD4<Float>, footprint: Float) -> SIMD4<Float> {
    let (dx, dy) = (x - centre.x, y - centre.y)
    let outside = max((dx < 0 ? -dx : dx) - half.x, (dy < 0 ? -dy : dy) - half.y)
    guard outside < 0.14 else { return wall }
    return paint(dx, dy, outside, wall, footprint)
  }

  private func paint(
    _ dx: Float, _ dy: Float, _ outside: Float, _ wall: SIMD4<Float>, _ footprint: Float
  ) -> SIMD4<Float> {
    // Its shadow, a little to the right and down: it hangs close to the wall.
    let (sx, sy) = (dx - 0.014, dy - 0.012)
    let dark = max((sx < 0 ? -sx : sx) - half.x, (sy < 0 ? -sy : sy) - half.y)
    var result = wall * (1 - 0.5 * (1 - smoothStep(-0.012, 0.030, dark)))
    let moulding: Float = 0.020
    let mat: Float = 0.075
    let wood = light(0.215, 0.115, 0.055) * (1 + 0.5 * smoothStep(-moulding, -0.004, outside))
    result = mix(result, wood, boxStep(-outside, footprint: footprint))
    let paper = light(0.82, 0.79, 0.73) * (0.80 + 0.20 * smoothStep(0, 0.022, -outside - moulding))
    result = mix(result, paper, boxStep(-outside - moulding, footprint: footprint))
    let picture = boxStep(-outside - mat, footprint: footprint)
    guard picture > 0 else { return result }
    return mix(result, landscape(dx, dy, footprint), picture)
  }

  private func landscape(_ dx: Float, _ dy: Float, _ footprint: Float) -> SIMD4<Float> {
    let (x, y) = (dx / half.x, dy / half.y)
    let pixel = footprint / half.y
    var result = mix(light(0.70, 0.50, 0.31), light(0.80, 0.67, 0.49), smoothStep(0.2, -0.7, y))
    let (sunX, sunY) = (dx + 0.24 * half.x, dy + 0.16 * half.y)
    let sun = 0.20 * half.x - (sunX * sunX + sunY * sunY).squareRoot()
    result = mix(result, light(0.62, 0.185, 0.075), boxStep(sun, footprint: footprint))
    let far = y - 0.10 + 0.10 * (x - 0.3) * (x + 0.9)
    result = mix(result, light(0.235, 0.285, 0.265), boxStep(far, footprint: pixel))
    let near = y - 0.26 - 0.16 * (x + 0.2) * (x - 0.7)
    return mix(result, light(0.060, 0.125, 0.125), boxStep(near, footprint: pixel))
  }
}
