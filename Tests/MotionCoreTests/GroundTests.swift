import Testing

@testable import MotionCore

@Suite struct GroundTests {
  /// A table below the horizon at 0.4 of the height, a wall above, and a block that stands on it.
  private func table(tilt: Double = 0, block: Bool = true) -> Plane<Float> {
    plane(120, 90) { x, y in
      let ground = 0.3 + 0.9 * (y / 90 - 0.4) + tilt * x / 120
      if block, x > 50, x < 70, y > 20, y < 60 { return 0.3 + 0.9 * (60.0 / 90 - 0.4) }
      return max(0.3, ground)
    }
  }

  @Test(arguments: [0, 0.2]) func aTableIsFound(tilt: Double) throws {
    let ground = try #require(Ground(table(tilt: tilt)))
    for (x, y) in [(5, 80), (60, 85), (115, 70)] {
      let expected =
        0.3 + 0.9 * ((Double(y) + 0.5) / 90 - 0.4) + tilt * (Double(x) + 0.5) / 120
      let found = ground.disparity(x, y, of: Size(width: 120, height: 90))
      #expect(abs(Double(found) - expected) < 0.01)
    }
  }

  @Test func whatIsNoGroundIsNotFound() {
    // A wall, a ceiling, a slope to the side, and a portrait that fills the lower edge.
    #expect(Ground(plane(120, 90) { _, _ in 0.5 }) == nil)
    #expect(Ground(plane(120, 90) { _, y in 1 - y / 90 }) == nil)
    #expect(Ground(plane(120, 90) { x, _ in x / 120 }) == nil)
    #expect(Ground(plane(120, 90) { x, y in abs(x - 60) < 10 + y / 3 ? 1 : 0.2 }) == nil)
    #expect(Ground(plane(120, 90) { _, _ in .nan }) == nil)
    #expect(Ground(plane(1, 1) { _, _ in 1 }) == nil)
  }

  /// The table is nearer than the block at its front, and is not the subject.
  @Test func theCutLeavesTheGround() async throws {
    let cut = try #require(await Cut(table(), tap: nil))
    let size = Size(width: 120, height: 90)
    let coverage = await cut.coverage(on: Grid(photo: size, density: 1), photo: size)
    #expect(coverage[60, 30] == 1 && coverage[60, 50] == 1)
    #expect(coverage[60, 85] == 0 && coverage[10, 85] == 0 && coverage[10, 20] == 0)
    // It is cut at its sides to the sample, and near its foot, where no step is.
    #expect(coverage[51, 40] > 0.5 && coverage[48, 40] < 0.5)
    #expect(coverage[60, 57] > 0.5 && coverage[60, 63] < 0.5)
  }
}
