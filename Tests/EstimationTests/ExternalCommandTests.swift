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

  @Test func mustHaveBothPlaceholders() {
    #expect(ExternalCommand("prog --in={in} -o {out}.png")?.name == "prog")
    for text in ["", "prog", "prog {in}", "prog {out}", "'' {in} {out}", "prog {in} '{out}"] {
      #expect(ExternalCommand(text) == nil)
    }
  }
}
