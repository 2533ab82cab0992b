import Foundation
import PhotoInput
import StreamOut
import Testing

@testable import motion_stream

/// Frames that players find in a film by their time are those that the index names.
@Suite struct SeekTests {
  private static let rates = ["30", "30000/1001", "12.5"]

  /// Two loops, an index, and twenty frames of them: both ends, the seam, and others.
  private struct Film {
    let scratch = ScratchFolder()
    let path: String
    let index: FrameIndex
    let places: [Int]

    init(rate: String) throws {
      path = scratch.file("a.y4m")
      let run = try Command.run(
        "--size", "64x36", "--move", "sway", "--length", "2", "--fps", rate, "--loops", "2",
        "-o", path, "--index", scratch.file("a.json"))
      #expect(run.ending == .exit(0), "\(run.error)")
      index = try FrameIndex(at: .file(scratch.file("a.json")))
      let period = index.period
      places =
        [0, 1, period - 1, period, 2 * period - 1]
        + (0..<15).map { _ in Int.random(in: 0..<2 * period) }
    }

    /// When frame k is shown, to the microsecond.
    func time(_ k: Int) -> String {
      let seconds = Double(k) * Double(index.stream.fps.den) / Double(index.stream.fps.num)
      return String(format: "%.6f", seconds)
    }
  }

  /// The MD5 that the index has for the frames, and that a program's output has.
  private func check(
    _ film: Film, _ arguments: (_ time: String, _ output: String) -> [String]
  ) throws {
    for k in film.places {
      let output = film.scratch.file("frame")
      let run = try Child(program: "/usr/bin/env", arguments(film.time(k), output)).result()
      #expect(run.ending == .exit(0), "frame \(k): \(run.error)")
      let digest = try Child(program: "/usr/bin/env", ["md5sum", output]).result()
      let expected = film.index.frames[film.index.place(ofFrame: UInt64(k))].md5
      #expect(digest.text.hasPrefix("\(expected) "), "frame \(k) at \(film.time(k))")
      try? FileManager.default.removeItem(atPath: output)
    }
  }

  @Test(.enabled(if: hasProgram("ffmpeg")), arguments: rates)
  func ffmpegFindsThem(_ rate: String) throws {
    let film = try Film(rate: rate)
    try check(film) { time, output in
      [
        "ffmpeg", "-nostdin", "-v", "error", "-ss", time, "-i", film.path, "-frames:v", "1", "-f",
        "rawvideo", output,
      ]
    }
  }

  @Test(.enabled(if: hasProgram("mpv")), arguments: rates)
  func mpvFindsThem(_ rate: String) throws {
    let film = try Film(rate: rate)
    try check(film) { time, output in
      [
        "mpv", "--no-config", "--really-quiet", "--hr-seek=yes", "--start=\(time)", "--frames=1",
        "--of=rawvideo", "--ovc=rawvideo", "--o=\(output)", film.path,
      ]
    }
  }
}
