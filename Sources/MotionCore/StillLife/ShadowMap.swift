/// What the vase and the bouquet keep from the light, in shadow coordinates, 0…1.
///
/// Drawn once: for light that runs in parallel it serves the wall and the table alike. One map is
/// sharp, for what lies close behind the vase, one blurred, for the wall.
struct ShadowMap: Sendable {
  private static let side = 384

  /// Sharp in x, blurred in y.
  private let shadow: Plane<SIMD2<Float>>
  private let corner: SIMD2<Float>
  private let scale: Float

  init(vase: Vase, bouquet: Bouquet, daylight: Daylight, composition: Composition) {
    let side = Self.side
    let extent = 1.25 * max(bouquet.spread * 2, bouquet.rise + composition.height)
    let corner = SIMD2(
      daylight.middle.x - extent / 2,
      composition.table - daylight.slope.y - extent * 0.9)
    let scale = Float(side) / extent
    var sharp = [Float](repeating: 0, count: side * side)
    vase.withTracer { tracer in
      for y in 0..<side {
        for x in 0..<side {
          let at = corner + (SIMD2(Float(x), Float(y)) + 0.5) / scale
          sharp[y * side + x] = tracer.shade(at, slope: daylight.slope, softness: 2 / scale)
        }
      }
    }
    for strand in bouquet.strands {
      for (from, to) in zip(strand.points, strand.points.dropFirst()) {
        Self.draw(
          (daylight.coordinates(from.place) - corner) * scale,
          (daylight.coordinates(to.place) - corner) * scale,
          halfWidth: (from.halfWidth + to.halfWidth) / 2 * scale, into: &sharp)
      }
    }
    var blurred = sharp
    for _ in 0..<3 { blurred = Self.blurTransposed(Self.blurTransposed(blurred, 3), 3) }
    shadow = Plane(width: side, height: side) { y, row in
      for x in 0..<side { row[x] = SIMD2(sharp[y * side + x], blurred[y * side + x]) }
    }
    (self.corner, self.scale) = (corner, scale)
  }

  func withSampler<Result>(_ body: (Sampler) -> Result) -> Result {
    shadow.withUnsafeSamples {
      body(Sampler(base: $0.baseAddress!, side: Self.side, corner: corner, scale: scale))
    }
  }

  /// The map while its memory is held. `unsafe`: every index is clamped into the map.
  struct Sampler {
    fileprivate let base: UnsafePointer<SIMD2<Float>>
    fileprivate let side: Int
    fileprivate let corner: SIMD2<Float>
    fileprivate let scale: Float

    /// The shadow at shadow coordinates: sharp in x, blurred in y, bilinear.
    @inline(__always)
    func callAsFunction(_ u: Float, _ v: Float) -> SIMD2<Float> {
      let last = Float(side - 1) - 0.001
      let x = (u - corner.x) * scale - 0.5
      let y = (v - corner.y) * scale - 0.5
      guard x > 0, y > 0, x < last, y < last else { return .zero }
      let (column, row) = (Int(x), Int(y))
      let (fx, fy) = (x - Float(column), y - Float(row))
      let at = base + (row &* side &+ column)
      let upper = at[0] + (at[1] - at[0]) * fx
      let lower = at[side] + (at[side &+ 1] - at[side]) * fx
      return upper + (lower - upper) * fy
    }
  }

  /// Draws the shadow of a thin piece of a strand; shadows of several multiply.
  private static func draw(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, halfWidth: Float, into map: inout [Float]
  ) {
    let along = b - a
    let length = (along * along).sum()
    let reach = halfWidth + 0.5
    let low = pointwiseMin(a, b) - reach
    let high = pointwiseMax(a, b) + reach
    guard low.x > 0, low.y > 0, high.x < Float(side), high.y < Float(side) else { return }
    for y in Int(low.y)...Int(high.y) {
      for x in Int(low.x)...Int(high.x) {
        let offset = SIMD2(Float(x), Float(y)) + 0.5 - a
        let part = length > 0 ? (offset * along).sum() / length : 0
        // Pieces meet end to end: each keeps to its own length, or joints would show as dots.
        guard part >= 0, part < 1 else { continue }
        let across = offset - along * part
        let distance = (across * across).sum().squareRoot()
        let covered = max(min(distance + 0.5, halfWidth) - max(distance - 0.5, -halfWidth), 0)
        map[y * side + x] = 1 - (1 - map[y * side + x]) * (1 - 0.8 * min(covered, 1))
      }
    }
  }

  /// The rows of a square map, blurred by a box of 2·radius + 1 and turned into columns.
  private static func blurTransposed(_ map: [Float], _ radius: Int) -> [Float] {
    var result = [Float](repeating: 0, count: map.count)
    let weight = 1 / Float(2 * radius + 1)
    for y in 0..<side {
      for x in radius..<side - radius {
        var sum: Float = 0
        for near in x - radius...x + radius { sum += map[y * side + near] }
        result[x * side + y] = sum * weight
      }
    }
    return result
  }
}
