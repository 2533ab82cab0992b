/// Draws frames the plain way: pixel by pixel, in floating point, as the mathematics says it.
struct Reference: Sendable {
  let layers: [Layer]
  let framing: Framing
  let encoder: FrameEncoder

  init(layers: [Layer], framing: Framing, format: VideoFormat) {
    self.layers = layers
    self.framing = framing
    encoder = FrameEncoder(format)
  }

  /// The frame seen from `pose`.
  func frame(_ pose: Pose) -> Frame {
    let camera = framing.camera(pose)
    return encoder.frame { y, row in drawRow(y, camera, into: row) }
  }

  /// The frame seen from `pose` in linear light, unclamped above; w means nothing.
  func linear(_ pose: Pose) -> Plane<SIMD4<Float>> {
    let camera = framing.camera(pose)
    let size = framing.window.output
    return Plane(width: size.width, height: size.height) { y, row in
      drawRow(y, camera, into: row)
      for x in 0..<row.count { row[x].replace(with: 0, where: row[x] .< 0) }
    }
  }

  /// Lays the layers over one another, farthest first: the sheet, which has no end, then the cards;
  /// these alone lie on nothing.
  private func drawRow(
    _ y: Int, _ camera: Camera, into row: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    let window = framing.window
    // The pinned photo point of the row's first pixel, relative to the principal point.
    let first =
      window.photoPoint(SIMD2(0.5, Double(y) + 0.5), crop: framing.crop) - camera.optics.centre
    let step = 1 / (window.scale * framing.crop)
    if case .card = layers.first?.shape { row.update(repeating: .zero) }
    for layer in layers {
      switch layer.shape {
      case .sheet(let field, let rounds):
        let lookup = SheetLookup(field, rounds: rounds, camera: camera)
        let lanes = Lanes.scalarCount
        let room = (row.count + lanes - 1) / lanes * lanes
        withUnsafeTemporaryAllocation(of: SIMD2<Float>.self, capacity: room) { points in
          lookup.photoPoints(from: first, step: step, into: points)
          draw(layer, into: row, columns: 0..<row.count, camera, at: { points[$0] }) { over, _ in
            over
          }
        }
      case .card(let disparity):
        // A card is only ever scaled and shifted: one division serves the whole row.
        let from = camera.unproject(first + camera.optics.centre, disparity: disparity)
        let to = camera.unproject(
          first + camera.optics.centre + SIMD2(step, 0), disparity: disparity)
        let across = to.x - from.x
        let reach = (
          low: layer.grid.origin.x - 1 / layer.grid.density,
          high: layer.grid.origin.x + Double(layer.grid.size.width + 1) / layer.grid.density
        )
        let bound = { (p: Double) in
          Int(min(max((p - from.x) / across, 0), Double(row.count)).rounded(.up))
        }
        let columns = bound(reach.low)..<max(bound(reach.low), bound(reach.high))
        let start = from - camera.optics.centre
        let (left, step, line) = (Float(start.x), Float(across), Float(start.y))
        draw(
          layer, into: row, columns: columns, camera,
          at: { SIMD2(left + Float($0) * step, line) },
          lay: { over, under in over + under * (1 - over.w) })
      }
    }
  }

  /// Lays one layer into a row: its colour, bilinear, at the photo point that `place` gives each
  /// column relative to the principal point, put together by `lay` with what lies there.
  @inline(always)
  private func draw(
    _ layer: Layer, into row: UnsafeMutableBufferPointer<SIMD4<Float>>, columns: Range<Int>,
    _ camera: Camera, at place: (Int) -> SIMD2<Float>,
    lay: (_ over: SIMD4<Float>, _ under: SIMD4<Float>) -> SIMD4<Float>
  ) {
    let grid = layer.grid
    let density = Float(grid.density)
    let offset = SIMD2<Float>((camera.optics.centre - grid.origin) * grid.density - 0.5)
    let last = SIMD2(Float(grid.size.width - 1), Float(grid.size.height - 1))
    let width = grid.size.width
    // As in `SheetLookup`: the last pair, and where a pair's samples lie.
    let (pairX, pairY) = (max(width - 2, 0), max(grid.size.height - 2, 0))
    let (right, below) = (min(width - 1, 1), grid.size.height > 1 ? width : 0)
    layer.colour.withUnsafeSamples { colour in
      let base = colour.baseAddress!
      for column in columns {
        let p = place(column)
        var x = p.x * density + offset.x
        var y = p.y * density + offset.y
        x = x > 0 ? (x < last.x ? x : last.x) : 0
        y = y > 0 ? (y < last.y ? y : last.y) : 0
        let (i, j) = (min(Int(x), pairX), min(Int(y), pairY))
        let (across, down) = (x - Float(i), y - Float(j))
        let upper = base + (j &* width &+ i)
        let lower = upper + below
        let top = upper[0] + (upper[right] - upper[0]) * across
        let bottom = lower[0] + (lower[right] - lower[0]) * across
        row[column] = lay(top + (bottom - top) * down, row[column])
      }
    }
  }
}
