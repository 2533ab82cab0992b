/// The vase: a turned pot with ribs, a surface of revolution about a vertical axis.
struct Vase: Sendable {
  static let steps = 1024

  let axis: SIMD2<Float>
  let top: Float
  let bottom: Float
  let largestRadius: Float
  /// From top to bottom: the radius, its slope down the pot without ribs, the ribs' part of the
  /// slope, and the ribs' own height from −1 (valley) to 1 (crest).
  private let profile: [SIMD4<Float>]

  init(_ composition: Composition) {
    axis = composition.axis
    top = composition.mouth
    bottom = composition.table
    let height = Double(composition.height)
    let radius = Double(composition.radius)
    let smooth = (0...Self.steps).map { Self.outline(Double($0) / Double(Self.steps)) * radius }
    let ribs = (0...Self.steps).map { Self.rib(Double($0) / Double(Self.steps)) }
    let depth = 0.008 * radius
    let step = height / Double(Self.steps)
    profile = (0...Self.steps).map { index in
      let (before, after) = (max(index - 1, 0), min(index + 1, Self.steps))
      let span = Double(after - before) * step
      return SIMD4(
        Float(smooth[index] + depth * ribs[index].height),
        Float((smooth[after] - smooth[before]) / span),
        Float(depth * (ribs[after].height - ribs[before].height) / span),
        Float(ribs[index].phase))
    }
    largestRadius = profile.reduce(0) { max($0, $1.x) }
  }

  func withTracer<Result>(_ body: (VaseTracer) -> Result) -> Result {
    profile.withUnsafeBufferPointer {
      body(
        VaseTracer(
          axis: axis, top: top, bottom: bottom, largestRadius: largestRadius,
          profile: $0.baseAddress!))
    }
  }

  /// The turned shape without ribs: the radius, 1 at the belly, from the lip (0) to the foot (1).
  private static func outline(_ t: Double) -> Double {
    let heights = [-0.10, 0.0, 0.10, 0.20, 0.34, 0.50, 0.68, 0.86, 1.0, 1.14]
    let radii = [0.66, 0.48, 0.385, 0.50, 0.84, 1.0, 0.94, 0.74, 0.56, 0.42]
    var at = 1
    while at < heights.count - 3, t > heights[at + 1] { at += 1 }
    let span = heights[at + 1] - heights[at]
    let u = (t - heights[at]) / span
    let enter = (radii[at + 1] - radii[at - 1]) / (heights[at + 1] - heights[at - 1]) * span
    let leave = (radii[at + 2] - radii[at]) / (heights[at + 2] - heights[at]) * span
    let (a, b) = (radii[at], radii[at + 1])
    let curve =
      a + u * (enter + u * (3 * (b - a) - 2 * enter - leave + u * (2 * (a - b) + enter + leave)))
    return curve - rounding(t, 0.022) - rounding(1 - t, 0.016)
  }

  /// What a quarter of a circle takes off the radius at an edge.
  private static func rounding(_ t: Double, _ size: Double) -> Double {
    guard t < size else { return 0 }
    let x = 1 - t / size
    return size * 1.6 * (1 - (1 - x * x).squareRoot())
  }

  /// The ribs: their height as they stand, and as a phase that does not fade at the ends.
  private static func rib(_ t: Double) -> (height: Double, phase: Double) {
    let (first, last, count) = (0.15, 0.93, 15.0)
    guard t > first, t < last else { return (0, -1) }
    let turn = (t - first) / (last - first) * count
    let wave = (Math.cos(2 * .pi * turn) * 0x1p20).rounded() * 0x1p-20
    let fade = min(min(t - first, last - t) / 0.05, 1)
    return (-wave * fade, -wave)
  }
}
