/// Which layer each pixel of a frame shows, and which point of the photo.
struct InverseMap: Sendable {
  /// Photo pixels relative to the principal point.
  let points: Plane<SIMD2<Float>>
  /// Index of the nearest layer that covers the pixel by half.
  let layers: Plane<UInt8>
  /// Frame pixels a photo pixel where nothing has moved.
  let scale: Float

  /// How much narrower than the photo what stands in a frame may be before it counts as smeared.
  private static var leastWidth: Float { 0.5 }

  /// The share of pixels, 0…1, in which the photo is drawn out to more than twice its width in some
  /// direction, or turned over. Neighbours of different layers are not compared.
  var stretched: Double {
    var (count, bad) = (0, 0)
    for y in 0..<points.height - 1 {
      for x in 0..<points.width - 1 {
        let layer = layers[x, y]
        guard layers[x + 1, y] == layer, layers[x, y + 1] == layer else { continue }
        let here = points[x, y]
        let (u, v) = ((points[x + 1, y] - here) * scale, (points[x, y + 1] - here) * scale)
        let determinant = u.x * v.y - u.y * v.x
        let sum = (u * u).sum() + (v * v).sum()
        // The smaller singular value of the map's derivative.
        let smaller = (sum - max(sum * sum - 4 * determinant * determinant, 0).squareRoot()) / 2
        count += 1
        if determinant < 0 || smaller < Self.leastWidth * Self.leastWidth { bad += 1 }
      }
    }
    return count > 0 ? Double(bad) / Double(count) : 0
  }
}

extension Reference {
  /// The photo points that the frame from `pose` shows.
  func inverseMap(_ pose: Pose) async -> InverseMap {
    let camera = framing.camera(pose)
    let size = framing.window.output
    let step = 1 / (framing.window.scale * framing.crop)
    let seen = await Plane<SIMD4<Float>>(width: size.width, height: size.height) { y, row in
      let first =
        framing.window.photoPoint(SIMD2(0.5, Double(y) + 0.5), crop: framing.crop)
        - camera.optics.centre
      for (index, layer) in layers.enumerated() {
        switch layer.shape {
        case .sheet(let field, let rounds):
          let lookup = SheetLookup(field, rounds: rounds, camera: camera)
          let room = (row.count + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount
          withUnsafeTemporaryAllocation(of: SIMD2<Float>.self, capacity: room) { points in
            lookup.photoPoints(from: first, step: step, into: points)
            for x in 0..<row.count {
              row[x] = SIMD4(lowHalf: points[x], highHalf: SIMD2(Float(index), 0))
            }
          }
        case .card(let disparity):
          for x in 0..<row.count {
            let pinned = first + camera.optics.centre + SIMD2(Double(x) * step, 0)
            let p = camera.unproject(pinned, disparity: disparity)
            let at = (p - layer.grid.origin) * layer.grid.density
            let (i, j) = (Int(at.x.rounded(.down)), Int(at.y.rounded(.down)))
            guard i >= 0, j >= 0, i < layer.colour.width, j < layer.colour.height,
              layer.colour[i, j].w >= 0.5
            else { continue }
            row[x] = SIMD4(
              lowHalf: SIMD2<Float>(p - camera.optics.centre), highHalf: SIMD2(Float(index), 0))
          }
        }
      }
    }
    return InverseMap(
      points: seen.map { $0.lowHalf }, layers: seen.map { UInt8($0.z) },
      scale: Float(framing.window.scale * framing.crop))
  }
}
