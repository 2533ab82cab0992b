internal import MotionCore

/// The help text, made from the option table.
func helpText() -> String {
  var lines = [
    "motion-stream: one photograph becomes a looping camera move, as a video stream.",
    "",
    "  motion-stream --move sway | ffmpeg -colorspace bt709 -i - out.webm     the built-in still life",
    "  motion-stream photo.jpg --depth depth.png --matte matte.png | mpv -    a photo of yours",
    "  motion-stream --preview | mpv -                                       live, endless",
    "",
    "usage: motion-stream [PHOTO] [options]       PHOTO is PNG, JPEG, HEIC or AVIF; - is standard input",
  ]
  for group in Option.Group.allCases {
    lines += ["", "\(group.rawValue):"]
    for option in Option.all where option.group == group {
      let names = option.names.reversed().joined(separator: ", ")
      let head = "  " + [names, option.value].compactMap(\.self).joined(separator: " ")
      let column = 30
      let words = option.help.split(separator: " ")
      var line = head
      if head.count > column - 2 {
        lines.append(head)
        line = ""
      }
      line += String(repeating: " ", count: column - line.count - 1)
      for word in words {
        if line.count + 1 + word.count > 96 {
          lines.append(line)
          line = String(repeating: " ", count: column - 1)
        }
        line += " " + word
      }
      lines.append(line)
    }
  }
  lines += ["", "Moves:"]
  lines += Move.all.map { "  \($0.name.padded(to: 9)) \($0.summary)" }
  lines += ["", "Easings:"]
  lines += Easing.all.map { "  \($0.name.padded(to: 9)) \($0.summary)" }
  return lines.joined(separator: "\n") + "\n"
}

extension String {
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
