extension DisparityMap {
  /// The long side, in samples, of a map that was refined: finer than networks and phones make theirs,
  /// and as fine as parallax shows.
  private static let refinedSide = 1024.0
  /// Depths that differ by this part of the whole range are the two sides of a step.
  private static let leastStep: Float = 0.06
  /// Over how many of the map's samples its steps are blurred, to each side.
  private static let blur = 1.5
  /// The steps of a map so coarse that they are wider are mended only so far, in samples of the refined
  /// one.
  private static let mostReach = 8.0

  /// The map with its steps moved onto the photo's edges: around each the depth is taken from the
  /// photo's colours, so far as those of its two sides can be told apart.
  ///
  /// A map that is finer than this would make it stays as it is.
  public func refined(by photo: Photo) async -> DisparityMap {
    let grid = Grid(
      photo: photo.size, density: min(1, Self.refinedSide / Double(photo.size.longSide)))
    let sample = Double(grid.size.width) / Double(disparity.width)
    guard sample > 1, let range = knownRange, range.upperBound > range.lowerBound else {
      return self
    }
    let (low, span) = (range.lowerBound, range.upperBound - range.lowerBound)
    async let light = photo.linear(onto: grid)
    let values = await disparity.resampled(onto: grid, photo: photo.size).map {
      ($0 - low) / span
    }
    guard !values.withUnsafeSamples({ $0.contains(where: \.isNaN) }) else { return self }
    let reach = Float(min((Self.blur * sample).rounded(.up), Self.mostReach))
    let highest = await values.dilated(by: reach)
    let lowest = await values.map { 1 - $0 }.dilated(by: reach).map { 1 - $0 }
    let known = await Plane<Float>(width: values.width, height: values.height) { y, row in
      for x in row.indices {
        row[x] = highest[x, y] - lowest[x, y] > Self.leastStep ? .nan : values[x, y]
      }
    }
    let told = await values.predicted(
      by: await light, known: known, radius: Int(3 * reach))
    return DisparityMap(
      disparity: await Plane<Float>(width: values.width, height: values.height) { y, row in
        for x in row.indices {
          let value = min(max(told[x, y], lowest[x, y]), highest[x, y])
          row[x] = max(low + value * span, 0)
        }
      }, source: source)
  }
}
