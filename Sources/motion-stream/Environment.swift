internal import FoundationEssentials
internal import MotionCore

/// A variable of the environment that the command looks at.
struct EnvironmentVariable {
  let name: String
  let help: String

  /// The list of them, for the help and the manual page.
  static let all = [
    cpu,
    EnvironmentVariable(
      name: "MOTION_STREAM_MODELS",
      help: "the one folder in which models are looked for that no option names"),
    EnvironmentVariable(
      name: "XDG_DATA_HOME",
      help: "where motion-stream/models is looked for without that (~/.local/share)"),
    EnvironmentVariable(
      name: "TMPDIR", help: "where programs that make a map find the photo (/tmp)"),
  ]

  private static let cpu = EnvironmentVariable(
    name: "MOTION_STREAM_CPU",
    help:
      "which instructions draw the frames: baseline or v3 (x86-64-v3); without it the best that "
      + "the processor has. The frames are the same")

  /// The instructions that frames are to be drawn with.
  static func instructions() throws(UsageError) -> InstructionSet {
    guard let name = ProcessInfo.processInfo.environment[cpu.name], !name.isEmpty else {
      return .best
    }
    guard let set = InstructionSet.all.first(where: { $0.name == name }) else {
      throw .unknownInstructions(
        variable: cpu.name, value: name, known: InstructionSet.all.map(\.name))
    }
    return set
  }
}
