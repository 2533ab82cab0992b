internal import MotionCore

let helpSummary = "one photograph becomes a looping camera move, as a video stream"

/// What to try first.
let helpExamples: [(command: String, meaning: String)] = [
  ("motion-stream --preview | mpv -", "the built-in still life, live"),
  (
    "motion-stream IMG_1234.HEIC --move vertigo --preview | mpv -",
    "a portrait with its depth inside"
  ),
  (
    "motion-stream photo.jpg --depth depth.png --move sway -o film.mp4",
    "into a film"
  ),
]

/// The help text, made from the tables.
func helpText() -> String {
  var lines = ["motion-stream: \(helpSummary).", ""]
  for example in helpExamples { lines += ["  # \(example.meaning)", "  \(example.command)"] }
  lines += [
    "",
    "usage: motion-stream [PHOTO] [options]       PHOTO is a picture file; - reads standard input",
    "       motion-stream verify INDEX STREAM     compares a stream's frames with their index;",
    "                                             it takes \(Option.ofVerify.joined(separator: ", "))",
  ]
  for group in Option.Group.allCases {
    lines += ["", "\(group.rawValue):"]
    for option in Option.all where option.group == group {
      let names = option.names.reversed().joined(separator: ", ")
      let head = "  " + [names, option.value].compactMap(\.self).joined(separator: " ")
      let column = 30
      var text = wrapped(option.help.split(separator: " ").map(String.init), to: 96 - column)[...]
      if head.count > column - 2 {
        lines.append(head)
      } else {
        lines.append(head.padded(to: column) + (text.popFirst() ?? ""))
      }
      lines += text.map { "".padded(to: column) + $0 }
    }
  }
  lines += ["", "Moves:"]
  lines += Move.all.map { "  \($0.name.padded(to: 9)) \($0.summary)" }
  lines += ["", "Easings:"]
  lines += Easing.all.map { "  \($0.name.padded(to: 9)) \($0.summary)" }
  lines += ["", "Consumers:"]
  lines += Consumer.all.map { "  \($0.name.padded(to: 12)) \($0.summary)" }
  lines += ["", "Pixel formats:"]
  lines += wrapped(PixelFormat.all.map(\.name), to: 96).map { "  \($0)" }
  lines += ["", "Environment:"]
  for variable in EnvironmentVariable.all {
    lines.append("  \(variable.name)")
    lines += wrapped(variable.help.split(separator: " ").map(String.init), to: 66).map {
      "".padded(to: 30) + $0
    }
  }
  return lines.joined(separator: "\n") + "\n"
}

/// Words in lines of at most `width` characters.
private func wrapped(_ words: [String], to width: Int) -> [String] {
  var lines: [String] = []
  for word in words {
    if let last = lines.last, last.count + 1 + word.count <= width {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append(word)
    }
  }
  return lines
}

extension String {
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
