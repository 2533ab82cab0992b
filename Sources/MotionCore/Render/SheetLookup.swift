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
  /// The column and row of the last pair of samples, and how far apart a pair's samples are stored;
  /// a field of one column or row is its own neighbour.
  private let lastPair: (x: Int, y: Int)
  private let right: Int
  private let below: Int

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
    lastPair = (max(width - 2, 0), max(field.grid.size.height - 2, 0))
    right = min(width - 1, 1)
    below = field.grid.size.height > 1 ? width : 0
  }

  /// The photo point seen at the pinned photo point `point`.
  func photoPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
    centre + SIMD2<Double>(withDisparity { self(SIMD2(point - centre), $0) })
  }

  /// Gives `body` the field's samples, which `callAsFunction` wants.
  func withDisparity<Result>(_ body: (UnsafePointer<Float>) -> Result) -> Result {
    field.plane.withUnsafeSamples { body($0.baseAddress!) }
  }

  /// The same relative to the principal point, both ways. Written in scalars: two lanes of a vector
  /// of four are slower than none.
  @inline(__always)
  func callAsFunction(_ point: SIMD2<Float>, _ disparity: UnsafePointer<Float>) -> SIMD2<Float> {
    let (rayX, rayY) = ((point.x - shift.x) * perZoom, (point.y - shift.y) * perZoom)
    let limit = Float(Camera.nearest)
    var (x, y, delta) = (Float(0), Float(0), Float(1))
    for round in 0...rounds {
      let product = delta * forward
      let near = 1 - (product < limit ? product : limit)
      let nextX = rayX * near + sideways.x * delta
      let nextY = rayY * near + sideways.y * delta
      let moved = max(abs(nextX - x), abs(nextY - y))
      (x, y) = (nextX, nextY)
      if round > 0 && moved < Self.tolerance { break }
      delta = sample(x, y, disparity)
    }
    return SIMD2(x, y)
  }

  /// δ at a point, bilinear, the field's edge repeating.
  @inline(__always)
  private func sample(_ px: Float, _ py: Float, _ disparity: UnsafePointer<Float>) -> Float {
    var x = px * density + offset.x
    var y = py * density + offset.y
    x = x > 0 ? (x < last.x ? x : last.x) : 0
    y = y > 0 ? (y < last.y ? y : last.y) : 0
    // The last sample is the right one of the last pair, so that there always is a next one.
    let (column, row) = (min(Int(x), lastPair.x), min(Int(y), lastPair.y))
    let (across, down) = (x - Float(column), y - Float(row))
    let upper = disparity + (row &* width &+ column)
    let lower = upper + below
    let top = upper[0] + (upper[right] - upper[0]) * across
    let bottom = lower[0] + (lower[right] - lower[0]) * across
    return top + (bottom - top) * down
  }
}
