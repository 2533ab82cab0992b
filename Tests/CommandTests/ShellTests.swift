import Foundation
import Testing

@testable import motion_stream

/// The completions, run by the shells that they are for.
@Suite struct ShellTests {
  @Test(arguments: Option.all)
  func placeholdersSayWhatIsCompleted(_ option: Option) {
    switch option.completion {
    case nil: #expect(option.value == nil)
    case .choices(let choices): #expect(choices == option.choices && !choices.isEmpty)
    case .file: #expect(option.value == "FILE")
    case .folder: #expect(option.value == "FOLDER")
    case .nothing: #expect(option.choices.isEmpty && option.value != nil)
    }
  }

  /// What bash offers for the last of some words, in a folder with `a photo.png` and `folder`.
  private func bash(_ words: [String]) throws -> [String] {
    let scratch = ScratchFolder()
    _ = FileManager.default.createFile(atPath: scratch.file("a photo.png"), contents: nil)
    try FileManager.default.createDirectory(
      atPath: scratch.file("folder"), withIntermediateDirectories: false)
    let list = (["motion-stream"] + words).map(shellQuoted).joined(separator: " ")
    let run = try Command.shell(
      """
      cd '\(scratch.path)' && source <("$0" --print-completion bash) || exit
      complete -p motion-stream >/dev/null || exit
      COMP_WORDS=(\(list)) COMP_CWORD=\(words.count)
      _motion_stream
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(run.ending == .exit(0) && run.error.isEmpty, "\(run.error)")
    return run.text.split(separator: "\n").map(String.init)
  }

  @Test func bashCompletesNamesValuesAndFiles() throws {
    #expect(try bash(["--mo"]) == ["--move"])
    #expect(try Set(bash(["-"])) == Set(Option.all.flatMap(\.names)))
    #expect(try bash(["--move", "s"]) == ["sway"])
    #expect(try bash(["--move", "=", "s"]) == ["sway"])
    #expect(try bash(["--move", "="]) == Option.named("--move")!.choices)
    #expect(try bash(["a"]) == ["a photo.png"])
    #expect(try bash(["v"]) == ["verify"])
    #expect(try bash(["verify", "v"]) == [])
    #expect(try bash(["verify", "index", "a"]) == ["a photo.png"])
    #expect(try bash(["--depth", "a"]) == ["a photo.png"])
    #expect(try bash(["-o", ""]).sorted() == ["a photo.png", "folder"])
    #expect(try bash(["--dump-layers", ""]) == ["folder"])
    #expect(try bash(["--amount", ""]) == [])
    #expect(try bash(["--print-consumer", ""]) == Consumer.all.map(\.name))
  }

  /// zsh's line editor in a terminal of its own, in which a Tab is typed.
  @Test(.enabled(if: hasProgram("zsh")))
  func zshCompletesNamesValuesAndFiles() throws {
    let scratch = ScratchFolder()
    _ = FileManager.default.createFile(atPath: scratch.file("unlikely.png"), contents: nil)
    let typed = [
      ("--mo", "--move="), ("--move v", "--move vertigo"), ("--move=v", "--move=vertigo"),
      ("unl", "unlikely.png"), ("verif", "verify"), ("verify unl", "verify unlikely.png"),
      ("verify a unl", "verify a unlikely.png"), ("--depth unl", "--depth unlikely.png"),
      ("-o unl", "-o unlikely.png"), ("--print-consumer va", "--print-consumer vapoursynth"),
    ]
    let lines = typed.map { shellQuoted($0.0) }.joined(separator: " ")
    let run = try Command.shell(
      """
      cd '\(scratch.path)' && mkdir f && "$0" --print-completion zsh >f/_motion-stream || exit
      cat >drive.zsh <<'END'
      zmodload zsh/zpty
      zpty -b shell zsh -f -i
      # Reads until the text has come, and prints what came.
      expect() {
        local seen= part
        repeat 1000; do
          while zpty -r shell part; do seen+=$part; done
          [[ $seen == *$1* ]] && { print -r -- "$seen"; return }
          sleep 0.02
        done
      }
      zpty -w shell 'PS1=; fpath=($PWD/f $fpath); autoload -Uz compinit; compinit -u -D; bindkey -e'
      zpty -w shell 'show() { print -r -- "<<$BUFFER>>"; BUFFER=; zle accept-line }'
      zpty -w shell 'zle -N show; bindkey "^Xk" show; echo rea""dy'
      expect ready >/dev/null
      for text in "$@"; do
        zpty -w -n shell "motion-stream $text"$'\\t'
        zpty -w -n shell $'\\x18k'
        expect '>>'
      done
      zpty -d shell
      END
      zsh -f drive.zsh \(lines)
      """)
    for (_, wanted) in typed {
      #expect(
        run.text.contains("<<motion-stream \(wanted) >>")
          || run.text.contains("<<motion-stream \(wanted)>>"), "\(wanted): \(run.text) \(run.error)"
      )
    }
  }
}
