internal import MotionCore

/// The manual page, in the macros of man(7), made from the tables.
func manualPage() -> String {
  var page = Troff()
  page.request("TH", ["MOTION-STREAM", "1", Main.date, "motion-stream \(Main.version)"])
  page.section("NAME")
  page.text("motion-stream - \(helpSummary)")
  page.section("SYNOPSIS")
  page.request("B", ["motion-stream"])
  page.text("[PHOTO] [options] | reader")
  page.request("br", [])
  page.request("B", ["motion-stream verify"])
  let words = Option.ofVerify.compactMap { Option.named($0) }.map { option in
    [option.names[0], option.value].compactMap(\.self).joined(separator: " ")
  }
  page.text("[\(words.joined(separator: "] ["))] INDEX STREAM")
  page.section("DESCRIPTION")
  page.text(
    "PHOTO is a picture file with its depth or its matte inside, beside it or named; - reads "
      + "standard input. Without one the built-in still life is filmed. Frames go to standard output "
      + "as a video stream, which another program reads. With verify a stream is compared with the "
      + "index of its frames.")
  page.section("EXAMPLES")
  for example in helpExamples { page.item(example.command, example.meaning) }
  page.section("OPTIONS")
  for group in Option.Group.allCases {
    page.request("SS", [group.rawValue])
    for option in Option.all where option.group == group {
      let names = option.names.reversed().joined(separator: ", ")
      page.item([names, option.value].compactMap(\.self).joined(separator: " "), option.help)
    }
  }
  page.section("MOVES")
  for move in Move.all { page.item(move.name, move.summary) }
  page.section("EASINGS")
  for easing in Easing.all { page.item(easing.name, easing.summary) }
  page.section("CONSUMERS")
  for consumer in Consumer.all {
    page.item(consumer.name, consumer.summary)
  }
  page.section("PIXEL FORMATS")
  page.text(PixelFormat.all.map(\.name).joined(separator: ", "))
  page.section("ENVIRONMENT")
  for variable in EnvironmentVariable.all { page.item(variable.name, variable.help) }
  page.section("EXIT STATUS")
  for (status, meaning) in statuses { page.item(status, meaning) }
  page.section("SEE ALSO")
  page.text("ffmpeg(1), mpv(1), x264(1), gst-launch-1.0(1)")
  return page.source
}

private let statuses = [
  ("0", "the stream is whole, or its reader left an endless one"),
  ("1", "a file, or the run, failed; the stream differs (verify); the seam is seen (--check-loop)"),
  ("2", "the options make no sense"),
  ("129, 130, 143", "SIGHUP, SIGINT or SIGTERM came; the last frame, and a file, are whole"),
  ("141", "the reader left before the end"),
]

/// Source of troff, line by line.
private struct Troff {
  private(set) var source = ""

  mutating func request(_ name: String, _ arguments: [String]) {
    // A date stays as it is: it is read, not only set.
    let quoted = arguments.map { "\"\($0 == Main.date ? $0 : Self.escaped($0))\"" }
    source += ".\(([name] + quoted).joined(separator: " "))\n"
  }

  mutating func section(_ title: String) { request("SH", [title]) }

  mutating func text(_ text: String) { source += "\\&\(Self.escaped(text))\n" }

  /// A paragraph under a word of its own.
  mutating func item(_ word: String, _ meaning: String) {
    source += ".TP\n"
    request("B", [word])
    text(meaning)
  }

  /// Hyphens as they are typed; characters beyond ASCII by their numbers.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": return "\\e"
      case "-": return "\\-"
      case "\"": return "\\(dq"
      case "~": return "\\(ti"
      case "^": return "\\(ha"
      case "`": return "\\(ga"
      case "'": return "\\(aq"
      default:
        if scalar.isASCII { return String(scalar) }
        let number = String(scalar.value, radix: 16, uppercase: true)
        return "\\[u\(String(repeating: "0", count: max(0, 4 - number.count)))\(number)]"
      }
    }.joined()
  }
}
