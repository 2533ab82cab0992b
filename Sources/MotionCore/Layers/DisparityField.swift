/// δ over the photo on a grid.
public struct DisparityField: Sendable {
  public let grid: Grid
  public let plane: Plane<Float>
}

extension DisparityMap {
  /// The map on a grid, without smearing the subject's edge: a sample is interpolated only from map
  /// samples on its own side of the edge, as far as there are any.
  ///
  /// - Parameter coverage: the subject's coverage on the same grid.
  /// - Returns: disparity of the map's own scale, NaN where unknown.
  func resampled(onto grid: Grid, photo: Size, coverage: Plane<Float>) async -> Plane<Float> {
    let taps = Taps.onto(grid, photo: photo, source: disparity.size)
    let (width, height) = (disparity.width, disparity.height)
    // The side of each map sample, looked up at its centre.
    let isSubject = await Plane<Bool>(width: width, height: height) { y, row in
      let perSample = SIMD2(
        Double(photo.width) / Double(width), Double(photo.height) / Double(height))
      for x in 0..<width {
        let p = SIMD2(Double(x) + 0.5, Double(y) + 0.5) * perSample
        let at = (p - grid.origin) * grid.density
        row[x] =
          coverage[
            min(max(Int(at.x), 0), coverage.width - 1),
            min(max(Int(at.y), 0), coverage.height - 1)] > 0.5
      }
    }
    return await Plane(width: grid.size.width, height: grid.size.height) { y, row in
      let vertical = taps.y.weights[y * taps.y.count..<(y + 1) * taps.y.count]
      disparity.withUnsafeSamples { disparity in
        isSubject.withUnsafeSamples { isSubject in
          taps.x.eachSample { x, first, horizontal in
            let side = coverage[x, y] > 0.5
            var (own, ownWeight, any, anyWeight) = (Float(0), Float(0), Float(0), Float(0))
            var line = taps.y.first[y] * width + first
            for vertical in vertical {
              for i in 0..<taps.x.count {
                let value = disparity[line + i]
                let weight = vertical * horizontal[i]
                if weight == 0 || value.isNaN { continue }
                any += value * weight
                anyWeight += weight
                if isSubject[line + i] == side {
                  own += value * weight
                  ownWeight += weight
                }
              }
              line += width
            }
            row[x] =
              ownWeight > 0 ? own / ownWeight : (anyWeight > 0 ? any / anyWeight : .nan)
          }
        }
      }
    }
  }
}

extension Plane<Float> {
  /// The plane with its unknown samples (NaN, or weight 0) filled by push–pull; nil where nothing
  /// is known.
  func filled(weights: Plane<Float>? = nil) async -> Plane<Float>? {
    let known = await Plane(width: width, height: height) { y, row in
      for x in 0..<row.count { row[x] = self[x, y].isNaN ? 0 : weights?[x, y] ?? 1 }
    }
    let values = await Plane(width: width, height: height) { y, row in
      for x in 0..<row.count { row[x] = self[x, y].isNaN ? 0 : self[x, y] }
    }
    return await pushPull(values, weights: known)
  }
}
