import Foundation
import Testing

@testable import Estimation

@Suite struct ChildProcessTests {
  private func shell(
    _ script: String, input: [[UInt8]]? = nil, outputLimit: Int? = 1 << 24, seconds: Double = 20,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ChildFailure) -> ChildProcess.Result {
    try ChildProcess(
      program: "sh", arguments: ["-c", script], input: input, outputLimit: outputLimit,
      seconds: seconds, isCancelled: isCancelled
    ).run()
  }

  @Test func bothWays() throws {
    let pieces = (0..<5).map { [UInt8](repeating: UInt8($0), count: 700_000) }
    let result = try shell("cat", input: pieces)
    #expect(result.ending == .exit(0) && result.output == pieces.flatMap { $0 })
  }

  @Test func whatNobodyReadsHoldsNobodyUp() throws {
    let result = try shell("exec <&-; echo done", input: [[UInt8](repeating: 1, count: 1 << 22)])
    #expect(result.ending == .exit(0) && result.output == Array("done\n".utf8))
    #expect(try shell("exit 7", input: [[UInt8](repeating: 1, count: 1 << 22)]).ending == .exit(7))
  }

  @Test func endings() throws {
    #expect(try shell("exit 3").ending == .exit(3))
    #expect(try shell("kill -11 $$").ending == .signal(SIGSEGV))
    // An ignored or blocked signal is not handed down.
    #expect(try shell("kill -PIPE $$; echo").ending == .signal(SIGPIPE))
  }

  @Test func onlyTheEndOfWhatIsSaidIsKept() throws {
    let result = try shell("yes | head -c 100000 >&2; printf end >&2")
    #expect(result.error.count == ChildProcess.errorBytes)
    #expect(String(decoding: result.error.suffix(3), as: UTF8.self) == "end")
  }

  @Test func limits() {
    #expect(throws: ChildFailure.timedOut(seconds: 0.3)) { try shell("sleep 60", seconds: 0.3) }
    #expect(throws: ChildFailure.tooManyBytes(limit: 5)) { try shell("yes", outputLimit: 5) }
    #expect(throws: ChildFailure.cancelled) { try shell("sleep 60", isCancelled: { true }) }
    #expect(throws: ChildFailure.cannotStart(errno: ENOENT)) {
      try ChildProcess(
        program: "/no/such/program", arguments: [], seconds: 1, isCancelled: { false }
      ).run()
    }
  }

  /// A child of the child that keeps the pipes open does not keep anybody waiting, and is not left.
  @Test func whoLeavesAChildBehind() throws {
    let result = try shell("sleep 50 & echo $!")
    #expect(result.ending == .exit(0))
    let left = String(decoding: result.output, as: UTF8.self)
    let process = try #require(pid_t(left.trimmingCharacters(in: .whitespacesAndNewlines)))
    // What was killed may wait for its new parent to take note.
    var tries = 0
    while tries < 100, kill(process, 0) == 0 {
      usleep(20_000)
      tries += 1
      let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      if stat?.contains(") Z ") == true { return }
    }
    #expect(kill(process, 0) != 0)
  }

  @Test func descriptorsAreGivenBack() throws {
    func open() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    }
    _ = try shell("true", input: [[1]])
    let before = try open()
    for _ in 0..<20 { _ = try shell("true", input: [[1]]) }
    for _ in 0..<5 { _ = try? shell("sleep 9", seconds: 0.02) }
    // Tests beside this one have their own open.
    #expect(try open() < before + 15)
  }
}
