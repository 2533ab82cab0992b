/// A shell that completes the command's words: a row of the table below.
struct Shell: Sendable, Equatable {
  /// The name `--print-completion` knows it by.
  let name: String
  private let write: @Sendable ([Option]) -> String

  /// THE TABLE of shells: a new one is a new row.
  static let all: [Shell] = [
    Shell(name: "bash", write: bashScript), Shell(name: "zsh", write: zshScript),
  ]

  static func named(_ name: String) -> Shell? { all.first { $0.name == name } }

  /// What the shell has to read to complete these options, their values and files.
  func script(_ options: [Option]) -> String { write(options) }

  static func == (a: Shell, b: Shell) -> Bool { a.name == b.name }
}

/// What a shell can offer for an option's value.
enum Completion: Equatable {
  case choices([String])
  case file
  case folder
  /// A number or the like, which nobody can guess.
  case nothing
}

extension Option {
  /// What a shell can offer for the value; nil for a flag.
  var completion: Completion? {
    guard let value else { return nil }
    if !choices.isEmpty { return .choices(choices) }
    return value == "FILE" ? .file : value == "FOLDER" ? .folder : .nothing
  }
}

private func bashScript(_ options: [Option]) -> String {
  var lines = [
    "# Completes the words of motion-stream in bash. Printed by motion-stream --print-completion bash.",
    "_motion_stream_offer() {",
    "  local reply",
    "  while IFS= read -r reply; do",
    "    COMPREPLY+=(\"$reply\")",
    "  done < <(compgen \"$@\" -- \"$word\")",
    "}",
    "_motion_stream() {",
    "  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}",
    "  # --option=value is three words here.",
    "  if [[ $word == = ]]; then",
    "    word=",
    "  elif [[ $option == = ]]; then",
    "    option=${COMP_WORDS[COMP_CWORD - 2]}",
    "  fi",
    "  COMPREPLY=()",
    "  case $option in",
  ]
  for option in options {
    guard let completion = option.completion else { continue }
    let reply =
      switch completion {
      case .choices(let choices): bashReply("-W '\(choices.joined(separator: " "))'")
      case .file: bashReply("-f", areFiles: true)
      case .folder: bashReply("-d", areFiles: true)
      case .nothing: "return"
      }
    lines += ["    \(option.names.joined(separator: " | ")))", "      \(reply)", "      ;;"]
  }
  let names = options.flatMap(\.names).joined(separator: " ")
  lines += [
    "  esac", "  ((COMP_CWORD > 1)) || _motion_stream_offer -W verify",
    "  if [[ $word == -* ]]; then", "    \(bashReply("-W '\(names)'"))", "  else",
    "    \(bashReply("-f", areFiles: true))", "  fi", "}",
    "complete -F _motion_stream motion-stream",
  ]
  return lines.joined(separator: "\n") + "\n"
}

/// - Parameter areFiles: whether bash is to quote them as names of files. Only bash's own line editor
///   may be told so.
private func bashReply(_ words: String, areFiles: Bool = false) -> String {
  (areFiles ? "compopt -o filenames 2>/dev/null; " : "")
    + "_motion_stream_offer \(words); return"
}

private func zshScript(_ options: [Option]) -> String {
  var lines = [
    "#compdef motion-stream",
    "# Completes the words of motion-stream in zsh. Printed by motion-stream --print-completion zsh.",
    "_arguments -S \\",
  ]
  for option in options {
    // What has been said need not be said again, nor in other words.
    let others = options.filter { !$0.answers.isDisjoint(with: option.answers) }
    let excluded = Set((others + [option]).flatMap(\.names)).sorted().joined(separator: " ")
    for name in option.names {
      var rule = "(\(excluded))\(name)"
      if option.value != nil, name.hasPrefix("--") { rule += "=" }
      rule += "[\(zshEscaped(String(option.meaning)))]"
      if let value = option.value {
        let action =
          switch option.completion {
          case .choices(let choices): "(\(choices.joined(separator: " ")))"
          case .file: "_files"
          case .folder: "_files -/"
          case .nothing, nil: " "
          }
        rule += ":\(option.choices.isEmpty ? zshEscaped(value) : "value"):\(action)"
      }
      lines.append("  \(zshQuoted(rule)) \\")
    }
  }
  lines += ["  '1:photo:{compadd verify; _files}' \\", "  '*:stream:_files'"]
  return lines.joined(separator: "\n") + "\n"
}

/// Text inside a rule of `_arguments`.
private func zshEscaped(_ text: String) -> String {
  String(text.flatMap { ":[]\\".contains($0) ? ["\\", $0] : [$0] })
}

private func zshQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    + "'"
}

/// A word as bash and zsh read it back, on one line and in ASCII where it is no plain text.
func shellQuoted(_ word: String) -> String {
  let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")
  if word == "!" || !word.isEmpty && word.allSatisfy(plain.contains) { return word }
  if !Arguments.isEscaped(word), word.onOneLine == word {
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
  let bytes = Arguments.bytes(word).map { byte in
    let isPlain =
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
    return isPlain
      ? String(Unicode.Scalar(byte))
      : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
  return "$'" + bytes.joined() + "'"
}
