import Foundation
import MotionCore
import Testing

/// Which frames come out, on the real binary.
@Suite struct FramesTests {
  /// A loop of 12 frames of 64 × 48.
  private static let frameBytes = 64 * 48 * 3 / 2

  private func frames(_ arguments: String...) throws -> [ArraySlice<UInt8>] {
    let child = try Child(["--size", "64x48", "--fps", "12", "--length", "1"] + arguments)
    let result = child.result()
    #expect(result.ending == .exit(0))
    #expect(result.error == "")
    let stream = try #require(Y4MStream(result.output, frameBytes: Self.frameBytes))
    #expect(stream.isWhole)
    return stream.frames
  }

  @Test(arguments: PixelFormat.all)
  func oddSizesHaveExactBytes(_ format: PixelFormat) throws {
    let container = format.y4mTag() == nil ? "raw" : "y4m"
    let run = try Command.run(
      "--size", "127x95", "--frames", "3", "--pix-fmt", format.name, "--format", container)
    #expect(run.ending == .exit(0))
    let bytes = format.byteCount(Size(width: 127, height: 95))
    if let tag = format.y4mTag() {
      let stream = try #require(Y4MStream(run.output, frameBytes: bytes))
      #expect(
        stream.header == "YUV4MPEG2 W127 H95 F30:1 Ip A1:1 C\(tag) "
          + "XCOLORRANGE=\(format.isGrey ? "FULL" : "LIMITED")")
      #expect(stream.isWhole && stream.frames.count == 3)
    } else {
      #expect(run.output.count == 3 * bytes)
    }
  }

  @Test func rawIsY4MWithoutItsMarks() throws {
    let arguments = ["--size", "64x48", "--frames", "3"]
    let raw = try Child(arguments + ["--format", "raw", "--pix-fmt", "yuv420p"]).result()
    let y4m = try Child(arguments).result()
    let stream = try #require(Y4MStream(y4m.output, frameBytes: Self.frameBytes))
    #expect(raw.output == stream.frames.flatMap { $0 })
  }

  @Test(arguments: ["push", "sway", "vertigo"])
  func everyLoopIsTheSame(_ move: String) throws {
    let frames = try frames("--move", move, "--loops", "2")
    try #require(frames.count == 24)
    for index in 0..<12 { #expect(frames[index] == frames[index + 12], "frame \(index)") }
    #expect(Set(frames).count > 4, "the camera does not move")
  }

  @Test func framesGoOnIntoTheNextLoop() throws {
    let frames = try frames("--frames", "15")
    try #require(frames.count == 15)
    #expect(Array(frames[12...]) == Array(frames[..<3]))
  }

  @Test func endlessGoesRound() throws {
    let child = try Child(["--size", "64x48", "--fps", "12", "--length", "1", "--endless"])
    while let byte = child.read(1).first, byte != UInt8(ascii: "\n") {}
    let loop = 12 * (6 + Self.frameBytes)
    let first = child.read(loop)
    #expect(first.count == loop)
    #expect(child.read(loop) == first)
    child.closeOutput()
    #expect(child.wait() == .exit(0))
  }

  @Test(arguments: [0, 1, 7, 11, 12, 45])
  func startIsThatFrame(_ start: Int) throws {
    let all = try frames("--frames", "46")
    let one = try frames("--start", "\(start)", "--frames", "1")
    try #require(all.count == 46 && one.count == 1)
    #expect(one[0] == all[start])
  }

  @Test func threadsDoNotShow() throws {
    #expect(try frames("--threads", "1") == frames("--threads", "2"))
  }

  @Test func onePlainRunIsOneLoop() throws {
    #expect(try frames().count == 12)
  }

  /// Pictures too small for the still life to cover any pixel by half.
  @Test(arguments: ["1x1", "2x1", "1x2", "3x5"], ["push", "vertigo"])
  func tinyFilms(size: String, move: String) throws {
    let run = try Command.run(
      "--size", size, "--move", move, "--amount", "3", "--frames", "2", "--format", "raw")
    let sides = size.split(separator: "x").compactMap { Int($0) }
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(run.output.count == 2 * 3 * sides[0] * sides[1])
  }
}
