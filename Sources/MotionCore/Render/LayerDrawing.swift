extension Layer {
  /// Lays the layer into a row: its colour, bilinear, at the photo point that `place` gives each
  /// column relative to the principal point `centre`, put together by `put` with what lies there.
  @inline(always)
  func lay(
    into row: UnsafeMutableBufferPointer<SIMD4<Float>>, columns: Range<Int>,
    centre: SIMD2<Double>, at place: (Int) -> SIMD2<Float>,
    put: (_ over: SIMD4<Float>, _ under: SIMD4<Float>) -> SIMD4<Float>
  ) {
    let density = SIMD2<Float>(grid.density)
    let offset = SIMD2<Float>((centre - grid.origin) * grid.density - 0.5)
    let last = SIMD2(Float(grid.size.width - 1), Float(grid.size.height - 1))
    let width = grid.size.width
    // As in `SheetLookup`: the last pair, and where a pair's samples lie.
    let (pairX, pairY) = (max(width - 2, 0), max(grid.size.height - 2, 0))
    let (right, below) = (min(width - 1, 1), grid.size.height > 1 ? width : 0)
    colour.withUnsafeSamples { colour in
      let base = colour.baseAddress!
      for column in columns {
        let p = place(column)
        var x = p.x * density.x + offset.x
        var y = p.y * density.y + offset.y
        x = x > 0 ? (x < last.x ? x : last.x) : 0
        y = y > 0 ? (y < last.y ? y : last.y) : 0
        let (i, j) = (min(Int(x), pairX), min(Int(y), pairY))
        let (across, down) = (x - Float(i), y - Float(j))
        let upper = base + (j &* width &+ i)
        let lower = upper + below
        let top = upper[0] + (upper[right] - upper[0]) * across
        let bottom = lower[0] + (lower[right] - lower[0]) * across
        row[column] = put(top + (bottom - top) * down, row[column])
      }
    }
  }
}

/// Where a row of a frame looks into a card: it is only ever scaled and shifted, so one division
/// serves the whole row.
struct CardLine {
  /// The photo point of the first column relative to the principal point, and how far it is to the
  /// next one's.
  let left: Float
  let line: Float
  let step: Float
  /// The first column that the card reaches, and the one behind its last.
  private let reach: (low: Double, high: Double)

  /// - Parameters:
  ///   - first: the pinned photo point of the row's first pixel, relative to the principal point.
  ///   - step: from one pinned photo point to the next.
  init(
    _ layer: Layer, disparity: Double, from first: SIMD2<Double>, step: Double, camera: Camera
  ) {
    let centre = camera.optics.centre
    let from = camera.unproject(first + centre, disparity: disparity)
    let to = camera.unproject(first + centre + SIMD2(step, 0), disparity: disparity)
    let across = to.x - from.x
    let grid = layer.grid
    let (low, high) = (
      grid.origin.x - 1 / grid.density.x,
      grid.origin.x + Double(grid.size.width + 1) / grid.density.x
    )
    reach = ((low - from.x) / across, (high - from.x) / across)
    let start = from - centre
    (left, self.step, line) = (Float(start.x), Float(across), Float(start.y))
  }

  /// Whether two rows of `count` pixels look at the same places, to within a distance in photo pixels.
  func isLine(_ other: CardLine, count: Int, within distance: Double) -> Bool {
    [left - other.left, line - other.line, (step - other.step) * Float(count)].allSatisfy {
      abs($0) < Float(distance)
    }
  }

  /// The columns of a row of `count` that the card reaches.
  func columns(of count: Int) -> Range<Int> {
    func bound(_ place: Double) -> Int {
      Int(min(max(place, 0), Double(count)).rounded(.up))
    }
    return bound(reach.low)..<max(bound(reach.low), bound(reach.high))
  }

  /// The photo point of a column, relative to the principal point.
  @inline(always)
  subscript(column: Int) -> SIMD2<Float> { SIMD2(left + Float(column) * step, line) }
}
