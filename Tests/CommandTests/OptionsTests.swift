import MotionCore
import PhotoInput
import Testing

@testable import motion_stream

/// What holds of every row of the table of options.
@Suite struct OptionsTests {
  private static let withChoices = Option.all.filter { !$0.choices.isEmpty }

  /// A photo comes first, since some options want one.
  private func settings(_ arguments: String...) throws(UsageError) -> Settings {
    try Settings(arguments: ["p.png"] + arguments)
  }

  /// The word with two neighbours swapped, the first two that differ.
  private func mistyped(_ word: String) -> String {
    var letters = Array(word)
    let first = letters.indices.dropFirst(word.hasPrefix("--") ? 3 : 1).first {
      letters[$0] != letters[$0 - 1]
    }!
    letters.swapAt(first, first - 1)
    return String(letters)
  }

  @Test func everyNameIsThereOnce() {
    let names = Option.all.flatMap(\.names)
    #expect(Set(names).count == names.count)
    for option in Option.all {
      #expect(option.names[0].hasPrefix("--"))
      #expect(option.names.dropFirst().allSatisfy { $0.count == 2 && $0.hasPrefix("-") })
    }
  }

  @Test(arguments: withChoices)
  func everyChoiceIsTaken(_ option: Option) throws {
    for choice in option.choices {
      for name in option.names {
        _ = try settings(name, choice)
        _ = try settings("\(name)=\(choice)")
      }
    }
  }

  @Test(arguments: withChoices)
  func everyMistypedChoiceGetsASuggestion(_ option: Option) {
    for choice in option.choices {
      let error = #expect(throws: UsageError.self) {
        try settings(option.names[0], mistyped(choice))
      }
      guard case .badValue(_, _, _, let near)? = error else {
        Issue.record("\(choice): \(String(describing: error))")
        continue
      }
      // A slip may lead to another choice's neighbourhood: gray10le is as near to gray12le.
      #expect(near.map { option.choices.contains($0) } == true)
      if option.choices.count < 8 { #expect(near == choice) }
    }
  }

  @Test(arguments: Option.all)
  func everyMistypedNameGetsASuggestion(_ option: Option) {
    let error = #expect(throws: UsageError.self) { try settings(mistyped(option.names[0]), "1") }
    guard case .unknownOption(_, let near)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(near == option.names[0])
  }

  @Test(arguments: Option.all)
  func valuesAreWantedWhereThereAreAny(_ option: Option) {
    for name in option.names {
      let error = #expect(throws: UsageError.self) {
        if option.value == nil { try settings("\(name)=1") } else { try settings(name) }
      }
      switch error {
      case .needlessValue where option.value == nil && name.hasPrefix("--"): break
      // A short name and an equals sign are no option's.
      case .unknownOption where option.value == nil && !name.hasPrefix("--"): break
      case .missingValue where option.value != nil: break
      default: Issue.record("\(name): \(String(describing: error))")
      }
    }
  }

  @Test(arguments: Option.all.filter { $0.value != nil })
  func nothingIsNoValue(_ option: Option) {
    let error = #expect(throws: UsageError.self) { try settings(option.names[0], "") }
    guard case .badValue? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// What each number may just be and what it may just not be.
  static let numbers: [(name: String, taken: [String], refused: [String])] = [
    ("--amount", ["0", "3", "0.5"], ["-0.1", "3.0001"]),
    ("--length", ["0.001", "86400"], ["0", "86400.1", "0.0009"]),
    ("--subject", ["0,0", "1,1", "0.5,0.25"], ["0.5", "0,0,0", "1.01,0", "0,-1", "nan,0", ","]),
    ("--depth-range", ["1", "1000"], ["0", "0.9", "1001"]),
    ("--focal", ["5", "2000"], ["0", "4.9", "2001"]),
    ("--size", ["1x1", "16384x16384"], ["0x1", "1x0", "16385x1", "-1x1", "1", "1x1x1", "1.5x2"]),
    ("--fps", ["1000", "0.01", "23.976", "30000/1001", "25:1"], ["0", "1001", "30/0", "0.009"]),
    ("--loops", ["1", "9000000000"], ["0", "1.5"]),
    ("--frames", ["1", "9223372036854775807"], ["0", "1.5"]),
    ("--start", ["0", "18446744073709551615"], ["18446744073709551616", "1.5"]),
    ("--threads", ["1", "256"], ["0", "257"]),
  ]

  @Test(arguments: numbers)
  func numbersHaveBounds(_ row: (name: String, taken: [String], refused: [String])) throws {
    for value in row.taken { _ = try settings(row.name, value) }
    let anywhere = ["-1", "nan", "inf", "-inf", "1e999", "99999999999999999999", "x", " 1", "1 "]
    for value in row.refused + anywhere {
      #expect(throws: UsageError.self, "\(row.name) \(value)") { try settings(row.name, value) }
    }
  }

  /// A new option with a number belongs above.
  @Test func everyNumberIsListed() {
    let texts = ["--depth", "--matte", "--output", "--dump-layers", "--contact-sheet"]
    #expect(
      Option.all.filter { $0.value != nil && $0.choices.isEmpty }.map { $0.names[0] }
        .allSatisfy { name in texts.contains(name) || Self.numbers.contains { $0.name == name } })
  }
}
