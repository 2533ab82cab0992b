/// The subject as a cut from depth: what is clearly nearer than the background.
struct Cut: Sendable {
  /// ½ on the contour, 1 and more inside, 0 and less outside, at the depth's size.
  private let level: Plane<Float>
  /// How far everything stands out of the ground, or how near it is where there is none: of the depth's
  /// unit and size.
  let heights: Plane<Float>

  /// Depth that varies less than this, relative to its nearest, has nothing to cut.
  private static let leastRelief: Float = 0.02
  /// What is nearer than the ground is still the subject where it stands out by this part of the
  /// subject's height, and so far from what stands out by more, as a part of the long side.
  private static let footing: (height: Float, reach: Float) = (0.05, 0.08)
  /// Samples over which a depth's steps are blurred, to each side.
  private static let blur = 3
  /// How wide the soft edge is, as a part of the step from the background to the subject.
  private static let softness: Float = 0.2

  /// Takes the ground away, cuts at the level that separates near and far best (Otsu, "A Threshold
  /// Selection Method from Gray-Level Histograms", 1979) and keeps one connected part: the one under
  /// the tap, or the one with the largest area × distance from the background. Its contour then lies
  /// halfway up each step of the depth, which a blurred step keeps in its place.
  ///
  /// - Parameter tap: a point of the photo as fractions of its sides.
  /// - Returns: nil where the depth is too flat to cut.
  init?(_ disparity: Plane<Float>, tap: SIMD2<Double>?) async {
    var heights = disparity.samples.map { $0.isNaN ? 0 : $0 }
    guard let far = heights.min(), let near = heights.max(), near - far > Self.leastRelief * near
    else { return nil }
    let (width, height) = (disparity.width, disparity.height)
    let ground = Ground(disparity)
    if let ground {
      // What is behind the ground's end is as far away as most of it.
      let wall = heights.withUnsafeBufferPointer { $0.value(rank: $0.count / 50) { _ in true } }
      for y in 0..<height {
        for x in 0..<width {
          let base = max(ground.disparity(x, y, of: disparity.size), wall)
          heights[y * width + x] = max(heights[y * width + x] - base, 0)
        }
      }
    }
    guard let lowest = heights.min(), let highest = heights.max(), highest > lowest else {
      return nil
    }

    let threshold = Self.otsu(heights, lowest, highest)
    let background = Self.mean(heights.lazy.filter { $0 <= threshold })
    let parts = ConnectedParts(heights.map { $0 > threshold }, width: width)
    var chosen: Int?
    if let tap {
      let x = min(max(Int(tap.x * Double(width)), 0), width - 1)
      let y = min(max(Int(tap.y * Double(height)), 0), height - 1)
      chosen = parts.labels[y * width + x]
    }
    if chosen == nil || chosen == 0 {
      var prominence = [Float](repeating: 0, count: parts.count + 1)
      for (label, value) in zip(parts.labels, heights) where label > 0 {
        prominence[label] += value - background
      }
      chosen = prominence.indices.dropFirst().max { prominence[$0] < prominence[$1] }
    }
    guard let chosen else { return nil }
    let subject = Self.mean(zip(parts.labels, heights).lazy.filter { $0.0 == chosen }.map(\.1))
    let step = subject - background
    let part = parts.labels.map { $0 == chosen }
    let inside =
      ground == nil
      ? part
      : await Self.footed(part, heights, above: Self.footing.height * step, width: width)

    self.heights = Plane(width: width, height: height, samples: heights)
    let others = zip(parts.labels, inside).map { $0 != 0 && !$1 }

    // The depth of the subject and of what is around it, as near as they are to each sample.
    let reach = Self.blur
    let top = Self.largest(zip(inside, heights).map { $0 ? $1 : -.infinity }, width, reach)
    let bottom = Self.largest(zip(inside, heights).map { $0 ? -.infinity : -$1 }, width, reach)
    level = await Plane(width: width, height: height) { [heights] y, row in
      for x in 0..<width {
        let i = y * width + x
        let (high, low) = (top[i], -bottom[i])
        guard high.isFinite, low.isFinite, high > low else {
          row[x] = inside[i] ? 1 : 0
          continue
        }
        // Where the subject touches the ground there is no step, but a slope that begins at the
        // contour.
        let share =
          ground == nil ? 0.5 : 0.2 + 0.3 * min((high - low) / (0.5 * step), 1)
        let ramp = ground == nil ? Self.softness * step : 2 * Self.softness * (high - low)
        let value = (heights[i] - low - share * (high - low)) / max(ramp, 1e-6 * near) + 0.5
        // Another part is not this one, however near.
        row[x] = min(max(value, -2), others[i] ? 0 : 3)
      }
    }
  }

