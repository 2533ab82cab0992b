import Foundation
import MotionCore
import Testing

@testable import motion_stream

/// `--check-loop` on the real binary.
@Suite struct CheckLoopTests {
  private struct Report: Decodable {
    struct Steps: Decodable { let least, median, largest: Double }
    let seam: Double
    let steps: Steps
    let seamIsSeen: Bool
  }

  @Test(arguments: Move.all.map(\.name), Easing.all.map(\.name))
  func noLoopShowsItsSeam(_ move: String, _ easing: String) throws {
    let run = try Command.run(
      "--size", "96x54", "--fps", "16", "--length", "1", "--move", move, "--ease", easing,
      "--check-loop")
    #expect(run.ending == .exit(0) && run.errorLines.count == 1, "\(run.error)")
    #expect(run.error.contains("not seen"))
    let report = try JSONDecoder().decode(Report.self, from: Data(run.output))
    #expect(!report.seamIsSeen && report.seam <= report.steps.largest)
    #expect(0 < report.seam && 0 < report.steps.least)
    #expect(report.steps.least <= report.steps.median)
    #expect(report.steps.median <= report.steps.largest)
  }

  @Test func aHoldHasNoStepAtTheSeam() throws {
    let run = try Command.run(
      "--size", "96x54", "--fps", "15", "--length", "1", "--hold", "0.2", "--check-loop", "-q")
    #expect(run.ending == .exit(0) && run.error.isEmpty)
    #expect(try JSONDecoder().decode(Report.self, from: Data(run.output)).seam == 0)
  }

  /// Resting is not looked at frame by frame, and what moves for days not at all.
  @Test func lengthIsBounded() throws {
    let day = try Command.run(
      "--size", "64x48", "--length", "1", "--hold", "86400", "--check-loop", seconds: 20)
    #expect(day.ending == .exit(0), "\(day.error)")
    let days = try Command.run(
      "--size", "64x48", "--length", "86400", "--fps", "1000", "--check-loop", seconds: 20)
    #expect(days.ending == .exit(2) && days.errorLines.count == 1, "\(days.error)")
  }

  @Test func aFixedCameraHasNoSeam() throws {
    let run = try Command.run("--size", "96x54", "--pose", "0,0,0.1,1", "--check-loop")
    #expect(run.ending == .exit(2) && run.errorLines.count == 1, "\(run.error)")
  }

  @Test func theSentenceSaysWhichItIs() {
    let seen = sentence(LoopSteps(seam: 3, steps: [1, 2]))
    #expect(seen.contains("is seen") && seen.contains("3") && seen.contains("2"))
    #expect(sentence(LoopSteps(seam: 2, steps: [1, 2])).contains("is not seen"))
  }
}
