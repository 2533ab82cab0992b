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
          layer.lay(
            into: row, columns: 0..<row.count, centre: camera.optics.centre, at: { points[$0] },
            put: { over, _ in over })
        }
      case .card(let disparity):
        let line = CardLine(layer, disparity: disparity, from: first, step: step, camera: camera)
        layer.lay(
          into: row, columns: line.columns(of: row.count), centre: camera.optics.centre,
          at: { line[$0] }, put: { over, under in over + under * (1 - over.w) })
      }
    }
  }
}
