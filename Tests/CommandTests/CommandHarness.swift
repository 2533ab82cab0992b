import Foundation
import Testing

@testable import Estimation

/// How a process ended.
enum Ending: Equatable, CustomStringConvertible {
  case exit(Int32)
  case signal(Int32)
  /// It had to be killed.
  case hung

  /// What a shell shows in `$?`.
  var status: Int32 {
    switch self {
    case .exit(let code): code
    case .signal(let signal): 128 + signal
    case .hung: -1
    }
  }

  var description: String {
    switch self {
    case .exit(let code): "exit \(code)"
    case .signal(let signal): "signal \(signal)"
    case .hung: "hung"
    }
  }
}

/// The built command.
enum Command {
  /// The binary under test: `MOTION_STREAM`, or the one built beside the tests.
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["MOTION_STREAM"] { return path }
    let starts =
      [CommandLine.arguments[0], Bundle.main.bundlePath, "/proc/self/exe"]
      + Bundle.allBundles.map(\.bundlePath)
    for start in starts {
      var folder = URL(fileURLWithPath: start).resolvingSymlinksInPath()
      for _ in 0..<5 {
        folder.deleteLastPathComponent()
        let candidate = folder.appendingPathComponent("motion-stream").path
        if FileManager.default.isExecutableFile(atPath: candidate), !isFolder(candidate) {
          return candidate
        }
      }
    }
    fatalError("no motion-stream beside the tests; build it, or set MOTION_STREAM")
  }()

  /// Runs the command to its end.
  static func run(
    _ arguments: String..., input: Child.Input = .null, seconds: Double = 60
  ) throws -> Child.Result {
    try Child(arguments, input: input, seconds: seconds).result()
  }

  /// Runs a bash script in which `$0` is the command.
  static func shell(_ script: String, seconds: Double = 60) throws -> Child.Result {
    try Child(program: "/bin/bash", ["-c", script, path], seconds: seconds).result()
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue
  }
}

/// A child process with whatever standard streams a test needs, in a process group of its own. One
/// that outlives its time is killed, and its ending is `hung`.
final class Child: @unchecked Sendable {
  enum Input {
    case null, closed
  }

  enum Output {
    /// To be read through the `Child`.
    case pipe
    case closed
    case path(String)
    case descriptor(Int32)
  }

  struct Result {
    let output: [UInt8]
    let error: String
    let ending: Ending

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorLines: [Substring] { error.split(separator: "\n") }
  }

  struct SpawnError: Error {
    let path: String
    let code: Int32
  }

  private let process: pid_t
  private var outputEnd: Int32 = -1
  private let errorEnd: Int32
  private var errorText: [UInt8] = []
  private let errorDone = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  private var isReaped = false
  private var hasHung = false

  /// What models are installed here must not change what a photo comes to.
  private static let withoutModels = ["MOTION_STREAM_MODELS": "/no/models"]

  /// Pipes are made and inherited one child at a time: else a child would hold another's ends.
  private static let spawning = NSLock()

