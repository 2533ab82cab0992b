import MotionCore
import Testing

@testable import motion_stream

@Suite struct EnvironmentTests {
  private let film = "\"$0\" -q --size 320x240 --move sway --start 20 --frames 2 --format raw"

  /// Frames are the same by every instruction set of this processor.
  @Test func instructionsAreTheProcessorsOrTheUsers() throws {
    let best = try Command.shell("env -u MOTION_STREAM_CPU \(film)")
    #expect(best.ending == .exit(0) && !best.output.isEmpty)
    for name in [""] + InstructionSet.all.map(\.name) {
      let run = try Command.shell("MOTION_STREAM_CPU=\(name) \(film)")
      #expect(run.ending == .exit(0) && run.output == best.output, "\(name)")
    }
  }

  /// Others are a mistake, which one line names.
  @Test(arguments: ["v9", "Baseline", "plain"]) func othersAreRefused(name: String) throws {
    let run = try Command.shell("MOTION_STREAM_CPU=\(name) \(film)")
    #expect(run.ending == .exit(2) && run.output.isEmpty)
    #expect(run.errorLines.count == 1 && run.error.contains("MOTION_STREAM_CPU=\(name)"))
    #expect(run.error.contains("baseline"))
  }

  @Test func variablesAreInTheHelpAndTheManual() {
    for variable in EnvironmentVariable.all {
      #expect(helpText().contains("  \(variable.name)\n") && variable.help.count > 20)
      #expect(manualPage().contains(variable.name))
    }
  }
}
