internal import CVector

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
  private let density: SIMD2<Float>
  private let offset: SIMD2<Float>
  private let last: SIMD2<Float>
  private let width: Int
  /// The column and row of the last pair of samples, and how far apart a pair's samples are stored;
  /// a field of one column or row is its own neighbour.
  private let lastPair: SIMD2<Float>
  private let right: Int
  private let below: Int

  /// In photo pixels, as x and y may move.
  private static var tolerance: Float { 1 / 256 }

  init(_ field: DisparityField, rounds: Int, camera: Camera) {
    self.field = field
    self.rounds = rounds
    centre = camera.optics.centre
    shift = SIMD2(camera.shift)
    perZoom = Float(1 / camera.pose.zoom)
    forward = Float(camera.pose.z)
    sideways = SIMD2(
      SIMD2(camera.pose.x, camera.pose.y) * camera.optics.focal)
    density = SIMD2(field.grid.density)
    offset = SIMD2((centre - field.grid.origin) * field.grid.density - 0.5)
    last = SIMD2(Float(field.grid.size.width - 1), Float(field.grid.size.height - 1))
    width = field.grid.size.width
    lastPair = SIMD2(Float(max(width - 2, 0)), Float(max(field.grid.size.height - 2, 0)))
    right = min(width - 1, 1)
    below = field.grid.size.height > 1 ? width : 0
  }

  /// The photo point seen at the pinned photo point `point`.
  func photoPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let relative = SIMD2<Float>(point - centre)
    let (x, y) = field.plane.withUnsafeSamples {
      solve(Lanes(repeating: relative.x), relative.y, $0.baseAddress!)
    }
    return centre + SIMD2(Double(x[0]), Double(y[0]))
  }

  /// The photo points of a row, relative to the principal point as `first` is; `step` is from one
  /// pinned photo point to the next. `points` has room for a multiple of `Lanes.scalarCount`.
  func photoPoints(
    from first: SIMD2<Double>, step: Double, into points: UnsafeMutableBufferPointer<SIMD2<Float>>
  ) {
    let (left, across, y) = (Float(first.x), Float(step), Float(first.y))
    field.plane.withUnsafeSamples { disparity in
      for column in stride(from: 0, to: points.count, by: Lanes.scalarCount) {
        let place = Lanes(0, 1, 2, 3, 4, 5, 6, 7) + Float(column)
        let (x, y) = solve(left + place * across, y, disparity.baseAddress!)
        for lane in 0..<Lanes.scalarCount { points[column + lane] = SIMD2(x[lane], y[lane]) }
      }
    }
  }

  /// Those of the eight pixels from `column` on in such a row.
  @inline(always)
  func photoPoints(
    from first: SIMD2<Double>, step: Double, column: Int
  ) -> (x: Lanes, y: Lanes) {
    let place = Lanes(0, 1, 2, 3, 4, 5, 6, 7) + Float(column)
    return field.plane.withUnsafeSamples {
      solve(Float(first.x) + place * Float(step), Float(first.y), $0.baseAddress!)
    }
  }

  /// Gives `body` the lookup as kernels want it: of a field of at least two columns and rows. The pointer
  /// must not leave the closure.
  func withSheet<Result>(_ body: (MSSheet) -> Result) -> Result {
    field.plane.withUnsafeSamples { disparity in
      body(
        MSSheet(
          disparity: disparity.baseAddress!, width: Int32(width), lastX: last.x, lastY: last.y,
          lastPairX: lastPair.x, lastPairY: lastPair.y, densityX: density.x,
          densityY: density.y, offsetX: offset.x, offsetY: offset.y, shiftX: shift.x,
          shiftY: shift.y, perZoom: perZoom,
          forward: forward, sidewaysX: sideways.x, sidewaysY: sideways.y,
          nearest: Float(Camera.nearest), rounds: Int32(rounds),
          rest: Self.tolerance * Self.tolerance))
    }
  }

  @inline(always)
  private func ray(_ pointX: Lanes, _ pointY: Float) -> (x: Lanes, y: Float) {
    ((pointX - shift.x) * perZoom, (pointY - shift.y) * perZoom)
  }

  /// Where δ puts the photo points of rays.
  @inline(always)
  private func advanced(_ rayX: Lanes, _ rayY: Float, _ delta: Lanes) -> (x: Lanes, y: Lanes) {
    let limit = Lanes(repeating: Float(Camera.nearest))
    let product = delta * forward
    let near = 1 - product.replacing(with: limit, where: product .> limit)
    return (rayX * near + delta * sideways.x, rayY * near + delta * sideways.y)
  }

  /// Many points of one row at once; a point that has come to rest stays.
  @inline(always)
  private func solve(
    _ pointX: Lanes, _ pointY: Float, _ disparity: UnsafePointer<Float>
  ) -> (x: Lanes, y: Lanes) {
    let ray = ray(pointX, pointY)
    let tolerance = Lanes(repeating: Self.tolerance * Self.tolerance)
    var (x, y) = (Lanes.zero, Lanes.zero)
    var delta = Lanes.one
    var moves = SIMDMask<Lanes.MaskStorage>(repeating: true)
    for round in 0...rounds {
      let (nextX, nextY) = advanced(ray.x, ray.y, delta)
      let (movedX, movedY) = (nextX - x, nextY - y)
      x.replace(with: nextX, where: moves)
      y.replace(with: nextY, where: moves)
      if round > 0 {
        moves .&= (movedX * movedX .>= tolerance) .| (movedY * movedY .>= tolerance)
        if !any(moves) { break }
      }
      delta = sample(x, y, disparity)
    }
    return (x, y)
  }

  /// δ at many points, bilinear, the field's edge repeating.
  @inline(always)
  private func sample(
    _ pointX: Lanes, _ pointY: Lanes, _ disparity: UnsafePointer<Float>
  ) -> Lanes {
    let x = (pointX * density.x + offset.x).clamped(to: last.x)
    let y = (pointY * density.y + offset.y).clamped(to: last.y)
    // The last sample is the right one of the last pair, so that there always is a next one.
    let (column, row) = (x.cell(last: lastPair.x), y.cell(last: lastPair.y))
    let (across, down) = (x - column.lower, y - row.lower)
    var (upperLeft, upperRight) = (Lanes.zero, Lanes.zero)
    var (lowerLeft, lowerRight) = (Lanes.zero, Lanes.zero)
    for lane in 0..<Lanes.scalarCount {
      let upper = disparity + (Int(row.index[lane]) &* width &+ Int(column.index[lane]))
      upperLeft[lane] = upper[0]
      upperRight[lane] = upper[right]
      lowerLeft[lane] = upper[below]
      lowerRight[lane] = upper[below &+ right]
    }
    let top = upperLeft + (upperRight - upperLeft) * across
    let bottom = lowerLeft + (lowerRight - lowerLeft) * across
    return top + (bottom - top) * down
  }
}
