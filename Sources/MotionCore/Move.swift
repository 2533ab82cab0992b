/// A camera move: a row of the table below.
public struct Move: Sendable, Hashable, CustomStringConvertible {
  public let name: String
  /// What it looks like, for a person.
  public let summary: String
  /// How a loop runs through the move.
  let course: Course
  /// The camera's offset at full travel for an amount of 1, to the right and forward, in units of
  /// the subject's distance.
  private let right: Double
  private let forward: Double
  private let lens: Lens

  enum Course: Sendable {
    /// From rest to full travel and back.
    case outAndBack
    /// Through rest to full travel on one side, and to the other.
    case sideToSide
  }

  private enum Lens: Sendable {
    case fixed
    /// Zooms by the ratio of the distances, so that the subject keeps its size.
    case keepsSubject
  }

  /// THE TABLE of moves: a new one is a new row.
  public static let all: [Move] = [
    Move(
      name: "push", summary: "towards the subject and back", course: .outAndBack,
      right: 0, forward: 0.15, lens: .fixed),
    Move(
      name: "sway", summary: "from side to side", course: .sideToSide,
      right: 0.02, forward: 0, lens: .fixed),
    Move(
      name: "vertigo", summary: "back while the lens zooms in: the subject keeps its size",
      course: .outAndBack, right: 0, forward: -0.3, lens: .keepsSubject),
  ]

  public static func named(_ name: String) -> Move? { all.first { $0.name == name } }
  /// The default.
  public static let push = all[0]

  /// Amounts a move may be asked for; 1 is its natural size.
  public static let amounts = 0.0...3.0

  public var description: String { name }

  /// The camera at a part of the travel: 1 is the farthest, −1 the farthest to the other side.
  public func pose(_ part: Double, amount: Double) -> Pose {
    let (x, z) = (right * amount * part, forward * amount * part)
    switch lens {
    case .fixed: return Pose(x: x, z: z)
    case .keepsSubject: return Pose(x: x, z: z, zoom: 1 - z)
    }
  }

  /// The poses farthest from rest.
  public func extremes(amount: Double) -> [Pose] {
    let parts: [Double] =
      switch course {
      case .outAndBack: [1]
      case .sideToSide: [1, -1]
      }
    return parts.map { pose($0, amount: amount) }
  }
}

/// How a move starts and stops: a row of the table below.
public struct Easing: Sendable, Hashable, CustomStringConvertible {
  public let name: String
  public let summary: String
  /// From 0 at 0 to 1 at 1.
  private let curve: @Sendable (Double) -> Double

  /// THE TABLE of easings: a new one is a new row.
  public static let all: [Easing] = [
    Easing(name: "sine", summary: "gentle at both ends") { (1 - Math.cos(.pi * $0)) / 2 },
    Easing(name: "cubic", summary: "lingers longer at both ends") {
      $0 * $0 * (3 - 2 * $0)
    },
    Easing(name: "quint", summary: "lingers longest, and is quickest between") {
      $0 * $0 * $0 * ($0 * ($0 * 6 - 15) + 10)
    },
    Easing(name: "linear", summary: "one speed, turning at once") { $0 },
  ]

  public static func named(_ name: String) -> Easing? { all.first { $0.name == name } }
  /// The default.
  public static let sine = all[0]

  private init(name: String, summary: String, curve: @escaping @Sendable (Double) -> Double) {
    (self.name, self.summary, self.curve) = (name, summary, curve)
  }

  public var description: String { name }
  public static func == (a: Easing, b: Easing) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Out and back over a loop: 0 at phase 0, 1 at ½, 0 at 1, the same both ways.
  func outAndBack(_ phase: Double) -> Double {
    let turned = phase - phase.rounded(.down)
    return curve(2 * min(turned, 1 - turned))
  }
}
