/// Where a picture comes from.
public enum InputPath: Sendable, Hashable, CustomStringConvertible {
  case standardInput
  case file(String)
  /// A file whose name is not UTF-8.
  case bytes([UInt8])

  /// A path as a command line has it: `-` is standard input.
  public init(_ text: String) { self = text == "-" ? .standardInput : .file(text) }

  /// The same of a name as the system has it.
  public init(bytes: [UInt8]) {
    self = String(validating: bytes, as: UTF8.self).map { InputPath($0) } ?? .bytes(bytes)
  }

  public var description: String {
    switch self {
    case .standardInput: "-"
    case .file(let path): path
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The name as the system has it, without the NUL at its end; nil for standard input.
  package var systemName: [UInt8]? {
    switch self {
    case .standardInput: nil
    case .file(let path): Array(path.utf8)
    case .bytes(let bytes): bytes
    }
  }
}
