#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A program that is run to its end, in a process group of its own, within a time.
///
/// It inherits no signals that are ignored or blocked here, reads what it is given or nothing, and
/// leaves nothing behind: whatever happens, its group is killed in the end, and it is waited for. A child that reads nothing, answers nothing or floods its pipes holds nobody up.
struct ChildProcess {
  enum Ending: Hashable {
    case exit(Int32)
    case signal(Int32)
  }

  struct Result {
    let ending: Ending
    let output: [UInt8]
    /// The last of what it said on standard error, at most `errorBytes`.
    let error: [UInt8]
  }

  /// Looked for in PATH where it has no slash.
  let program: String
  let arguments: [String]
  /// For its standard input; nil for the null device.
  var input: [[UInt8]]?
  /// How much of its standard output is read; nil for the null device.
  var outputLimit: Int?
  /// How long it may take.
  let seconds: Double
  /// Asked many times a second.
  let isCancelled: () -> Bool

  static let errorBytes = 4096
  /// Of what strangers say, in characters.
  static let longestLine = 200

  /// The last line of what a child said that is not empty, cut short.
  static func lastLine(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
    return line.map { String($0.suffix(longestLine)) }
  }

  func run() throws(ChildFailure) -> Result {
    var pipes = Pipes()
    defer { pipes.closeAll() }
    let process = try start(&pipes)
    var ending: Ending?
    defer {
      // Those that it started and left behind too.
      kill(-process, SIGKILL)
      if ending == nil {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      }
    }

    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(seconds)
    var (output, error) = ([UInt8](), [UInt8]())
    var pending = (input ?? [])[...]
    var sent = 0
    while ending == nil {
      if isCancelled() { throw .cancelled }
      if clock.now >= deadline { throw .timedOut(seconds: seconds) }
      pipes.wait()
      send(&pending, &sent, &pipes)
      // What it wrote before it ended is all there once it has ended.
      ending = Self.ending(of: process)
      if pipes.output.read({ output += $0 }), let outputLimit, output.count > outputLimit {
        throw .tooManyBytes(limit: outputLimit)
      }
      _ = pipes.error.read { bytes in
        error += bytes
        if error.count > Self.errorBytes { error.removeFirst(error.count - Self.errorBytes) }
      }
    }
    return Result(ending: ending!, output: output, error: error)
  }

  private func start(_ pipes: inout Pipes) throws(ChildFailure) -> pid_t {
    var streams: [Spawn.Stream] = []
    for (own, isOpen) in [
      (\.input, input != nil), (\.output, outputLimit != nil), (\.error, true),
    ] as [(WritableKeyPath<Pipes, Pipe>, Bool)] {
      guard isOpen else {
        streams.append(.null)
        continue
      }
      guard let (here, there) = Pipe.pair() else { throw .cannotStart(errno: errno) }
      pipes[keyPath: own] = here
      pipes.others.append(there)
      streams.append(.descriptor(there))
    }
    let (process, code) = Spawn.start(program, arguments, streams)
    pipes.closeOthers()
    guard code == 0 else { throw .cannotStart(errno: code) }
    return process
  }

  /// Hands over as much of the input as the child takes now; the end of it closes the stream.
  private func send(_ pending: inout ArraySlice<[UInt8]>, _ sent: inout Int, _ pipes: inout Pipes) {
    while pipes.input.isOpen {
      guard let piece = pending.first else { return pipes.input.close() }
      if sent == piece.count {
        pending.removeFirst()
        sent = 0
        continue
      }
      guard let count = pipes.input.write(piece[sent...]) else { return }
      sent += count
    }
  }

  private static func ending(of process: pid_t) -> Ending? {
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }
}

/// This end of the child's standard streams.
private struct Pipes {
  var input = Pipe(), output = Pipe(), error = Pipe()
  /// The child's ends, until it has them.
  var others: [Int32] = []

  mutating func closeOthers() {
    for descriptor in others { close(descriptor) }
    others = []
  }

  mutating func closeAll() {
    closeOthers()
    for pipe in [\Pipes.input, \.output, \.error] as [WritableKeyPath<Pipes, Pipe>] {
      self[keyPath: pipe].close()
    }
  }

  /// Waits until something can be read or written, but not for long: nobody tells when a child ends.
  func wait() {
    var entries: [pollfd] = []
    for (pipe, events) in [(input, POLLOUT), (output, POLLIN), (error, POLLIN)] where pipe.isOpen {
      entries.append(pollfd(fd: pipe.descriptor, events: Int16(events), revents: 0))
    }
    _ = poll(&entries, nfds_t(entries.count), output.isOpen || error.isOpen ? 20 : 1)
  }
}

/// One end of a connection that never blocks, and whose other end's leaving is no signal.
private struct Pipe {
  private(set) var descriptor: Int32 = -1
  var isOpen: Bool { descriptor >= 0 }

  /// A connection: this end, and the child's. Sockets, since writing to them can be kept from raising
  /// SIGPIPE.
  static func pair() -> (here: Pipe, there: Int32)? {
    var ends: [Int32] = [0, 0]
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return (Pipe(descriptor: ends[0]), ends[1])
  }

  mutating func close() {
    guard isOpen else { return }
    _ = sysClose(descriptor)
    descriptor = -1
  }

  /// Reads what is there; the other end's closing closes this one.
  /// - Returns: whether anything was read.
  mutating func read(_ take: (ArraySlice<UInt8>) -> Void) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var hasRead = false
    // Not for ever: the other end may write as fast as this one reads.
    for _ in 0..<64 where isOpen {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        take(buffer[..<count])
        hasRead = true
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        close()
      } else if errno == EAGAIN {
        break
      }
    }
    return hasRead
  }

  /// - Returns: how many bytes were taken; nil where none can be now, or the other end has left.
  mutating func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    let count = bytes.withUnsafeBytes { sysSend(descriptor, $0.baseAddress, $0.count, flags) }
    if count >= 0 { return count }
    if errno != EAGAIN && errno != EINTR { close() }
    return nil
  }
}

private func sysClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func sysSend(
  _ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int { send(descriptor, start, count, flags) }
