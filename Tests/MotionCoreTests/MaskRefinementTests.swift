import Testing

@testable import MotionCore

@Suite struct MaskRefinementTests {
  private let size = Size(width: 160, height: 120)
  private var grid: Grid { Grid(photo: size, density: 1) }

  private func disc(_ radius: Double, softness: Double = 1) -> Plane<Float> {
    plane(size.width, size.height) { x, y in
      let (dx, dy) = (x - 80, y - 60)
      return min(max((radius - (dx * dx + dy * dy).squareRoot()) / softness + 0.5, 0), 1)
    }
  }

  /// A disc of radius 40 before a wall, both mottled.
  private func light(contrast: Double) async -> Plane<SIMD4<Float>> {
    let edge = disc(40)
    return await paint(size.width, size.height) { x, y in
      let a = Double(edge[Int(x), Int(y)])
      let mottle = 0.02 * ((x * 0.7).rounded() * 7 + y * 3).truncatingRemainder(dividingBy: 5) / 5
      let wall = SIMD3(0.3, 0.3, 0.3) + mottle
      return wall + SIMD3(contrast, contrast / 2, -contrast / 2) * a
    }.linear(onto: grid)
  }

  /// The radius of the disc of a mask's area.
  private func radius(_ mask: Plane<Float>) -> Double {
    (Double(mask.samples.reduce(0, +)) / .pi).squareRoot()
  }

  @Test(arguments: [36.5, 38, 42, 43.5]) func aContourMovesOntoThePhotosEdge(of rough: Double)
    async
  {
    let mask = disc(rough, softness: 6)
    let refined = await mask.refined(by: light(contrast: 0.3), reach: 4)
    #expect(abs(radius(refined) - 40) < 0.3, "\(rough) became \(radius(refined))")
    // Soft as the photo's edge is, and no softer.
    let between = refined.samples.count { $0 > 0.1 && $0 < 0.9 }
    #expect(Double(between) < 2 * .pi * 40 * 2)
    #expect(refined[80, 60] == 1 && refined[5, 5] == 0)
  }

  /// Where the colours tell nothing, the mask is what it was.
  @Test func aContourStaysWhereNothingIsSeen() async {
    let mask = disc(42)
    let refined = await mask.refined(by: light(contrast: 0), reach: 4)
    #expect(abs(radius(refined) - 42) < 0.1)
  }

  @Test func nothingAndAllStay() async {
    let light = await light(contrast: 0.3)
    for value: Float in [0, 1] {
      let mask = Plane(width: size.width, height: size.height, repeating: value)
      #expect(await mask.refined(by: light, reach: 9).samples.allSatisfy { $0 == value })
    }
  }

  /// As it is defined, sample by sample.
  @Test(arguments: [1, 2.4, 7.3] as [Float]) func sidesAreThoseOfAllThatIsNear(_ radius: Float)
    async
  {
    var state: UInt32 = 7
    // A corner that is even, and specks elsewhere.
    let samples: [Float] = (0..<61 * 47).map { i in
      state = state &* 1_664_525 &+ 1_013_904_223
      return i % 61 + i / 61 > 60 ? 1 : state >> 24 > 250 ? 0.7 : 0.5
    }
    let mask = Plane(width: 61, height: 47, samples: samples)
    let sides = await mask.sides(within: radius)
    let reach = Int(radius)
    for y in 0..<mask.height {
      for x in 0..<mask.width {
        var isEven = true
        for j in max(y - reach, 0)...min(y + reach, mask.height - 1) {
          for i in max(x - reach, 0)...min(x + reach, mask.width - 1)
          where (i - x) * (i - x) + (j - y) * (j - y) <= Int(radius * radius) {
            isEven = isEven && (mask[i, j] > 0.5) == (mask[x, y] > 0.5)
          }
        }
        let side: Float = mask[x, y] > 0.5 ? 1 : 0
        #expect(isEven ? sides[x, y] == side : sides[x, y].isNaN, "\(x), \(y)")
      }
    }
  }

  /// Where windows are so large that lines are fitted only every few samples.
  @Test func aCoarseMaskFindsItsEdgeToo() async {
    let light = await light(contrast: 0.3)
    for rough in [32.0, 47] {
      let refined = await disc(rough, softness: 20).refined(by: light, reach: 12)
      #expect(abs(radius(refined) - 40) < 0.4, "\(rough) became \(radius(refined))")
    }
  }

  /// Tiles and bands of rows leave no trace: the picture turned round gives the mask turned round.
  @Test func tilesLeaveNoTrace() async {
    func turned<Sample>(_ plane: Plane<Sample>) -> Plane<Sample> {
      Plane(width: plane.width, height: plane.height) { y, row in
        for x in row.indices { row[x] = plane[plane.width - 1 - x, plane.height - 1 - y] }
      }
    }
    let (mask, light) = (disc(38, softness: 5), await light(contrast: 0.2))
    let straight = await mask.refined(by: light, reach: 5)
    let back = turned(await turned(mask).refined(by: turned(light), reach: 5))
    let difference = zip(straight.samples, back.samples).map { abs($0 - $1) }.max()!
    #expect(difference < 1e-3)
  }

  @Test func aMatteIsRefinedOnlyWhenItIsRough() async throws {
    let fixture = SphereBeforeWall(
      width: 160, height: 120, radius: 40, wall: { _, _ in SIMD3(repeating: 0.3) })
    let small = await disc(37).resampled(onto: Grid(photo: size, density: 0.25), photo: size)
    for isRough in [false, true] {
      let scene = try await Scene(
        photo: fixture.photo, depth: fixture.depth,
        matte: Matte(coverage: small, isRough: isRough), output: size)
      let radii = await scene.contour().map { length($0.place - SIMD2(80, 60)) }
      let mean = radii.reduce(0, +) / Double(radii.count)
      #expect(abs(mean - (isRough ? 40 : 37)) < 0.4)
    }
  }
}
