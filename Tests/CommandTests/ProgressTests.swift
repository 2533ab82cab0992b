import Foundation
import MotionCore
import Testing

@testable import motion_stream

@Suite struct ProgressTests {
  private let rate = FrameRate(30)!

  @Test func lineSaysHowFarAndHowFast() {
    #expect(
      Progress.line(frames: 60, bytes: 186_624_000, total: 120, elapsed: 1.5, rate: rate)
        == "frame 60/120  40.0 fps  1.3x  187 MB  eta 0:02")
    #expect(
      Progress.line(frames: 0, bytes: 64, total: nil, elapsed: 0.2, rate: rate)
        == "frame 0  0.0 fps  0.0x  0.0 MB")
    #expect(
      Progress.line(frames: 1, bytes: 3_110_400, total: 10_000, elapsed: 1, rate: rate)
        == "frame 1/10000  1.0 fps  0.0x  3.1 MB  eta 2:46:39")
  }

  @Test func lineFitsATerminal() {
    let line = Progress.line(
      frames: 1_000_000, bytes: 10_000_000_000_000, total: 10_000_000, elapsed: 86400, rate: rate)
    #expect(line.count < 80)
  }

  /// Runs with standard error on a terminal and returns what the terminal got.
  private func onTerminal(_ arguments: [String]) throws -> String {
    var (controller, terminal): (Int32, Int32) = (-1, -1)
    try #require(openpty(&controller, &terminal, nil, nil, nil) == 0)
    for end in [controller, terminal] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(controller) }
    let child = try Child(
      program: "/usr/bin/env", ["TERM=xterm", Command.path] + arguments, output: .path("/dev/null"),
      error: .descriptor(terminal))
    usleep(1_000_000)
    child.send(SIGINT)
    #expect(child.wait() == .signal(SIGINT))
    _ = fcntl(controller, F_SETFL, O_NONBLOCK)
    // A terminal hands its last bytes over a little later than they are written.
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<10 {
      let count = read(controller, &buffer, buffer.count)
      text += buffer[..<max(0, count)]
      usleep(20_000)
    }
    close(terminal)
    return String(decoding: text, as: UTF8.self)
  }

  @Test func terminalShowsProgressAndIsLeftClean() throws {
    let text = try onTerminal(["--size", "64x48", "--endless"])
    #expect(text.contains("frame "))
    #expect(text.hasSuffix("\r\u{1B}[K"))
    // Five times a second, and the clearing at the end.
    #expect((1...8).contains(text.split(separator: "\u{1B}").count))
  }

  @Test func quietIsQuiet() throws {
    #expect(try onTerminal(["--size", "64x48", "--endless", "-q"]) == "")
  }
}
