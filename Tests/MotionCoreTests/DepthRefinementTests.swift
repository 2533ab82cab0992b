import Testing

@testable import MotionCore

@Suite struct DepthRefinementTests {
  @Test func aStepMovesOntoThePhotosEdge() async throws {
    let fixture = SphereBeforeWall(
      width: 320, height: 240, radius: 80, wall: { _, _ in SIMD3(repeating: 0.3) })
    let coarse = DisparityMap(
      disparity: await fixture.depth.disparity.resampled(
        onto: Grid(photo: fixture.photo.size, density: 0.125), photo: fixture.photo.size),
      source: .estimated)
    let refined = await coarse.refined(by: fixture.photo)
    #expect(refined.disparity.size == fixture.photo.size && refined.source == .estimated)
    let enlarged = await coarse.disparity.resampled(
      onto: Grid(photo: fixture.photo.size, density: 1), photo: fixture.photo.size)
    func error(_ map: Plane<Float>) -> Float {
      zip(map.samples, fixture.depth.disparity.samples).map { abs($0 - $1) }.reduce(0, +)
    }
    #expect(error(refined.disparity) < 0.5 * error(enlarged))
    // Nothing beyond what the map knew.
    let (known, found) = (try #require(coarse.knownRange), try #require(refined.knownRange))
    #expect(
      found.lowerBound >= known.lowerBound - 1e-5 && found.upperBound <= known.upperBound + 1e-5)
  }

  @Test func aFineMapAndAFlatOneStay() async {
    let fixture = SphereBeforeWall(width: 120, height: 90, radius: 25)
    let fine = await fixture.depth.refined(by: fixture.photo)
    #expect(fine.disparity.samples == fixture.depth.disparity.samples)
    let flat = DisparityMap(disparity: plane(12, 9) { _, _ in 0.5 })
    #expect(await flat.refined(by: fixture.photo).disparity.size == flat.disparity.size)
  }
}
