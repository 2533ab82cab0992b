import Testing

@testable import MotionCore

@Suite struct MapFiguresTests {
  @Test func ranksAreComparedWhateverTheScale() throws {
    let ramp = plane(8, 6) { x, y in x + 8 * y }
    let bent = ramp.map { $0 * $0 * $0 - 5 }
    #expect(try #require(ramp.rankCorrelation(with: bent)) == 1)
    #expect(try #require(ramp.rankCorrelation(with: bent.map { -$0 })) == -1)
    #expect(ramp.rankCorrelation(with: ramp.map { _ in 2 }) == nil)
    // What is unknown counts for nothing.
    let holed = Plane(
      width: 8, height: 6, samples: zip(ramp.samples, 0...).map { $1 % 5 == 0 ? .nan : -$0 })
    #expect(try #require(holed.rankCorrelation(with: bent)) == -1)
  }

  /// By hand: ranks 1, 2.5, 2.5, 4 beside 1, 2, 3, 4.
  @Test func equalSamplesShareTheirRank() throws {
    let tied = Plane<Float>(width: 4, height: 1, samples: [0, 7, 7, 9])
    let other = Plane<Float>(width: 4, height: 1, samples: [1, 2, 3, 4])
    #expect(
      abs(try #require(tied.rankCorrelation(with: other)) - 4.5 / (4.5 * 5).squareRoot()) < 1e-9)
  }

  @Test func masksOverlap() {
    let left = plane(10, 2) { x, _ in x < 6 ? 1 : 0 }
    let right = plane(10, 2) { x, _ in x > 4 ? 0.8 : 0.3 }
    #expect(left.overlap(with: right) == 0.2)
    #expect(left.overlap(with: left) == 1)
    let none = left.map { _ in Float(0.5) }
    #expect(none.overlap(with: none) == 1 && left.overlap(with: none) == 0)
  }

  /// A wall of the subject's colour, taken in with it, is what a known depth takes away.
  @Test func aLiftIsJudgedStageByStage() async throws {
    let fixture = SphereBeforeWall(width: 240, height: 180, radius: 50)
    let matte = fixture.matte.coverage
    let rough = await plane(240, 180) { x, y in
      max(fixture.coverage(x, y), x > 225 || x > 120 && abs(y - 90) < 4 ? 1 : 0)
    }.scaled(to: Size(width: 120, height: 90))
    let trial = try await LiftTrial(
      fixture.photo, lift: rough, matte: matte, depth: fixture.depth,
      guess: DisparityMap(
        disparity: plane(240, 180) { x, y in x < 150 ? fixture.coverage(x, y) : 0 }))
    #expect(trial.asFound < 0.8)
    #expect(try #require(trial.gated) > 0.95)
    // A guess that loses a part of the subject loses it.
    #expect(try #require(trial.gatedByGuess) < 0.9)
    #expect(trial.inLayers > 0.95)
    let bare = try await LiftTrial(
      fixture.photo, lift: rough, matte: matte, depth: nil, guess: nil)
    #expect(bare.gated == nil && bare.gatedByGuess == nil && bare.asFound == trial.asFound)
  }
}
