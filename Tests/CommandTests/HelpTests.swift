import MotionCore
import Testing

@testable import motion_stream

@Suite struct HelpTests {
  @Test(arguments: ["--help", "-h"])
  func helpIsAllThatIsSaid(_ option: String) throws {
    let run = try Command.run(option)
    #expect(run.ending == .exit(0) && run.error.isEmpty)
    #expect(run.text == helpText())
  }

  @Test func everythingThatCanBeGivenIsNamed() {
    let words = Set(helpText().split { " ,|()\n".contains($0) }.map(String.init))
    for option in Option.all {
      for word in option.names + option.choices { #expect(words.contains(word)) }
    }
    for (name, summary) in Move.all.map({ ($0.name, $0.summary) })
      + Easing.all.map({ ($0.name, $0.summary) })
    {
      #expect(words.contains(name) && helpText().contains(summary))
    }
  }

  @Test func linesAreNarrowAndEndInNoSpace() {
    for line in helpText().split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(line.count <= 100 && line.last != " ", "\(line)")
    }
  }

  /// A reader copies these.
  @Test func itsExamplesAreUnderstood() throws {
    let examples = helpText().split(separator: "\n").filter { $0.hasPrefix("  motion-stream ") }
    #expect(examples.count >= 3)
    for example in examples {
      let command = example.prefix { $0 != "|" }.split(separator: " ").dropFirst()
      _ = try Settings(arguments: command.map(String.init))
    }
  }

  @Test func theVersionIsOneLine() throws {
    let run = try Command.run("--version")
    #expect(run.ending == .exit(0) && run.error.isEmpty)
    #expect(run.text == "motion-stream \(Main.version)\n")
  }
}
