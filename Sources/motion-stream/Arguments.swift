internal import PhotoInput

/// The command line as texts that can be had back byte by byte: a file's name need not be UTF-8.
///
/// In an argument that is not, each byte above 127 stands as one character of the last private plane,
/// as Python's "surrogateescape" does it with others.
enum Arguments {
  private static let private0: UInt32 = 0x10FF00

  /// The command's name, as it was called.
  static var command: String {
    guard CommandLine.argc > 0, let name = CommandLine.unsafeArgv[0] else { return "motion-stream" }
    return text(UnsafeRawBufferPointer(start: name, count: length(name)).map { $0 })
  }

  /// What stands behind the command's name.
  static var all: [String] {
    let count = max(Int(CommandLine.argc), 1)
    // The array that the process was started with ends only with it.
    return (1..<count).compactMap { index in
      CommandLine.unsafeArgv[index].map { argument in
        text(UnsafeRawBufferPointer(start: argument, count: length(argument)).map { $0 })
      }
    }
  }

  static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !isEscaped(text) { return text }
    var text = ""
    for byte in bytes {
      text.unicodeScalars.append(
        byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(private0 + UInt32(byte))!)
    }
    return text
  }

  static func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      isEscape(scalar) ? [UInt8(scalar.value - private0)] : Array(String(scalar).utf8)
    }
  }

  /// Whether a text stands for bytes that are no UTF-8.
  static func isEscaped(_ text: String) -> Bool { text.unicodeScalars.contains(where: isEscape) }

  private static func isEscape(_ scalar: Unicode.Scalar) -> Bool {
    (private0 + 0x80...private0 + 0xFF).contains(scalar.value)
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while text[length] != 0 { length += 1 }
    return length
  }
}

extension InputPath {
  /// The path that an argument names.
  init(argument: String) { self.init(bytes: Arguments.bytes(argument)) }
}
