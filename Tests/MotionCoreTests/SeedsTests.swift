import Testing

@testable import MotionCore

@Suite struct SeedsTests {
  private let size = Size(width: 160, height: 120)

  private func disc(_ far: Float, _ near: Float) -> DisparityMap {
    DisparityMap(
      disparity: Plane(width: 160, height: 120) { y, row in
        for x in row.indices {
          row[x] = (x - 80) * (x - 80) + (y - 60) * (y - 60) < 900 ? near : far
        }
      }, source: .file)
  }

  @Test func sureWhereTheEdgeIsFar() async throws {
    let seeds = try #require(await disc(0.2, 0.8).seeds(at: size, tap: nil))
    #expect(seeds[80, 60] == .subject && seeds[5, 5] == .background)
    #expect(seeds[80 + 28, 60] == .perhapsSubject && seeds[80 + 32, 60] == .perhapsBackground)
  }

  @Test func ofAFlatDepthThereAreNone() async {
    #expect(await disc(0.5, 0.5).seeds(at: size, tap: nil) == nil)
  }
}
