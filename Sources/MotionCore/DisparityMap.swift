/// What the samples of a depth picture mean.
public enum DepthKind: Sendable, Hashable {
  /// Inverse depth of unknown scale and offset, as depth networks write it.
  ///
  /// Samples are normalised from the 0.1 to the 99.9 percentile and clamped; the farthest is then
  /// taken to be `range` times as far away as the nearest.
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
}
