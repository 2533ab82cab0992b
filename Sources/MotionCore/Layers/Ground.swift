/// The ground that the subject stands on: a plane of the scene, which rises towards the camera from
/// far to near and fills the lower edge of the picture.
///
/// A plane's inverse depth is linear in the place of the picture, so it is found among samples by
/// trying planes through three of them (Fischler and Bolles, "Random Sample Consensus", 1981).
struct Ground: Sendable {
  /// Inverse depth of the ground: x · column + y · row + z, the sides of the picture being 1.
  private let plane: SIMD3<Double>

  /// Samples are taken so many along the long side.
  private static let lattice = 96
  private static let trials = 400
  /// A sample belongs to the plane within this part of the depths' range.
  private static let tolerance = 0.015
  /// The ground rises by at least this part of the range from the top of the picture to its bottom,
  /// and at most half as much to a side.
  private static let leastRise = 0.3
  /// How much of the picture, and of its lowest rows, has to belong to it.
  private static let leastShare = 0.1
  private static let leastLowerShare = 0.85
  private static let lowerRows = 1.0 / 12

  /// - Parameter disparity: inverse depth of any scale; NaN is unknown.
  /// - Returns: nil where there is none.
  init?(_ disparity: Plane<Float>) {
    let step = max(1, disparity.size.longSide / Self.lattice)
    var places: [SIMD3<Double>] = []
    var values: [Double] = []
    for y in stride(from: step / 2, to: disparity.height, by: step) {
      for x in stride(from: step / 2, to: disparity.width, by: step)
      where disparity[x, y].isFinite {
        places.append(
          SIMD3(
            (Double(x) + 0.5) / Double(disparity.width),
            (Double(y) + 0.5) / Double(disparity.height), 1))
        values.append(Double(disparity[x, y]))
      }
    }
    let sorted = values.sorted()
    let lower = places.indices.filter { places[$0].y > 0.5 }
    guard lower.count >= 3 else { return nil }
    let range = sorted[sorted.count - 1 - sorted.count / 100] - sorted[sorted.count / 100]
    guard range > 0 else { return nil }

    func isOn(_ plane: SIMD3<Double>, _ i: Int) -> Bool {
      abs((plane * places[i]).sum() - values[i]) < Self.tolerance * range
    }
    func couldBe(_ plane: SIMD3<Double>) -> Bool {
      plane.y >= Self.leastRise * range && abs(plane.x) <= plane.y / 2
    }
    var random = RandomSequence(seed: 1)
    var (best, most) = (SIMD3<Double>.zero, 0)
    for _ in 0..<Self.trials {
      let corners = (0..<3).map { _ in
        lower[min(Int(random.next() * Float(lower.count)), lower.count - 1)]
      }
      var sums = NormalEquations()
      for i in corners { sums.add(places[i], values[i]) }
      guard let plane = sums.solution, couldBe(plane) else { continue }
      let count = places.indices.count { isOn(plane, $0) }
      if count > most { (best, most) = (plane, count) }
    }
    guard most > 0 else { return nil }
    for _ in 0..<3 {
      var sums = NormalEquations()
      for i in places.indices where isOn(best, i) { sums.add(places[i], values[i]) }
      guard let plane = sums.solution else { return nil }
      best = plane
    }
    let lowest = places.indices.filter { places[$0].y > 1 - Self.lowerRows }
    func share(_ indices: some Collection<Int>) -> Double {
      indices.isEmpty ? 0 : Double(indices.count { isOn(best, $0) }) / Double(indices.count)
    }
    guard couldBe(best), share(places.indices) >= Self.leastShare,
      share(lowest) >= Self.leastLowerShare
    else { return nil }
    plane = best
  }

  /// Inverse depth of the ground at a sample of a picture of the given size.
  func disparity(_ x: Int, _ y: Int, of size: Size) -> Float {
    Float(
      plane.x * (Double(x) + 0.5) / Double(size.width)
        + plane.y * (Double(y) + 0.5) / Double(size.height) + plane.z)
  }
}

/// The least squares fit of a plane.
private struct NormalEquations {
  private var rows = [SIMD3<Double>](repeating: .zero, count: 3)
  private var right = SIMD3<Double>.zero

  mutating func add(_ place: SIMD3<Double>, _ value: Double) {
    for i in 0..<3 { rows[i] += place * place[i] }
    right += place * value
  }

  /// nil where the places do not span a plane.
  var solution: SIMD3<Double>? {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
    let determinant = (rows[0] * cross(rows[1], rows[2])).sum()
    guard abs(determinant) > 1e-9 else { return nil }
    return
      (cross(rows[1], rows[2]) * right.x + cross(rows[2], rows[0]) * right.y
      + cross(rows[0], rows[1]) * right.z) / determinant
  }
}
