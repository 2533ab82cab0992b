import Foundation
import Testing

/// Signals sent to the real binary.
@Suite struct SignalsTests {
  private static let frameBytes = 64 * 48 * 3 / 2
  private static let endless = ["--size", "64x48", "--endless"]
  private static let long = ["--size", "64x48", "--frames", "100000000"]

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [endless, long])
  func streamEndsAfterAWholeFrame(_ signal: Int32, _ arguments: [String]) throws {
    let child = try Child(arguments)
    let start = child.read(100_000)
    child.send(signal)
    let bytes = start + child.readAll()
    #expect(child.wait() == .signal(signal))
    #expect(child.errorAtEnd() == "")
    let stream = try #require(Y4MStream(bytes, frameBytes: Self.frameBytes))
    #expect(stream.isWhole)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func fileIsWholeAndNamed(_ signal: Int32) throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.y4m")
    let child = try Child(Self.long + ["-o", path])
    #expect(eventually { scratch.holds(moreThan: 2 * Self.frameBytes) })
    child.send(signal)
    #expect(child.wait() == .signal(signal))
    #expect(scratch.names == ["a.y4m"])
    let stream = try #require(Y4MStream(contents(path) ?? [], frameBytes: Self.frameBytes))
    #expect(stream.isWhole && stream.frames.count >= 2)
  }

  /// A reader that has stalled keeps the frame from being finished.
  @Test func secondSignalEndsAtOnce() throws {
    let child = try Child(Self.endless)
    _ = child.read(1000)
    #expect(child.waitUntilStalled())
    child.send(SIGINT)
    usleep(500_000)
    #expect(child.isRunning)
    child.send(SIGINT)
    #expect(eventually { !child.isRunning })
    #expect(child.wait() == .signal(SIGINT))
  }

  /// `timeout` signals its child twice within a moment: that is one request.
  @Test func echoOfASignalIsNotASecondOne() throws {
    let child = try Child(Self.endless)
    _ = child.read(1000)
    #expect(child.waitUntilStalled())
    for _ in 0..<5 {
      child.send(SIGTERM)
      usleep(2000)
    }
    let rest = child.readAll()
    #expect(child.wait() == .signal(SIGTERM))
    // 1,000 bytes and the rest: header and whole frames.
    let header = "YUV4MPEG2 W64 H48 F30:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n"
    #expect((1000 + rest.count - header.utf8.count) % (6 + Self.frameBytes) == 0)
  }

  @Test func ignoredSignalStaysIgnored() throws {
    let child = try Child(
      program: "/bin/bash", ["-c", #"trap '' HUP; exec "$0" "$@""#, Command.path] + Self.endless)
    _ = child.read(100_000)
    child.send(SIGHUP)
    #expect(child.read(5_000_000).count == 5_000_000)
    #expect(child.isRunning)
    child.send(SIGTERM)
    _ = child.readAll()
    #expect(child.wait() == .signal(SIGTERM))
  }

  @Test(.enabled(if: hasProgram("nohup")))
  func nohupOutlivesItsTerminal() throws {
    let child = try Child(program: "/usr/bin/env", ["nohup", Command.path] + Self.endless)
    let start = child.read(100_000)
    child.send(SIGHUP)
    let later = child.read(5_000_000)
    #expect(later.count == 5_000_000 && child.isRunning)
    child.send(SIGTERM)
    let bytes = start + later + child.readAll()
    #expect(child.wait() == .signal(SIGTERM))
    #expect(try #require(Y4MStream(bytes, frameBytes: Self.frameBytes)).isWhole)
  }

  /// Signals that nothing handles, and being stopped in the midst of writes and going on. They fail
  /// no system call with EINTR; `ByteSinkTests` has signals that do.
  @Test func unhandledSignalsAndStopsChangeNothing() throws {
    let child = try Child(Self.endless)
    var bytes: [UInt8] = []
    for round in 0..<300 {
      for signal in [SIGWINCH, SIGSTOP, SIGCHLD, SIGCONT, SIGURG] { child.send(signal) }
      // Fewer bytes than a pipe holds and more: reads that wait, and writes that do.
      bytes += child.read(round % 3 == 0 ? 70_000 : 1_000)
    }
    child.send(SIGTERM)
    bytes += child.readAll()
    #expect(child.wait() == .signal(SIGTERM))
    #expect(child.errorAtEnd() == "")
    #expect(try #require(Y4MStream(bytes, frameBytes: Self.frameBytes)).isWhole)
  }

  /// A shell sees the signals as it does of any program.
  @Test func shellSees130() throws {
    let run = try Command.shell(
      #"timeout --preserve-status -s INT 1 "$0" --size 64x48 --endless >/dev/null; echo $?"#)
    #expect(run.text == "130\n")
  }
}
