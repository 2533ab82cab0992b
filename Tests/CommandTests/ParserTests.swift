import MotionCore
import PhotoInput
import Testing

@testable import motion_stream

@Suite struct ParserTests {
  /// Refused with status 2 and one line, before anything else happens.
  private func refusal(_ arguments: [String]) throws -> String {
    let run = try Child(arguments).result()
    #expect(run.ending == .exit(2), "\(arguments): \(run.error)")
    #expect(run.output.isEmpty)
    #expect(run.errorLines.count == 1, "\(run.error)")
    return run.error
  }

  @Test(arguments: [
    (["--mvoe", "sway"], "--move"), (["--move", "swya"], "sway"), (["--ampunt", "1"], "--amount"),
    (["--pix-fmt", "yuv420"], "yuv420p"), (["--format", "ym4"], "y4m"),
    (["--verison"], "--version"),
    (["--range", "limted"], "limited"), (["--endles"], "--endless"), (["--prev"], "--preview"),
  ])
  func aSlipGetsASuggestion(_ arguments: [String], _ meant: String) throws {
    #expect(try refusal(arguments).contains("did you mean \(meant)?"))
  }

  @Test(arguments: [
    ["--move"], ["--quiet=yes"], ["a.png", "b.png"], ["--loops", "2", "--frames", "3"],
    ["--endless", "--loops", "1"], ["--frames", "0"], ["--frames", "-1"], ["--loops", "x"],
    ["--amount", "-0.1"], ["--amount", "3.01"], ["--amount", "nan"], ["--amount", "inf"],
    ["--amount", ""], ["--length", "0"], ["--length", "1e300"], ["--size", "0x5"],
    ["--size", "16385x1"], ["--size", "12"], ["--size", "-3x4"], ["--fps", "0"],
    ["--fps", "1/0"], ["--start", "-1"], ["--start", "18446744073709551616"],
    ["--subject", "0.5"], ["--subject", "1.1,0"], ["--subject", "0.5,-0.1"],
    ["--threads", "0"], ["--threads", "257"], ["--focal", "4"], ["--depth-range", "0.5"],
    ["-o", ""], ["--pix-fmt", "rgb24"], ["--format", "y4m", "--pix-fmt", "rgb24"],
    ["--loops", "9223372036854775807"], ["--matte", "m.png"], ["-", "--depth", "-"],
    ["--matte-invert"], ["-z"],
  ])
  func nonsenseIsRefused(_ arguments: [String]) throws {
    _ = try refusal(arguments)
  }

  @Test func valuesMayFollowAnEqualsSign() throws {
    let settings = try Settings(arguments: ["--move=sway", "--amount=0.5", "--fps", "25"])
    #expect(settings.move.name == "sway" && settings.amount == 0.5)
    #expect(settings.rate == FrameRate(25))
  }

  @Test func behindTwoDashesEverythingIsAPhoto() throws {
    #expect(try Settings(arguments: ["--", "--move"]).photo?.description == "--move")
  }

  @Test func aLaterValueReplacesAnEarlierOne() throws {
    let settings = try Settings(arguments: [
      "--move", "sway", "--move=vertigo", "-o", "a", "-o", "b",
    ])
    #expect(settings.move.name == "vertigo" && settings.outputPath == "b")
  }

  /// Behind an equals sign a value may look like an option, and hold further equals signs.
  @Test func aValueIsWhateverStandsThere() throws {
    let settings = try Settings(arguments: ["p.png", "--depth=--matte", "--matte=a=b"])
    #expect(settings.depth == .file("--matte") && settings.matte == .file("a=b"))
    let odd = try Settings(arguments: ["p.png", "--depth", "-odd-.png"])
    #expect(odd.depth == .file("-odd-.png"))
  }

  @Test func helpAndVersionAskForNothingElse() throws {
    for arguments in [["--help", "--matte", "m.png"], ["--version", "--loops", "1", "--endless"]] {
      _ = try Settings(arguments: arguments)
    }
    #expect(throws: UsageError.self) { try Settings(arguments: ["--help", "--bogus"]) }
  }

  @Test(
    arguments: [
      ("--mvoe", "--move"), ("--MOVE", "--move"), ("--mo", "--move"), ("--mov", "--move"),
      ("--pre", "--preview"),
      ("-p", nil), ("--", nil), ("", nil), ("--everything-else", nil),
    ] as [(String, String?)])
  func nearestIsNearOrNothing(_ word: String, _ expected: String?) {
    #expect(nearest(to: word, in: ["--move", "--mode", "--preview", "-o"]) == expected)
  }
}
