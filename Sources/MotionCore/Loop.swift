/// A move in time: which pose each frame of an endless loop shows.
///
/// Frame n has the phase (n mod period) / period, so no frame stands twice at the seam, and frame
/// n + period is frame n. A loop passes most of its poses twice; a *pose id*, an integer, names
/// them, and the pose is computed from the id alone.
public struct Loop: Sendable, Hashable {
  /// Frames of one round, at least 2.
  public let period: Int
  public let move: Move
  public let amount: Double
  public let easing: Easing

  /// Frames of a loop of `seconds` at `rate`: to the nearest, at least 2.
  public static func period(seconds: Double, rate: FrameRate) -> Int {
    max(2, Int((seconds * rate.framesPerSecond).rounded()))
  }

  public init(period: Int, move: Move, amount: Double, easing: Easing = .sine) {
    precondition(period >= 2)
    (self.period, self.move, self.amount, self.easing) = (period, move, amount, easing)
  }

  /// The place of frame `n` in its round: 0..<period.
  public func place(ofFrame n: UInt64) -> Int { Int(n % UInt64(period)) }

  /// The id of the pose that frame `n` shows: the first place in a round that shows it.
  public func poseID(ofFrame n: UInt64) -> Int {
    let m = place(ofFrame: n)
    switch move.course {
    case .outAndBack:
      return min(m, period - m)
    case .sideToSide:
      // An odd round has no frame at the turning point to mirror at.
      return period % 2 == 0 ? min(m, (period / 2 - m + period) % period) : m
    }
  }

  /// The pose of an id.
  public func pose(id: Int) -> Pose {
    let phase = Double(id) / Double(period)
    let part =
      switch move.course {
      case .outAndBack: easing.outAndBack(phase)
      case .sideToSide: 2 * easing.outAndBack(phase + 0.25) - 1
      }
    return move.pose(part, amount: amount)
  }
}
