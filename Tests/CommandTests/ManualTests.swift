import Foundation
import MotionCore
import Testing

@testable import motion_stream

/// The manual page, as the programs that set it read it.
@Suite struct ManualTests {
  /// The page as it is read, without the backspaces of bold type and with single blanks.
  private func set(_ arguments: String) throws -> String {
    let scratch = ScratchFolder()
    let page = scratch.file("motion-stream.1")
    let run = try Command.shell(#""$0" --print-man >'\#(page)' && \#(arguments) '\#(page)'"#)
    #expect(run.ending == .exit(0) && run.error.isEmpty, "\(run.error)")
    var text = ""
    for character in run.text {
      if character == "\u{8}" { text.removeLast() } else { text.append(character) }
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(.enabled(if: hasProgram("man")))
  func everythingThatCanBeGivenIsThere() throws {
    let text = try set("LC_ALL=C.UTF-8 man --no-hyphenation -Tutf8 -l")
    for option in Option.all {
      for name in option.names { #expect(text.contains(name), "\(name)") }
      let help = option.help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains(help), "\(help)")
    }
    for row in Move.all { #expect(text.contains(row.summary)) }
    for example in helpExamples { #expect(text.contains(example.command)) }
  }

  @Test(.enabled(if: hasProgram("groff")))
  func groffWarnsOfNothing() throws { _ = try set("groff -ww -man -Tutf8") }

  @Test(.enabled(if: hasProgram("mandoc")))
  func mandocWarnsOfNothing() throws { #expect(try set("mandoc -Tlint") == "") }
}
