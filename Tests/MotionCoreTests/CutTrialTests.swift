import Testing

@testable import MotionCore

@Suite struct CutTrialTests {
  /// The depth alone cuts the vase out, not the table it stands on, and the photo moves the outline
  /// and the depth nearer to the truth.
  @Test func theVaseIsCutWithinAPixel() async throws {
    let trial = try await CutTrial(size: Size(width: 1440, height: 1080))
    #expect(trial.asCut.mean < 1 && trial.refined.mean < 0.5)
    #expect(trial.refined.mean < trial.asCut.mean && trial.refined.most < trial.asCut.most)
    #expect(trial.depthRefined < 0.8 * trial.depthEnlarged)
  }
}
