/// Where a picture comes from.
public enum InputPath: Sendable, Hashable, CustomStringConvertible {
  case standardInput
  case file(String)

  /// A path as a command line has it: `-` is standard input.
  public init(_ text: String) { self = text == "-" ? .standardInput : .file(text) }

  public var description: String {
    switch self {
    case .standardInput: "-"
    case .file(let path): path
    }
  }
}
