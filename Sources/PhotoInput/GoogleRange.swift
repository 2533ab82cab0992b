internal import MotionCore

/// Which distances the samples 0…1 of a depth picture stand for, as Google's formats say it.
///
/// Source: Google's Depthmap Metadata and Dynamic Depth 1.0. A sample v is
/// near + v·(far − near) in `RangeLinear` and far·near / (far − v·(far − near)) in `RangeInverse`,
/// whose inverse runs evenly from 1/near to 1/far.
struct GoogleRange: Sendable, Hashable {
  /// What v = 0 and v = 1 stand for: inverse distances if `isDisparity`, else distances.
  let first: Double
  let last: Double
  let isDisparity: Bool

  /// - Parameters:
  ///   - inDioptres: near and far are inverse metres, of which the larger is nearer; else distances of
  ///     any unit.
  ///   - kind: the format's name.
  /// - Throws: `damaged` for a format that is not known and for numbers that make no range.
  init(
    format: String?, near: Double?, far: Double?, inDioptres: Bool = false, kind: String
  ) throws(Problem) {
    guard let format, ["RangeInverse", "RangeLinear"].contains(format) else {
      throw .damaged(kind: kind, detail: "no format that is known")
    }
    let isInverse = format == "RangeInverse"
    guard let near, let far,
      // Distances have an order, and the farthest may be infinite where it is inverted. Of inverse
      // metres some may take "near" for the smaller number; 0 is infinitely far.
      inDioptres
        ? near.isFinite && far.isFinite && near != far
          && (isInverse ? min(near, far) > 0 : min(near, far) >= 0)
        : near > 0 && near < far && (far.isFinite || isInverse)
    else { throw .damaged(kind: kind, detail: "no sound Near and Far") }
    (first, last) = isInverse ? (1 / near, 1 / far) : (near, far)
    isDisparity = isInverse != inDioptres
  }

  /// Whether larger samples are nearer.
  var nearIsWhite: Bool { (first < last) == isDisparity }

  /// - Throws: `damaged` for samples that no distance follows from.
  func depth(_ samples: Plane<Float>, kind: String) throws(Problem) -> EmbeddedDepth {
    try EmbeddedDepth(
      samples.between(first, last), kind: isDisparity ? .disparity : .metric,
      nearIsWhite: nearIsWhite, format: kind)
  }
}