  init(
    program path: String = Command.path, _ arguments: [String], input: Input = .null,
    output: Output = .pipe, error: Output = .pipe, environment: [String: String] = [:],
    seconds: Double = 60
  ) throws {
    Self.spawning.lock()
    defer { Self.spawning.unlock() }

    let standardInput: Spawn.Stream =
      switch input {
      case .null: .null
      case .closed: .closed
      }
    var streams = [standardInput]
    var childEnds: [Int32] = []
    var ownEnds: [Int32] = []
    for stream in [output, error] {
      var own: Int32 = -1
      switch stream {
      case .pipe:
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        own = ends[0]
        childEnds.append(ends[1])
        streams.append(.descriptor(ends[1]))
      case .closed: streams.append(.closed)
      case .path(let path): streams.append(.path(path))
      case .descriptor(let descriptor): streams.append(.descriptor(descriptor))
      }
      ownEnds.append(own)
    }
    let variables = ProcessInfo.processInfo.environment
      .merging(Self.withoutModels) { $1 }.merging(environment) { $1 }
    let (identifier, code) = Spawn.start(
      path, arguments, environment: variables.map { "\($0)=\($1)" }, streams)
    for end in childEnds { close(end) }
    guard code == 0 else {
      for end in ownEnds where end >= 0 { close(end) }
      throw SpawnError(path: path, code: code)
    }
    process = identifier
    (outputEnd, errorEnd) = (ownEnds[0], ownEnds[1])

    if errorEnd >= 0 {
      Thread.detachNewThread { [self] in
        errorText = Self.readAll(errorEnd)
        errorDone.signal()
      }
    } else {
      errorDone.signal()
    }
    let patience = seconds * Sanitizer.patience
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in self?.giveUp() }
  }

  deinit {
    send(SIGKILL)
    _ = wait()
    closeOutput()
    if errorEnd >= 0 { close(errorEnd) }
  }

  /// The next bytes of standard output; fewer than asked for only at its end.
  func read(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        Foundation.read(outputEnd, $0.baseAddress! + done, count - done)
      }
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { break }
      done += got
    }
    return Array(bytes[..<done])
  }

  /// Everything that is left of standard output.
  func readAll() -> [UInt8] { Self.readAll(outputEnd) }

  /// Waits until the child has filled its pipe and stands still.
  func waitUntilStalled() -> Bool {
    var (last, unchanged): (Int32, Int) = (-1, 0)
    return eventually {
      var waiting: Int32 = 0
      guard ioctl(outputEnd, UInt(FIONREAD), &waiting) == 0 else { return false }
      unchanged = waiting == last ? unchanged + 1 : 0
      last = waiting
      return waiting >= 4096 && unchanged >= 50
    }
  }

  /// Leaves, as `head` does.
  func closeOutput() {
    if outputEnd >= 0 { close(outputEnd) }
    outputEnd = -1
  }

  func send(_ signal: Int32) {
    lock.withLock { if !isReaped { _ = kill(process, signal) } }
  }

  /// Whether the process has not ended yet.
  var isRunning: Bool {
    var information = siginfo_t()
    let flags = WEXITED | WNOHANG | WNOWAIT
    return waitid(P_PID, id_t(process), &information, flags) == 0 && information.si_signo == 0
  }

  /// KiB of memory that the process holds, while it runs and where that can be seen.
  var residentKiB: Int? {
    lock.withLock {
      guard !isReaped, let text = contents("/proc/\(process)/status") else { return nil }
      let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("VmRSS:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
  }

  /// Waits for the end.
  func wait() -> Ending {
    var status: Int32 = 0
    // Reaped under the lock only once it is known to have ended, so that no signal goes astray.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    return lock.withLock {
      if !isReaped {
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        isReaped = true
        let signal = status & 0x7F
        ending = hasHung ? .hung : signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
      }
      return ending
    }
  }

  private var ending = Ending.hung

  /// What standard error said, once the process has ended.
  func errorAtEnd() -> String {
    errorDone.wait()
    errorDone.signal()
    return String(decoding: errorText, as: UTF8.self)
  }

  /// Reads standard output to its end and waits.
  func result() -> Result {
    let output = outputEnd >= 0 ? readAll() : []
    let ending = wait()
    return Result(output: output, error: errorAtEnd(), ending: ending)
  }

  private func giveUp() {
    lock.withLock {
      guard !isReaped else { return }
      hasHung = true
      // The whole group: a shell's children hold its pipes.
      kill(-process, SIGKILL)
    }
  }

  private static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = Foundation.read(descriptor, &buffer, buffer.count)
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { return bytes }
      bytes += buffer[..<got]
    }
  }
}

/// A Y4M stream taken apart, for frames of a known size.
struct Y4MStream {
  let header: String
  let frames: [ArraySlice<UInt8>]
  /// What follows the last whole frame.
  let rest: ArraySlice<UInt8>

  init?(_ bytes: [UInt8], frameBytes: Int) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    header = String(decoding: bytes[..<end], as: UTF8.self)
    var left = bytes[(end + 1)...]
    var frames: [ArraySlice<UInt8>] = []
    let mark = Array("FRAME\n".utf8)
    while left.count >= mark.count + frameBytes, left.starts(with: mark) {
      let frame = left.dropFirst(mark.count).prefix(frameBytes)
      frames.append(frame)
      left = left[frame.endIndex...]
    }
    (self.frames, rest) = (frames, left)
  }

  /// Whole frames and nothing else.
  var isWhole: Bool { rest.isEmpty && header.hasPrefix("YUV4MPEG2 ") }
}

/// A folder of its own that goes away with its owner.
final class ScratchFolder {
  let path: String

  init() {
    var template = Array((NSTemporaryDirectory() + "/motion-stream-XXXXXX").utf8CString)
    precondition(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// The names in the folder, hidden ones too, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Whether some file in the folder has grown beyond the given bytes.
  func holds(moreThan bytes: Int) -> Bool {
    names.contains {
      let attributes = try? FileManager.default.attributesOfItem(atPath: file($0))
      return (attributes?[.size] as? Int ?? 0) > bytes
    }
  }
}

func contents(_ path: String) -> [UInt8]? {
  FileManager.default.contents(atPath: path).map(Array.init)
}

/// Looks again and again, at most ten seconds long.
func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 0..<1000 {
    if condition() { return true }
    usleep(10_000)
  }
  return condition()
}

/// Whether a program can be found.
func hasProgram(_ name: String) -> Bool {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
  }
}

/// Whether Python can load a module.
func hasPythonModule(_ name: String) -> Bool {
  guard hasProgram("python3") else { return false }
  let run = try? Child(program: "/usr/bin/env", ["python3", "-c", "import \(name)"]).result()
  return run?.ending == .exit(0)
}
