/// Which point of a sheet is seen at a pinned photo point: the projection inverted by iteration.
///
/// p = c + (P − c − shift) · (1 − δ(p) · o_z) / zoom + f · δ(p) · o_xy, starting from the p that δ = 1
/// gives: where the sheet tears, the start decides which side is seen. The rounds end when p moves
/// less than 1/256 of a photo pixel. Works relative to the principal point, where single precision
/// is finest.
struct SheetLookup {
  private let field: DisparityField
  private let rounds: Int
  private let centre: SIMD2<Double>
  private let shift: SIMD2<Float>
  private let perZoom: Float
  private let forward: Float
  private let sideways: SIMD2<Float>
  /// From photo pixels relative to the principal point to samples of the field.
  private let density: Float
  private let offset: SIMD2<Float>
  private let last: SIMD2<Float>
  private let width: Int

  private static let tolerance: Float = 1 / 256

  init(_ field: DisparityField, rounds: Int, camera: Camera) {
    self.field = field
    self.rounds = rounds
    centre = camera.optics.centre
    shift = SIMD2(camera.shift)
    perZoom = Float(1 / camera.pose.zoom)
    forward = Float(camera.pose.z)
    sideways = SIMD2(
      SIMD2(camera.pose.x, camera.pose.y) * camera.optics.focal)
    density = Float(field.grid.density)
    offset = SIMD2((centre - field.grid.origin) * field.grid.density - 0.5)
    last = SIMD2(Float(field.grid.size.width - 1), Float(field.grid.size.height - 1))
    width = field.grid.size.width
  }

  /// The photo point seen at the pinned photo point `point`.
  func photoPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
    centre + SIMD2<Double>(withDisparity { self(SIMD2(point - centre), $0) })
  }

  /// Gives `body` the field's samples, which `callAsFunction` wants.
  func withDisparity<Result>(_ body: (UnsafePointer<Float>) -> Result) -> Result {
    field.plane.withUnsafeSamples { body($0.baseAddress!) }
  }

  /// The same relative to the principal point, both ways.
  @inline(__always)
  func callAsFunction(_ point: SIMD2<Float>, _ disparity: UnsafePointer<Float>) -> SIMD2<Float> {
    let ray = (point - shift) * perZoom
    var p = step(ray, 1)
    for _ in 0..<rounds {
      let next = step(ray, sample(p, disparity))
      let moved = next - p
      p = next
      if abs(moved.x) < Self.tolerance && abs(moved.y) < Self.tolerance { break }
    }
    return p
  }

  @inline(__always)
  private func step(_ ray: SIMD2<Float>, _ delta: Float) -> SIMD2<Float> {
    let product = delta * forward
    let limit = Float(Camera.nearest)
    let near = 1 - (product < limit ? product : limit)
    return SIMD2(ray.x * near + sideways.x * delta, ray.y * near + sideways.y * delta)
  }

  /// δ at a point, bilinear, the field's edge repeating.
  @inline(__always)
  private func sample(_ p: SIMD2<Float>, _ disparity: UnsafePointer<Float>) -> Float {
    var x = p.x * density + offset.x
    var y = p.y * density + offset.y
    x = x > 0 ? (x < last.x ? x : last.x) : 0
    y = y > 0 ? (y < last.y ? y : last.y) : 0
    let (column, row) = (Int(x), Int(y))
    let (across, down) = (x - Float(column), y - Float(row))
    let right = x < last.x ? 1 : 0
    let upper = disparity + (row &* width &+ column)
    let lower = y < last.y ? upper + width : upper
    let above = upper[0] + (upper[right] - upper[0]) * across
    let below = lower[0] + (lower[right] - lower[0]) * across
    return above + (below - above) * down
  }
}
