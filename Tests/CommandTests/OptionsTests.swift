import MotionCore
import PhotoInput
import Testing

@testable import motion_stream

/// What holds of every row of the table of options.
@Suite struct OptionsTests {
  private static let withChoices = Option.all.filter { !$0.choices.isEmpty }

  /// A photo comes first, since some options want one, or a film that is encoded.
  private func settings(_ arguments: String...) throws(UsageError) -> Settings {
    let isOfFilm = arguments.first.flatMap { Option.named($0) }?.needs == .encoder
    return try Settings(arguments: ["p.png"] + (isOfFilm ? ["-o", "a.mkv"] : []) + arguments)
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
        let first = option.needs == .subject ? ["--layer", "subject"] : []
        _ = try Settings(arguments: ["p.png"] + first + [name, choice])
        _ = try Settings(arguments: ["p.png"] + first + ["\(name)=\(choice)"])
      }
    }
  }

  @Test(arguments: withChoices)
  func everyMistypedChoiceGetsASuggestion(_ option: Option) {
    // Of two letters there is no telling which was meant.
    for choice in option.choices where choice.count > 2 {
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
    ("--hold", ["0", "86400"], ["-0.1", "86400.1"]),
    (
      "--pose", ["0,0,0,1", "-10,10,0.9,0.01", "0,0,-100,100"],
      ["0,0,0", "0,0,0,1,0", "0,0,0.91,1", "10.1,0,0,1", "0,0,0,0", "nan,0,0,1", ",,,"]
    ),
    ("--command-timeout", ["0.1", "86400"], ["0", "86400.1"]),
    ("--subject", ["0,0", "1,1", "0.5,0.25"], ["0.5", "0,0,0", "1.01,0", "0,-1", "nan,0", ","]),
    ("--depth-range", ["1", "1000"], ["0", "0.9", "1001"]),
    ("--focal", ["5", "2000"], ["0", "4.9", "2001"]),
    (
      "--max-pixels", ["1", "250000000", "250M", "1.5M"],
      ["0", "0M", "250.1M", "250000001", "1.5", "M"]
    ),
    ("--size", ["1x1", "16384x16384"], ["0x1", "1x0", "16385x1", "-1x1", "1", "1x1x1", "1.5x2"]),
    ("--fps", ["1000", "0.01", "23.976", "30000/1001", "25:1"], ["0", "1001", "30/0", "0.009"]),
    ("--loops", ["1", "9000000000"], ["0", "1.5"]),
    ("--frames", ["1", "9223372036854775807"], ["0", "1.5"]),
    ("--start", ["0", "18446744073709551615"], ["18446744073709551616", "1.5"]),
    ("--still", ["0", "18446744073709551615"], ["18446744073709551616", "1.5"]),
    ("--threads", ["1", "256"], ["0", "257"]),
    ("--cache", ["0", "1", "512M", "2G", "1.5G"], ["-1", "M", "1T", "2e15"]),
    ("--crf", ["0", "51", "18.5"], ["-0.1", "51.1"]),
    ("--bitrate", ["1000", "1k", "2.5M", "2000M"], ["999", "0.9k", "2001M", "M", "1G"]),
    ("--encoder-threads", ["1", "128"], ["0", "129"]),
  ]

  @Test(arguments: numbers)
  func numbersHaveBounds(_ row: (name: String, taken: [String], refused: [String])) throws {
    for value in row.taken { _ = try settings(row.name, value) }
    let anywhere = ["-1", "nan", "inf", "-inf", "1e999", "99999999999999999999", "x", " 1", "1 "]
    for value in row.refused + anywhere {
      #expect(throws: UsageError.self, "\(row.name) \(value)") { try settings(row.name, value) }
    }
  }

  /// What a number may be stands in the refusal, and the default, which is no help there, does not.
  @Test func refusalsSayWhatIsTaken() throws {
    for (name, taken, _) in Self.numbers where !["--subject", "--pose"].contains(name) {
      let option = try #require(Option.named(name))
      #expect(option.meaning.contains { $0.isNumber }, "\(name)")
      #expect(!option.meaning.hasSuffix(")"), "\(name)")
      #expect(!taken.isEmpty)
    }
    let error = #expect(throws: UsageError.self) { try settings("--length", "0") }
    #expect(
      error.map { sentence($0) }
        == "--length cannot be \"0\" (SECONDS: of one loop, its hold apart, 0.001 to 86400)")
  }

  /// What is known before any file is read.
  @Test(arguments: [
    (["--no-pin"], Option.Need.pose), (["--pose", "0,0,0,1", "--hold", "1"], .move),
    (["--length", "2", "--pose", "0,0,0,1"], .move), (["--alpha", "straight"], .subject),
    (["--layer", "background", "--alpha", "straight"], .subject),
    (["--method", "one-sheet", "--layer", "subject"], .layers),
    (["--info", "--index", "a.json"], .film), (["--index", "a.json", "--check-loop"], .film),
  ])
  func whatNeedsAnotherOptionIsRefusedWithoutIt(_ arguments: [String], _ need: Option.Need) {
    for photo in [[], ["p.png"]] {
      let error = #expect(throws: UsageError.self) { try Settings(arguments: photo + arguments) }
      guard case .useless(_, without: need)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test(
    arguments: Option.all.filter { option in
      option.needs.map { Option.Need.ofMaps.union([.photo]).contains($0) } ?? false
    })
  func whatNeedsAPhotoIsRefusedWithoutOne(_ option: Option) throws {
    let values = [
      "--near": "auto", "--photo-variant": "edited", "--depth-kind": "metric", "--cut": "depth",
      "--estimate": "off", "--matte-command": "a {in} {out}", "--depth-command": "a {in} {out}",
    ]
    let value = option.value == nil ? [] : [values[option.names[0]] ?? "2"]
    let error = #expect(throws: UsageError.self) {
      try Settings(arguments: [option.names[0]] + value)
    }
    guard case .useless(option.names[0], without: .photo)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func everyTwoAnswersExcludeEachOther() throws {
    for question in Option.Question.all {
      let options = Option.all.filter { $0.answers.contains(question) }
      #expect(options.count > 1)
      for first in options {
        for second in options where first.names[0] != second.names[0] {
          let arguments = [first, second].flatMap {
            $0.value == nil ? [$0.names[0]] : [$0.names[0], "1"]
          }
          #expect(throws: UsageError.self) { try Settings(arguments: arguments) }
        }
      }
    }
  }

  /// A new option with a number belongs above.
  @Test func everyNumberIsListed() {
    let texts = [
      "--depth", "--matte", "--encoder", "--preset", "--tune", "--output", "--dump-layers",
      "--contact-sheet", "--index",
      "--index-only", "--lift-model", "--depth-model", "--matte-command", "--depth-command",
    ]
    #expect(
      Option.all.filter { $0.value != nil && $0.choices.isEmpty }.map { $0.names[0] }
        .allSatisfy { name in texts.contains(name) || Self.numbers.contains { $0.name == name } })
  }
}
