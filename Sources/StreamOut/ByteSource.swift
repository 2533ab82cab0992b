internal import CSystem

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An open file, pipe or device that is read from its beginning, once, in constant memory.
public final class ByteSource {
  /// Why it cannot be read; codes are the system's `errno`.
  public enum Problem: Error, Hashable, Sendable {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case isDirectory
    case tooManyBytes(limit: Int)
  }

  private static let chunkBytes = 1 << 18

  private let descriptor: Int32
  private let chunk = UnsafeMutableRawBufferPointer.allocate(
    byteCount: chunkBytes, alignment: 4096)
  /// What was read and not yet handed over.
  private var rest = 0..<0

  /// - Parameter name: a file's, as the system has it; nil for standard input.
  public init(name: [UInt8]?) throws(Problem) {
    guard let name else {
      descriptor = STDIN_FILENO
      return
    }
    descriptor = openForReading(name.map { CChar(bitPattern: $0) } + [0])
    guard descriptor >= 0 else { throw .cannotOpen(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
    chunk.deallocate()
  }

  /// Hands over the next `count` bytes, in pieces of any size.
  ///
  /// - Returns: how many they were; fewer than asked for only at the end.
  func read(
    _ count: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(Problem) -> Int {
    var left = count
    while left > 0 {
      if rest.isEmpty {
        let got = readSome(descriptor, chunk)
        guard got >= 0 else { throw errno == EISDIR ? .isDirectory : .cannotRead(errno) }
        if got == 0 { break }
        rest = 0..<got
      }
      let piece = rest.prefix(left)
      body(UnsafeRawBufferPointer(rebasing: chunk[piece]))
      rest = piece.upperBound..<rest.upperBound
      left -= piece.count
    }
    return count - left
  }

  /// The next bytes, as many as there are up to `count`.
  func bytes(_ count: Int) throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try read(count) { bytes += $0 }
    return bytes
  }

  /// All bytes that are left.
  ///
  /// - Throws: `tooManyBytes` where they are more than `limit`.
  public func readAll(limit: Int) throws(Problem) -> [UInt8] {
    let bytes = try bytes(limit + 1)
    guard bytes.count <= limit else { throw .tooManyBytes(limit: limit) }
    return bytes
  }
}

/// One `read`, whatever a signal does, and waiting where the descriptor would rather not.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  while true {
    let got = read(descriptor, buffer.baseAddress, buffer.count)
    guard got < 0 else { return got }
    switch errno {
    case EINTR: continue
    case EAGAIN:
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, -1)
    default: return got
    }
  }
}

private func openForReading(_ name: [CChar]) -> Int32 {
  while true {
    let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    if descriptor >= 0 || errno != EINTR { return descriptor }
  }
}
