internal import Estimation
internal import MotionCore

extension Option {
  /// What stands for a program and its arguments.
  static let command = "COMMAND"

  /// Of what no file says.
  static let ofEstimation: [Option] = [
    Option(
      "--estimate", choices: Estimates.allCases.map(\.rawValue), in: .estimation, needs: .photo,
      "what is worked out by models where no file says it: all that is missing and has a model, "
        + "nothing, the subject, the depth (auto)"
    ) { put(Estimates(rawValue: $1), into: &$0.estimates) },
    Option(
      "--lift-model", value: "FILE", in: .estimation, needs: .lift, answers: .matte,
      "an ONNX model that finds the subject, with its NAME.json beside it (an installed one)"
    ) { put(fileName($1), into: &$0.models[.lift]) },
    Option(
      "--depth-model", value: "FILE", in: .estimation, needs: .depthEstimate, answers: .depth,
      "an ONNX model that guesses the depth, with its NAME.json beside it (an installed one)"
    ) { put(fileName($1), into: &$0.models[.depth]) },
    Option(
      "--matte-command", value: command, in: .estimation, needs: .photo, answers: .matte,
      "a program that makes the matte, as 'prog {in} {out}': a PNG of the photo and the file it "
        + "writes; no shell is between"
    ) { put(externalCommand($1), into: &$0.matteCommand) },
    Option(
      "--depth-command", value: command, in: .estimation, needs: .photo, answers: .depth,
      "the same for the depth"
    ) { put(externalCommand($1), into: &$0.depthCommand) },
    Option(
      "--command-timeout", value: "SECONDS", in: .estimation, needs: .photo,
      "how long a program or a model may take, 0.1 to 86400 (120)"
    ) { put(number($1, in: 0.1...86400), into: &$0.commandSeconds) },
    Option(
      "--cut", choices: CutMethod.allCases.map(\.rawValue), in: .estimation, needs: .cut,
      "how the subject is cut where only a depth tells it: from that alone, or with its edge looked "
        + "for by the photo's colours (depth)"
    ) { put(CutMethod(rawValue: $1), into: &$0.cut) },
  ]
}

/// The name of a file that is read and is no picture; only those may be no UTF-8.
private func fileName(_ text: String) -> String? {
  text.isEmpty || Arguments.isEscaped(text) ? nil : text
}

/// The words of a command, which are all UTF-8.
private func externalCommand(_ text: String) -> ExternalCommand? {
  Arguments.isEscaped(text) ? nil : ExternalCommand(text)
}
