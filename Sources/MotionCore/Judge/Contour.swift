/// A point of the subject's outline.
struct ContourPoint: Sendable {
  /// In photo pixels.
  let place: SIMD2<Double>
  /// Out of the subject, of length 1.
  let normal: SIMD2<Double>
}

extension Scene {
  /// The subject's outline: where its coverage, without feather, passes ½ between two neighbouring
  /// samples of the scene's pictures.
  ///
  /// - Parameter refined: whether it is looked for in the photo where the coverage is not certain.
  func contour(refined: Bool = true) async -> [ContourPoint] {
    let grid = pictureGrid
    var given = await coverage.unfeathered(on: grid)
    if refined { given = await coverage.refined(given, by: photo.linear(onto: grid), on: grid) }
    // A hard mask's own steps say nothing of the outline's direction.
    let smooth = await given.blurred(sigma: 1.5)
    var points: [ContourPoint] = []
    for y in 1..<max(given.height - 2, 1) {
      for x in 1..<max(given.width - 2, 1) {
        let here = given[x, y]
        for (dx, dy) in [(1, 0), (0, 1)] {
          let next = given[x + dx, y + dy]
          guard (here >= 0.5) != (next >= 0.5) else { continue }
          let share = Double((0.5 - here) / (next - here))
          let slope = SIMD2(
            Double(
              smooth[x + dx + 1, y + dy] + smooth[x + 1, y] - smooth[x - 1, y]
                - smooth[x + dx - 1, y + dy]),
            Double(
              smooth[x + dx, y + dy + 1] + smooth[x, y + 1] - smooth[x, y - 1]
                - smooth[x + dx, y + dy - 1]))
          let steepness = (slope * slope).sum().squareRoot()
          guard steepness > 1e-3 else { continue }
          points.append(
            ContourPoint(
              place: grid.photoPoint(x, y) + SIMD2(Double(dx), Double(dy)) * (share / grid.density),
              normal: -slope / steepness))
        }
      }
    }
    return points
  }
}
