import Testing

@testable import MotionCore

@Suite struct ReliefTests {
  private let fixture = SphereBeforeWall(width: 120, height: 90, radius: 25)

  private func nearIsWhite(
    _ samples: Plane<Float>, matte: Matte?
  ) async -> Bool? {
    await DisparityMap.nearIsWhite(samples, matte: matte, photo: fixture.photo)
  }

  @Test func theMatteSaysWhichEndIsNear() async {
    let depth = fixture.depth.disparity
    #expect(await nearIsWhite(depth, matte: fixture.matte) == true)
    #expect(await nearIsWhite(depth.map { -$0 }, matte: fixture.matte) == false)
    #expect(await nearIsWhite(depth.map { $0 * 1e-30 }, matte: fixture.matte) == true)
    #expect(await nearIsWhite(depth.map { $0 * 3e38 }, matte: fixture.matte) == true)
  }

  @Test func whatSaysNothing() async {
    let depth = fixture.depth.disparity
    #expect(await nearIsWhite(depth, matte: nil) == nil)
    #expect(await nearIsWhite(depth.map { _ in 1 }, matte: fixture.matte) == nil)
    #expect(await nearIsWhite(depth.map { _ in .nan }, matte: fixture.matte) == nil)
    #expect(await nearIsWhite(depth.map { $0 > 0.7 ? .nan : $0 }, matte: fixture.matte) == nil)
    let everywhere = Matte(coverage: depth.map { _ in 1 })
    #expect(await nearIsWhite(depth, matte: everywhere) == nil)
  }

  /// Something nearer far from the subject, as the ground at the picture's lower edge, counts for
  /// nothing.
  @Test func onlyWhatIsAroundCounts() async {
    let depth = plane(120, 90) { x, y in
      y > 80 ? 2 : fixture.coverage(x, y) > 0.5 ? 1 : 0.5
    }
    #expect(await nearIsWhite(depth, matte: fixture.matte) == true)
    #expect(await nearIsWhite(depth.map { -$0 }, matte: fixture.matte) == false)
  }

  /// A depth of another size, and one with holes.
  @Test func whateverItsSize() async {
    let small = SphereBeforeWall(width: 30, height: 24, radius: 6)
    let depth = plane(30, 24) { x, y in
      Int(x + y) % 5 == 0 ? .nan : small.coverage(x, y) > 0.5 ? 1 : 0.5
    }
    #expect(await nearIsWhite(depth, matte: fixture.matte) == true)
  }

  @Test func theMedianIsTheMiddleOfAllSorted() {
    #expect([Float]().median == nil)
    for count in 1...40 {
      var values = (0..<count).map { Float(($0 * 7919) % 101 - 50) / 8 }
      if count > 9 { (values[3], values[7], values[8]) = (.infinity, -.infinity, .infinity) }
      #expect(values.median == values.sorted()[count / 2])
    }
  }
}
