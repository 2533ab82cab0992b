/// How far two maps of a photo agree, whatever their scales.
extension Plane<Float> {
  /// Spearman's rank correlation with another plane of the same size: 1 where everything is in the same
  /// order, −1 where it is in the opposite one. Samples that are no numbers in either count for nothing.
  ///
  /// - Returns: nil where one of them is the same everywhere.
  public func rankCorrelation(with other: Plane<Float>) -> Double? {
    precondition(size == other.size)
    var (own, others) = ([Float](), [Float]())
    for (a, b) in zip(samples, other.samples) where !a.isNaN && !b.isNaN {
      own.append(a)
      others.append(b)
    }
    let (a, b) = (own.ranks, others.ranks)
    let mean = Double(a.count + 1) / 2
    var (both, first, second) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      both += (x - mean) * (y - mean)
      first += (x - mean) * (x - mean)
      second += (y - mean) * (y - mean)
    }
    return first > 0 && second > 0 ? both / (first * second).squareRoot() : nil
  }

  /// Of what either of two masks of the same size covers by more than half, the share that both do; 1
  /// where neither covers anything.
  public func overlap(with other: Plane<Float>) -> Double {
    precondition(size == other.size)
    var (both, either) = (0, 0)
    for (a, b) in zip(samples, other.samples) {
      both += a > 0.5 && b > 0.5 ? 1 : 0
      either += a > 0.5 || b > 0.5 ? 1 : 0
    }
    return either > 0 ? Double(both) / Double(either) : 1
  }
}

extension [Float] {
  /// The place of each value, from 1, if all were sorted; equal ones share the mean of theirs.
  fileprivate var ranks: [Double] {
    let order = indices.sorted { self[$0] < self[$1] }
    var ranks = [Double](repeating: 0, count: count)
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, self[order[end]] == self[order[start]] { end += 1 }
      for place in start..<end { ranks[order[place]] = Double(start + end + 1) / 2 }
      start = end
    }
    return ranks
  }
}

/// How well a subject that a network found is the one that a matte says: their overlaps, 0…1.
public struct LiftTrial: Sendable {
  public let asFound: Double
  /// Without what lies far behind it by a depth that is known, and by one that was guessed.
  public let gated: Double?
  public let gatedByGuess: Double?
  /// Its contour looked for in the photo and feathered, as layers have it; gated where a depth is known.
  public let inLayers: Double

  /// The long side, in samples, of layers as a film of 1080 rows has them.
  private static let layerSide = 1440

  /// - Parameters:
  ///   - lift: at the size that the network gave it.
  ///   - matte: the true one.
  public init(
    _ photo: Photo, lift: Plane<Float>, matte: Plane<Float>, depth: DisparityMap?,
    guess: DisparityMap?
  ) async throws(Scene.Problem) {
    func overlap(_ mask: Plane<Float>) async -> Double {
      await mask.scaled(to: matte.size).overlap(with: matte)
    }
    let instance = lift.instance(under: nil, depth: nil) ?? lift
    asFound = await overlap(instance)
    var found = instance
    if let depth {
      found = instance.gated(by: await depth.nearness(at: lift.size))
      gated = await overlap(found)
    } else {
      gated = nil
    }
    gatedByGuess =
      if let guess {
        await overlap(instance.gated(by: await guess.nearness(at: lift.size)))
      } else {
        nil
      }
    let side = min(Self.layerSide, photo.size.longSide)
    let scene = try await Scene(
      photo: photo, depth: nil, matte: Matte(coverage: found, isRough: true, source: .lift),
      output: photo.size.scaled(toLongSide: side))
    let grid = scene.pictureGrid
    inLayers = await overlap(
      await scene.coverage.finished(await photo.linear(onto: grid), on: grid))
  }
}
