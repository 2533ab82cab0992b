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

  /// Runs with standard error on a terminal until that has got `awaited`, or for a second, and
  /// returns what it got and how long that took.
  private func onTerminal(
    _ arguments: [String], until awaited: String?
  ) throws -> (text: String, seconds: Double) {
    var (controller, terminal): (Int32, Int32) = (-1, -1)
    try #require(openpty(&controller, &terminal, nil, nil, nil) == 0)
    for end in [controller, terminal] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(controller) }
    _ = fcntl(controller, F_SETFL, O_NONBLOCK)
    let start = ContinuousClock.now
    let child = try Child(
      program: "/usr/bin/env", ["TERM=xterm", Command.path] + arguments, output: .path("/dev/null"),
      error: .descriptor(terminal))
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    func take() {
      let count = read(controller, &buffer, buffer.count)
      text += String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
    func seconds() -> Double { start.duration(to: .now) / .seconds(1) }
    while seconds() < (awaited == nil ? 1 : 30), awaited.map(text.contains) != true {
      take()
      usleep(10_000)
    }
    child.send(SIGINT)
    #expect(child.wait() == .signal(SIGINT))
    let elapsed = seconds()
    // A terminal hands its last bytes over a little later than they are written.
    for _ in 0..<10 {
      take()
      usleep(20_000)
    }
    close(terminal)
    return (text, elapsed)
  }

  @Test func terminalShowsProgressAndIsLeftClean() throws {
    let (text, seconds) = try onTerminal(["--size", "64x48", "--endless"], until: "frame ")
    #expect(text.contains("frame "))
    #expect(text.hasSuffix("\r\u{1B}[K"))
    // Five times a second, and the clearing at the end.
    #expect(Double(text.split(separator: "\u{1B}").count) <= seconds * 5 + 2)
  }

  @Test(arguments: [["-q"], ["--progress", "none"]])
  func quietIsQuiet(_ options: [String]) throws {
    #expect(try onTerminal(["--size", "64x48", "--endless"] + options, until: nil).text == "")
  }

  /// What a program reads: it parses, says the end, and comes with `-q` too.
  @Test func objectsAreForPrograms() throws {
    let run = try Command.run(
      "--size", "64x48", "--fps", "12", "--length", "1", "--progress", "json", "-q")
    #expect(run.ending == .exit(0))
    let objects = try run.errorLines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.count >= 2)
    let (first, last) = (try #require(objects.first), try #require(objects.last))
    #expect(
      Set(first.keys) == ["frame", "total", "fps", "speed", "bytes", "elapsed", "eta"])
    #expect(first["frame"] as? Int == 1 && last["frame"] as? Int == 12)
    #expect(last["total"] as? Int == 12 && last["bytes"] as? Int == run.output.count)
    #expect(last["eta"] as? Double == 0)
  }

  @Test func endlessObjectsHaveNoEnd() {
    #expect(
      Progress.object(frames: 3, bytes: 9, late: 1, total: nil, elapsed: 0.5, rate: rate)
        == #"{"frame":3,"total":null,"fps":6.0,"speed":0.2,"bytes":9,"elapsed":0.5,"eta":null,"late":1}"#
    )
  }
}

/// The pace of a live stream, on the real binary.
@Suite struct PacerTests {
  private static let small = ["--size", "64x48", "--fps", "20", "--progress", "json", "--realtime"]

  /// Seconds the frames took by the command's own clock, and what it said last.
  private func run(_ arguments: [String]) throws -> [String: Any] {
    let run = try Child(Self.small + arguments).result()
    #expect(run.ending == .exit(0))
    let last = try #require(run.errorLines.last { $0.hasPrefix("{") })
    return try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
  }

  /// 21 frames at 20 a second end a second after the first; how much later is the machine's affair.
  @Test func framesAreHeldBack() throws {
    let last = try run(["--frames", "21"])
    #expect(try #require(last["elapsed"] as? Double) >= 1)
    #expect(last["late"] as? Int != nil)
  }

  /// A reader that stops for a while gets every frame all the same, and hears of the late ones.
  @Test func lateFramesAreCountedAndNeverDropped() throws {
    let run = try Command.shell(
      """
      "$0" --size 1280x720 --fps 100 --frames 40 --realtime | { head -c 2000000; sleep 1; cat; } | wc -c
      """)
    #expect(run.ending == .exit(0))
    let frame = 1280 * 720 * 3 / 2 + 6
    #expect(Int(run.text.filter(\.isNumber)) == 40 * frame + Self.header)
    #expect(run.error.contains("frames came late"))
  }

  private static let header =
    "YUV4MPEG2 W1280 H720 F100:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n".utf8.count

  /// Nobody waits for the rest of a slow film.
  @Test func aSignalDoesNotWaitForTheNextFrame() throws {
    let child = try Child(["--size", "64x48", "--fps", "1/100", "--length", "1000", "--realtime"])
    #expect(child.read(64 * 48).count == 64 * 48)
    child.send(SIGTERM)
    #expect(child.wait() == .signal(SIGTERM))
  }
}
