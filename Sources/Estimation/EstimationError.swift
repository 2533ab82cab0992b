/// Why nothing was estimated, as data: the sentence is made where it is said.
public enum EstimationError: Error, Hashable, Sendable {
  /// A model cannot be used.
  case model(path: String, ModelProblem)
  /// The subject's edge was not found by the photo's colours; the problems are those of models.
  case grabCut(ModelProblem)
  /// The worker, which runs models, cannot be used.
  case worker(path: String, ChildFailure)
  /// This build has no worker.
  case leftOut
  /// A program that was to make a map did not.
  case command(String, CommandProblem)
  /// No folder for what a program reads and writes could be made.
  case temporaryFolder(path: String, errno: Int32)
  /// The run was asked to end.
  case cancelled

  public enum ModelProblem: Error, Hashable, Sendable {
    case cannotOpen(errno: Int32)
    case cannotRead(errno: Int32)
    /// A folder, a device or a pipe.
    case notAFile
    case empty
    case tooManyBytes(limit: Int)
    /// There is no card at this path, which says how the model is used.
    case noCard(path: String)
    /// The card contradicts itself or the format of cards.
    case badCard(detail: String)
    /// The card is of a model for something else.
    case otherKind(ModelCard.Kind)
    /// OpenCV's own words.
    case refused(detail: String)
    /// It has no tensor of a name that its card says; OpenCV's own words.
    case unknownTensor(detail: String)
    /// The worker died of a signal, ended without an answer, or answered something else.
    case crashed(signal: Int32)
    case noAnswer
    case timedOut(seconds: Double)
    /// The output has other sides than 1 x 1 x height x width of the input's shape.
    case shape([Int], input: [Int])
    /// Some samples of the output are NaN or infinite.
    case notNumbers
    /// Every sample of a depth is the same.
    case constant
  }

  public enum CommandProblem: Hashable, Sendable {
    case failed(ChildFailure)
    /// It ended with this status; `words` is the last line of what it said.
    case exit(status: Int32, words: String?)
    case signal(Int32, words: String?)
    /// It ended well, and there is no file {out}.
    case nothingWritten(words: String?)
  }
}

/// Why a child process is of no use.
public enum ChildFailure: Error, Hashable, Sendable {
  case cannotStart(errno: Int32)
  case timedOut(seconds: Double)
  case tooManyBytes(limit: Int)
  /// The worker ended with this status and no answer; `words` is the last line of what it said.
  case ended(status: Int32, words: String?)
  case cancelled
}
