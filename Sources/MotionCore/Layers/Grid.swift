/// A raster over the photo: where the samples of a layer lie.
///
/// Sample (i, j) stands for the rectangle of 1/density photo pixels whose corner is
/// origin + (i, j)/density; its centre is half a sample further.
public struct Grid: Hashable, Sendable {
  /// Top left corner, in photo pixels; it may lie up to a sample outside the photo.
  public let origin: SIMD2<Double>
  /// Samples a photo pixel along each axis, at most 1 for colour.
  public let density: SIMD2<Double>
  public let size: Size

  /// The raster of `density` that covers the rectangle from `low` to `high`, both in photo pixels,
  /// with `anchor` on a sample's corner.
  init(
    from low: SIMD2<Double>, to high: SIMD2<Double>, density: SIMD2<Double>, anchor: SIMD2<Double>
  ) {
    let slack = 1e-6
    let first = ((low - anchor) * density + slack).rounded(.down)
    let last = ((high - anchor) * density - slack).rounded(.up)
    origin = anchor + first / density
    self.density = density
    size = Size(
      width: max(1, Int(last.x - first.x)), height: max(1, Int(last.y - first.y)))
  }

  /// The raster over a whole photo.
  init(photo: Size, density: Double) {
    self.init(
      from: .zero, to: SIMD2(Double(photo.width), Double(photo.height)),
      density: SIMD2(repeating: density), anchor: .zero)
  }

  private init(origin: SIMD2<Double>, density: SIMD2<Double>, size: Size) {
    (self.origin, self.density, self.size) = (origin, density, size)
  }

  /// The part of the raster with the given sample columns and rows.
  func part(_ columns: Range<Int>, _ rows: Range<Int>) -> Grid {
    Grid(
      origin: origin + SIMD2(Double(columns.lowerBound), Double(rows.lowerBound)) / density,
      density: density, size: Size(width: columns.count, height: rows.count))
  }

  /// The photo point at a sample's centre.
  func photoPoint(_ x: Int, _ y: Int) -> SIMD2<Double> {
    origin + SIMD2(Double(x) + 0.5, Double(y) + 0.5) / density
  }

  /// At least as many samples as a distance in photo pixels is along either axis.
  func samples(_ distance: Double) -> Double { distance * density.max() }

  /// How many samples a part of the raster begins to the right of it and below.
  func samples(to part: Grid) -> (x: Int, y: Int) {
    let offset = ((part.origin - origin) * density).rounded(.toNearestOrAwayFromZero)
    return (Int(offset.x), Int(offset.y))
  }
}
