import Testing

@testable import Estimation

@Suite struct ExternalCommandTests {
  @Test(arguments: [
    ("prog {in} {out}", ["prog", "{in}", "{out}"]),
    ("  a\t'b c' \"d e\" f\\ g ", ["a", "b c", "d e", "f g"]),
    ("a'b'\"c\" ''", ["abc", ""]),
    (#"a '\' "\"" "\n" \\"#, ["a", "\\", "\"", "\\n", "\\"]),
    ("", []),
  ])
  func words(text: String, words: [String]) {
    #expect(ExternalCommand.words(of: text) == words)
  }

  @Test(arguments: ["'a", "\"a", "a\\"])
  func openQuotes(text: String) { #expect(ExternalCommand.words(of: text) == nil) }

  @Test func aCommandHasBothPlaceholders() {
    #expect(ExternalCommand("prog --in={in} -o {out}.png")?.name == "prog")
  }

  @Test(
    arguments: [
      ("", .noProgram), ("'' {in} {out}", .noProgram), ("prog", .noPlaceholder("{in}")),
      ("prog {out}", .noPlaceholder("{in}")), ("prog {in}", .noPlaceholder("{out}")),
      ("prog {in} '{out}", .openQuote), ("prog {in} {out} \\", .openQuote),
    ] as [(String, ExternalCommand.Mistake)])
  func mistakes(text: String, mistake: ExternalCommand.Mistake) {
    #expect(ExternalCommand(text) == nil && ExternalCommand.mistake(in: text) == mistake)
  }
}
