/// The subject as a cut from depth: what is clearly nearer than the background.
struct Cut: Sendable {
  /// The depth it was cut from, of any scale.
  private let disparity: Plane<Float>
  /// 1 on the subject and one sample around it, 0 elsewhere, at the depth's size.
  private let surroundings: Plane<Float>
  /// Coverage is ½ at this disparity and goes from 0 to 1 over `ramp`.
  private let threshold: Float
  private let ramp: Float

  /// How wide the soft edge is, as a part of the step from the background to the subject.
  private static let softness: Float = 0.2
  /// Depth that varies less than this, relative to its nearest, has nothing to cut.
  private static let leastRelief: Float = 0.02

  /// Cuts at the level that separates near and far best (Otsu, "A Threshold Selection Method from
  /// Gray-Level Histograms", 1979) and keeps one connected part: the one under the tap, or the one
  /// with the largest area × distance from the background.
  ///
  /// - Parameter tap: a point of the photo as fractions of its sides.
  /// - Returns: nil where the depth is too flat to cut.
  init?(_ disparity: Plane<Float>, tap: SIMD2<Double>?) {
    let samples = disparity.samples.map { $0.isNaN ? 0 : $0 }
    guard let far = samples.min(), let near = samples.max(), near - far > Self.leastRelief * near
    else { return nil }

    let threshold = Self.otsu(samples, far, near)
    let background = Self.mean(samples.lazy.filter { $0 <= threshold })
    let (width, height) = (disparity.width, disparity.height)
    let parts = Self.connectedParts(samples.map { $0 > threshold }, width: width)
    var chosen: Int?
    if let tap {
      let x = min(max(Int(tap.x * Double(width)), 0), width - 1)
      let y = min(max(Int(tap.y * Double(height)), 0), height - 1)
      chosen = parts.labels[y * width + x]
    }
    if chosen == nil || chosen == 0 {
      var prominence = [Float](repeating: 0, count: parts.count + 1)
      for (label, value) in zip(parts.labels, samples) where label > 0 {
        prominence[label] += value - background
      }
      chosen = prominence.indices.dropFirst().max { prominence[$0] < prominence[$1] }
    }
    guard let chosen else { return nil }

    let labels = parts.labels
    let subject = Self.mean(
      zip(parts.labels, samples).lazy.filter { $0.0 == chosen }.map { $0.1 })
    self.disparity = Plane(width: width, height: height, samples: samples)
    self.threshold = threshold
    ramp = max(Self.softness * (subject - background), 1e-6 * near)
    surroundings = Plane(width: width, height: height) { y, row in
      row.initialize(repeating: 0)
      for line in max(y - 1, 0)...min(y + 1, height - 1) {
        for x in 0..<width where labels[line * width + x] == chosen {
          for near in max(x - 1, 0)...min(x + 1, width - 1) { row[near] = 1 }
        }
      }
    }
  }

  /// Coverage on a grid: interpolated first and cut after, so that the contour is smooth even where
  /// the depth is much coarser than the photo.
  func coverage(on grid: Grid, photo: Size) async -> Plane<Float> {
    let depth = await disparity.resampled(onto: grid, photo: photo)
    let near = await surroundings.resampled(onto: grid, photo: photo)
    return await Plane(width: depth.width, height: depth.height) { y, row in
      for x in 0..<row.count {
        row[x] = near[x, y] * min(max((depth[x, y] - threshold) / ramp + 0.5, 0), 1)
      }
    }
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

  /// Numbers the parts of a mask that hang together by their sides, from 1; 0 is outside.
  ///
  /// - Parameter areLinked: whether two neighbours of the mask, by their indices, hang together.
  static func connectedParts(
    _ mask: [Bool], width: Int, areLinked: (Int, Int) -> Bool = { _, _ in true }
  ) -> (labels: [Int], count: Int) {
    var labels = [Int](repeating: 0, count: mask.count)
    var (count, open) = (0, [Int]())
    func reach(_ next: Int, from i: Int) {
      guard mask[next], labels[next] == 0, areLinked(i, next) else { return }
      labels[next] = count
      open.append(next)
    }
    for start in mask.indices where mask[start] && labels[start] == 0 {
      count += 1
      labels[start] = count
      open.append(start)
      while let i = open.popLast() {
        let x = i % width
        if x > 0 { reach(i - 1, from: i) }
        if x < width - 1 { reach(i + 1, from: i) }
        if i >= width { reach(i - width, from: i) }
        if i + width < mask.count { reach(i + width, from: i) }
      }
    }
    return (labels, count)
  }
}
