internal import Estimation

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What brings the models.
let installation = "scripts/get-models.sh installs models that estimate it"

func sentence(_ remark: Remark) -> String {
  switch remark {
  case .nothingLifted:
    "the model finds no subject in the photo: it is cut from the depth; see --subject and --matte"
  case .flatBackground(let isWanted):
    "nothing says how far the background is: it is taken to be flat; give --depth FILE, or "
      + (isWanted ? installation : "leave out --estimate")
  case .noLiftModel:
    "no model finds the subject here: it is cut from the depth; give --matte FILE, or "
      + installation
  case .missed(let miss): sentence(miss)
  }
}

/// Why a model that somebody may think to be installed is not, and what to do.
func sentence(_ miss: ModelFolder.Miss) -> String {
  switch miss {
  case .noFolder(let path, let code):
    "\(ModelFolder.variable) names \(path), which cannot be opened (\(text(code))): unset it, or "
      + "name a folder that scripts/get-models.sh --to FOLDER has filled"
  case .noFile(let card, let file):
    "\(card) is the card of \(file), which is not there: put it there, or remove the card"
  }
}

/// Why words are no command, and what they should be like.
func commandMistake(_ text: String) -> String {
  let like = "write it as 'prog {in} {out}'"
  return switch ExternalCommand.mistake(in: text) {
  case .openQuote: "a quote or a backslash is left open: close it, or put a backslash before it"
  case .noPlaceholder(let name): "\(name) is not in it: " + like
  case .noProgram, nil: "it names no program: " + like
  }
}

func sentence(_ error: EstimationError) -> String {
  switch error {
  case .model(let path, let problem): return "\(path): \(sentence(problem))"
  case .grabCut(let problem): return "--cut grabcut fails: \(words(problem)): leave it out"
  case .worker(let path, let failure):
    return "\(path), which runs models, \(words(failure)): install motion-stream again, or give "
      + "--estimate off"
  case .leftOut:
    return "this build estimates nothing: build it with the package's trait Estimation"
  case .command(let name, let problem): return "\(name): \(sentence(problem))"
  case .temporaryFolder(let path, let code):
    return "\(path): cannot be made: \(text(code)); set TMPDIR to a folder with room"
  case .cancelled: return "ended while it was estimated"
  }
}

/// Why a model cannot be used, and what to do.
private func sentence(_ problem: EstimationError.ModelProblem) -> String {
  switch problem {
  case .cannotOpen, .cannotRead: words(problem) + ": " + installation
  case .noCard: words(problem) + ", as docs/estimation.md tells"
  case .badCard: words(problem) + ": see docs/estimation.md"
  case .otherKind(.lift): words(problem) + ": give it as --lift-model"
  case .otherKind(.depth): words(problem) + ": give it as --depth-model"
  case .timedOut: words(problem) + ": give a larger --command-timeout, or --estimate off"
  case .unknownTensor: words(problem) + ": check input.name and output.name in its card"
  case .crashed(SIGKILL): words(problem) + ": end other programs, or give --estimate off"
  case .shape, .notNumbers, .constant: words(problem) + ": check its card, or give --estimate off"
  default: words(problem) + ": install it again, or give --estimate off"
  }
}

private func words(_ problem: EstimationError.ModelProblem) -> String {
  func shape(_ sides: [Int]) -> String { sides.map { "\($0)" }.joined(separator: "x") }
  return switch problem {
  case .cannotOpen(let code): "cannot be opened: \(text(code))"
  case .cannotRead(let code): "cannot be read: \(text(code))"
  case .notAFile: "is no file"
  case .empty: "is empty"
  case .tooManyBytes(let limit): "is larger than \(limit >> 10) KiB"
  case .noCard(let path): "nothing says how this model is used: write \(path)"
  case .badCard(let detail): "is no card of a model (\(detail))"
  case .otherKind(.lift): "is a model that finds subjects"
  case .otherKind(.depth): "is a model that guesses depth"
  case .refused(let detail): "OpenCV cannot run it (\(detail))"
  case .unknownTensor(let detail): "it has no tensor of the name that its card says (\(detail))"
  case .crashed(SIGKILL): "the system ended OpenCV while it ran, perhaps for want of memory"
  case .crashed(let signal): "OpenCV is killed by it (signal \(signal))"
  case .noAnswer: "OpenCV gives no answer to it"
  case .timedOut(let seconds): "takes longer than \(shortened(seconds)) seconds"
  case .shape(let sides, let input):
    "its output is \(shape(sides)), which is no picture of its input's shape, \(shape(input))"
  case .notNumbers: "its output holds what is no number"
  case .constant: "its output is the same everywhere"
  }
}

private func sentence(_ problem: EstimationError.CommandProblem) -> String {
  func said(_ words: String?) -> String { words.map { " (\($0))" } ?? "" }
  return switch problem {
  case .failed(.timedOut(let seconds)):
    "takes longer than \(shortened(seconds)) seconds and was ended: give a larger --command-timeout"
  case .failed(let failure): "\(words(failure)): give the program's path"
  case .exit(let status, let words):
    "fails with status \(status)\(said(words)): try it by itself on a PNG"
  case .signal(let signal, let words):
    "was killed by signal \(signal)\(said(words)): try it by itself on a PNG"
  case .nothingWritten(let words):
    "ended well and wrote nothing to {out}\(said(words)): try it by itself on a PNG"
  }
}

private func words(_ failure: ChildFailure) -> String {
  switch failure {
  case .cannotStart(let code): "cannot be started (\(text(code)))"
  case .timedOut(let seconds): "takes longer than \(shortened(seconds)) seconds"
  case .tooManyBytes(let limit): "writes more than \(limit >> 20) MiB"
  case .ended(let status, let said):
    "ends with status \(status)" + (said.map { " (\($0))" } ?? "")
  case .cancelled: "was ended"
  }
}

/// A number without a fraction that is none.
private func shortened(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
}
