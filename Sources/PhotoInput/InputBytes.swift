#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads a whole file, pipe or device into memory.
enum InputBytes {
  /// More than any picture of the largest size needs.
  static let maximum = 1 << 30

  /// - Parameter accept: sees the first bytes, as many as a kind needs, before the rest is read: a
  ///   film named by mistake is not read to its end.
  static func read(
    _ path: InputPath, maximum: Int = maximum, accept: (RawSpan) throws(Problem) -> Void
  ) throws(Problem) -> [UInt8] {
    guard let name = path.systemName else { return try readAll(STDIN_FILENO, maximum, accept) }
    let descriptor = retrying { open(name.cString, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    guard descriptor >= 0 else { throw .cannotOpen(errno: errno) }
    defer { close(descriptor) }
    return try readAll(descriptor, maximum, accept)
  }

  private static func readAll(
    _ descriptor: Int32, _ maximum: Int, _ accept: (RawSpan) throws(Problem) -> Void
  ) throws(Problem) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .cannotRead(errno: errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
    var bytes: [UInt8] = []
    if status.st_mode & S_IFMT == S_IFREG {
      guard status.st_size <= maximum else { throw .tooManyBytes(limit: maximum) }
      bytes.reserveCapacity(Int(status.st_size))
    }

    var isAccepted = false
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = chunk.withUnsafeMutableBytes { buffer in
        retrying { readSome(descriptor, buffer) }
      }
      guard count >= 0 else { throw .cannotRead(errno: errno) }
      bytes += chunk[..<count]
      guard bytes.count <= maximum else { throw .tooManyBytes(limit: maximum) }
      if !isAccepted, count == 0 || bytes.count >= InputKind.headBytes {
        guard !bytes.isEmpty else { throw .empty }
        try accept(bytes.span.bytes)
        isAccepted = true
      }
      if count == 0 { return bytes }
    }
  }

  /// The result of a system call that a signal does not end.
  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

/// `read` by another name: inside `InputBytes` that is a method.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

extension [UInt8] {
  /// A name for the system.
  package var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
