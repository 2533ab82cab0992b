/// What the samples of a depth picture mean.
public enum DepthKind: Sendable, Hashable {
  /// Inverse depth of unknown scale and offset, as depth networks write it.
  ///
  /// Samples are normalised from the 0.1 to the 99.9 percentile and clamped; the farthest is then
  /// taken to be `range` times as far away as the nearest. Infinities and NaN are unknown.
  case relative(nearIsWhite: Bool, range: Double)
  /// True inverse depth of any scale; +inf is unknown, negative is infinitely far.
  case disparity
  /// Distance of any unit; +inf is infinitely far, NaN and values ≤ 0 are unknown.
  case metric
}

/// How near each place of the photo is: inverse depth of any scale, at any size of the photo's
/// aspect. 0 is infinitely far, larger is nearer, NaN is unknown.
public struct DisparityMap: Sendable {
  /// Inverse depth, ≥ 0 and finite, or NaN where it is unknown.
  public let disparity: Plane<Float>
  public let source: Source

  /// Inverse depth as it is: every sample finite and ≥ 0, or NaN.
  public init(disparity: Plane<Float>, source: Source = .file) {
    self.disparity = disparity
    self.source = source
  }

  /// Why samples cannot be used.
  public enum Unusable: Error, Hashable, Sendable {
    /// Every sample is unknown.
    case nothingKnown
    /// Every known sample is infinitely far: there is no scale.
    case everythingInfinitelyFar
  }

  /// The inverse depth that samples of the given kind stand for.
  ///
  /// - Parameter kind: the range of `.relative` is at least 1.
  public init(samples: Plane<Float>, kind: DepthKind, source: Source = .file) throws(Unusable) {
    self.source = source
    switch kind {
    case .relative(let nearIsWhite, let range):
      precondition(range >= 1)
      disparity = Self.relative(samples, nearIsWhite: nearIsWhite, farthest: Float(1 / range))
    case .disparity:
      disparity = samples.map { $0 == .infinity ? .nan : $0 > 0 ? $0 : $0.isNaN ? .nan : 0 }
    case .metric:
      disparity = samples.map { distance in
        // A distance too small for its inverse to be a number is not one either.
        let inverse = 1 / distance
        return distance > 0 && inverse.isFinite ? inverse : .nan
      }
    }
    guard let known = knownRange else { throw .nothingKnown }
    guard known.upperBound > 0 else { throw .everythingInfinitelyFar }
  }

  /// The smallest and the largest known sample; nil where nothing is known.
  public var knownRange: ClosedRange<Float>? {
    disparity.withUnsafeSamples { samples in
      var (low, high) = (Float.infinity, -Float.infinity)
      for value in samples where !value.isNaN { (low, high) = (min(low, value), max(high, value)) }
      return low <= high ? low...high : nil
    }
  }

  /// The share of samples at either end that normalisation leaves out, one in so many.
  static let outliers = 1000

  private static func relative(
    _ samples: Plane<Float>, nearIsWhite: Bool, farthest: Float
  ) -> Plane<Float> {
    let count = samples.withUnsafeSamples { $0.count { $0.isFinite } }
    guard count > 0 else { return samples.map { _ in .nan } }
    let outside = (count - 1) / outliers
    var low = samples.finiteValue(rank: outside)
    var high = samples.finiteValue(rank: count - 1 - outside)
    if low == high {
      // Nearly all of the picture is one distance: what little differs is all there is to see.
      low = samples.finiteValue(rank: 0)
      high = samples.finiteValue(rank: count - 1)
    }
    let (near, far) = nearIsWhite ? (high, low) : (low, high)
    return samples.map { value in
      guard value.isFinite else { return .nan }
      guard near != far else { return 1 }
      // Halves, since the difference of two floats may be larger than any float.
      let v = (value / 2 - far / 2) / (near / 2 - far / 2)
      return farthest + min(max(v, 0), 1) * (1 - farthest)
    }
  }
}

extension Plane<Float> {
  /// The finite sample with `rank` smaller ones or equals before it, if all were sorted.
  func finiteValue(rank: Int) -> Float {
    withUnsafeSamples { $0.value(rank: rank) { $0.isFinite } }
  }
}

extension UnsafeBufferPointer<Float> {
  /// The counted value with `rank` smaller ones or equals before it, if all that count were sorted.
  ///
  /// Exact and in linear time: the upper half of each value's bits is counted first, then the lower
  /// half of those with the upper half that was sought.
  ///
  /// - Parameter counts: must be false for NaN.
  func value(rank: Int, where counts: (Float) -> Bool) -> Float {
    // In this form unsigned integers sort as the floats do.
    func ordered(_ value: Float) -> UInt32 {
      let bits = value.bitPattern
      return bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
    }
    var rank = rank
    func place(_ bin: (UInt32) -> UInt32?) -> UInt32 {
      var totals = [Int](repeating: 0, count: 1 << 16)
      for value in self where counts(value) {
        if let bin = bin(ordered(value)) { totals[Int(bin)] += 1 }
      }
      for (bin, total) in totals.enumerated() {
        if rank < total { return UInt32(bin) }
        rank -= total
      }
      preconditionFailure("rank beyond the values that count")
    }
    let upper = place { $0 >> 16 }
    let lower = place { $0 >> 16 == upper ? $0 & 0xFFFF : nil }
    let found = upper << 16 | lower
    return Float(bitPattern: found & 0x8000_0000 != 0 ? found & 0x7FFF_FFFF : ~found)
  }
}
