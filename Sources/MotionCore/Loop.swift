/// A move in time: which pose each frame of an endless loop shows.
///
/// A round moves and then holds. While it moves, frame n has the phase (n mod period) / moving, so no
/// frame stands twice at the seam, and frame n + period is frame n. A loop passes most of its poses
/// twice; a *pose id*, an integer, names them, and the pose is computed from the id alone.
public struct Loop: Sendable, Hashable {
  /// Frames of one round: at least 2 that move, or 1 of a fixed pose.
  public let period: Int
  /// Frames at the end of a round in which the camera stands where the round began.
  public let hold: Int
  public let move: Move
  public let amount: Double
  public let easing: Easing
  /// Where the camera stands in every frame, whatever the move; nil where it moves.
  public let fixedPose: Pose?

  /// Frames of a loop of `seconds` at `rate`: to the nearest, at least 2.
  public static func period(seconds: Double, rate: FrameRate) -> Int {
    max(2, Int((seconds * rate.framesPerSecond).rounded()))
  }

  /// Frames of a hold of `seconds` at `rate`: to the nearest.
  public static func hold(seconds: Double, rate: FrameRate) -> Int {
    Int((seconds * rate.framesPerSecond).rounded())
  }

  /// - Parameters:
  ///   - period: frames of one round, the hold among them.
  ///   - hold: how many of them are held, at most `period` − 2.
  public init(
    period: Int, hold: Int = 0, move: Move, amount: Double, easing: Easing = .sine
  ) {
    precondition(hold >= 0 && period - hold >= 2)
    (self.period, self.hold) = (period, hold)
    (self.move, self.amount, self.easing) = (move, amount, easing)
    fixedPose = nil
  }

  /// A round of one frame, seen from `pose` within the framing of a move.
  public init(fixedPose pose: Pose, move: Move, amount: Double) {
    (period, hold, fixedPose) = (1, 0, pose)
    (self.move, self.amount, easing) = (move, amount, .sine)
  }

  /// Frames of a round in which the camera moves.
  public var moving: Int { period - hold }

  /// The place of frame `n` in its round: 0..<period.
  public func place(ofFrame n: UInt64) -> Int { Int(n % UInt64(period)) }

  /// The id of the pose that frame `n` shows: the first place in a round that shows it.
  public func poseID(ofFrame n: UInt64) -> Int {
    let m = place(ofFrame: n)
    if m >= moving { return 0 }
    switch move.course {
    case .outAndBack:
      return min(m, moving - m)
    case .sideToSide:
      // An odd round has no frame at the turning point to mirror at, and an eased one goes faster
      // through the middle than it starts.
      return moving % 2 == 0 && hold == 0 ? min(m, (moving / 2 - m + moving) % moving) : m
    }
  }

  /// The pose of an id.
  public func pose(id: Int) -> Pose {
    if let fixedPose { return fixedPose }
    let phase = Double(id) / Double(moving)
    let part =
      switch move.course {
      case .outAndBack: easing.outAndBack(phase)
      case .sideToSide:
        2 * easing.outAndBack((hold == 0 ? phase : Self.fromRestToRest(phase)) + 0.25) - 1
      }
    return move.pose(part, amount: amount)
  }

  /// The poses between which all of the move's lie, the first at rest, and the fixed one.
  var extremes: [Pose] {
    [.rest] + move.extremes(amount: amount) + (fixedPose.map { [$0] } ?? [])
  }

  /// From 0 at 0 to 1 at 1, standing still at both: a move that passes its resting place at full
  /// speed would start out of a hold with a jolt.
  private static func fromRestToRest(_ phase: Double) -> Double { phase * phase * (3 - 2 * phase) }
}