  /// Coverage on a grid: interpolated first and cut after, so that the contour is smooth even where
  /// the depth is much coarser than the photo.
  func coverage(on grid: Grid, photo: Size) async -> Plane<Float> {
    let level = await level.resampled(onto: grid, photo: photo)
    return await Plane(width: level.width, height: level.height) { y, row in
      for x in 0..<row.count { row[x] = min(max(level[x, y], 0), 1) }
    }
  }

  /// How many photo pixels a sample of the depth is wide.
  func sampleWidth(photo: Size) -> Double { Double(photo.width) / Double(level.width) }

  /// A part and what hangs together with it at a lower height, as far as the footing reaches.
  private static func footed(
    _ part: [Bool], _ heights: [Float], above height: Float, width: Int
  ) async -> [Bool] {
    let lower = ConnectedParts(
      zip(part, heights).map { $0 || $1 > height }, width: width)
    var hangs = [Bool](repeating: false, count: lower.count + 1)
    for (label, isPart) in zip(lower.labels, part) where isPart { hangs[label] = true }
    let rows = part.count / width
    let far = await Plane(width: width, height: rows, samples: part.map { $0 ? Float(1) : 0 })
      .clear(of: 0.5, by: footing.reach * Float(max(width, rows)))
    return far.withUnsafeSamples { far in
      part.indices.map { lower.labels[$0] > 0 && hangs[lower.labels[$0]] && far[$0] == 0 }
    }
  }

  /// The largest value within `reach` samples along rows and columns.
  private static func largest(_ values: [Float], _ width: Int, _ reach: Int) -> [Float] {
    let rows = values.count / width
    var across = values
    for i in values.indices {
      let start = i / width * width
      for near in max(i - reach, start)...min(i + reach, start + width - 1) {
        across[i] = max(across[i], values[near])
      }
    }
    var result = across
    for y in 0..<rows {
      for line in max(y - reach, 0)...min(y + reach, rows - 1) {
        for x in 0..<width {
          result[y * width + x] = max(result[y * width + x], across[line * width + x])
        }
      }
    }
    return result
  }

  private static func otsu(_ samples: [Float], _ far: Float, _ near: Float) -> Float {
    let bins = 256
    var histogram = [Double](repeating: 0, count: bins)
    for value in samples {
      histogram[min(Int((value - far) / (near - far) * Float(bins)), bins - 1)] += 1
    }
    let total = Double(samples.count)
    let sum = histogram.indices.reduce(0) { $0 + Double($1) * histogram[$1] }
    var (count, partial, best, separation) = (0.0, 0.0, 0, 0.0)
    for bin in 0..<bins - 1 {
      count += histogram[bin]
      partial += Double(bin) * histogram[bin]
      guard count > 0, count < total else { continue }
      let step = partial / count - (sum - partial) / (total - count)
      let between = count * (total - count) * step * step
      if between > separation { (best, separation) = (bin, between) }
    }
    return far + (near - far) * Float(best + 1) / Float(bins)
  }

  private static func mean(_ values: some Sequence<Float>) -> Float {
    var (sum, count) = (0.0, 0)
    for value in values { (sum, count) = (sum + Double(value), count + 1) }
    return count > 0 ? Float(sum / Double(count)) : 0
  }
}
