import MotionCore
import StreamOut
import Testing

@testable import motion_stream

@Suite struct SettingsTests {
  @Test(arguments: [
    (Size(width: 3024, height: 4032), Size(width: 1440, height: 1920)),
    (Size(width: 4000, height: 3000), Size(width: 1920, height: 1440)),
    (Size(width: 512, height: 512), Size(width: 512, height: 512)),
    (Size(width: 127, height: 95), Size(width: 126, height: 94)),
    (Size(width: 1920, height: 1081), Size(width: 1920, height: 1080)),
    (Size(width: 3, height: 2), Size(width: 2, height: 2)),
    (Size(width: 1, height: 1), Size(width: 1, height: 1)),
    (Size(width: 4000, height: 3), Size(width: 1920, height: 2)),
    (Size(width: 4000, height: 1), Size(width: 1920, height: 1)),
  ])
  func defaultSizeIsEvenAndNoLargerThanThePhoto(_ photo: Size, _ expected: Size) {
    #expect(Settings.defaultSize(photo: photo, longSide: 1920) == expected)
  }

  @Test(arguments: [
    ([], "y4m"), (["-o", "a.y4m"], "y4m"), (["-o", "a.RGB"], "raw"), (["-o", "a.yuv"], "raw"),
    (["-o", "a"], "y4m"), (["-o", "a.yuv", "--format", "y4m"], "y4m"),
    (["--format", "raw"], "raw"),
  ])
  func containerIsAskedForOrTheNameSays(_ arguments: [String], _ expected: String) throws {
    #expect(try Settings(arguments: arguments).resolvedContainer().name == expected)
  }

  @Test func nameThatSaysAnotherContainerIsRefused() throws {
    for name in ["a.avi", "a.tar.gz", "b.y4m/a.webm"] {
      let settings = try Settings(arguments: ["-o", name])
      let error = #expect(throws: UsageError.self) { try settings.resolvedContainer() }
      let line = sentence(try #require(error))
      #expect(line.contains(name) && line.contains("--format"))
    }
    // A FIFO or a device is named as its reader likes.
    #expect(try Settings(arguments: ["-o", "/dev/../dev/null"]).resolvedContainer().name == "y4m")
  }

  /// What a photo of 3024×4032 becomes: size, pixel format, matrix.
  @Test(arguments: [
    ([], "1440x1920 yuv420p bt709"), (["--preview"], "540x720 yuv420p bt709"),
    (["--size", "720x576"], "720x576 yuv420p bt601"),
    (["--size", "720x577"], "720x577 yuv420p bt709"),
    (["--size", "1279x2"], "1279x2 yuv420p bt601"),
    (["--size", "1280x2"], "1280x2 yuv420p bt709"),
    (["--size", "1280x2", "--matrix", "bt601"], "1280x2 yuv420p bt601"),
    (["--matrix", "bt601", "--matrix", "auto"], "1440x1920 yuv420p bt709"),
    (["--format", "raw"], "1440x1920 rgb24 bt709"),
    (["-o", "a.raw"], "1440x1920 rgb24 bt709"), (["-o", "a.YUV"], "1440x1920 yuv420p bt709"),
    (["-o", "a.yuv", "--format", "y4m"], "1440x1920 yuv420p bt709"),
    (["--format", "raw", "--pix-fmt", "yuv444p"], "1440x1920 yuv444p bt709"),
  ])
  func formatFollowsFromPhotoAndOptions(_ arguments: [String], _ expected: String) throws {
    let format = try Settings(arguments: arguments).format(photo: Size(width: 3024, height: 4032))
    #expect("\(format.size) \(format.pixelFormat) \(format.matrix)" == expected)
  }

  @Test func y4mCarriesNoRGB() throws {
    let settings = try Settings(arguments: ["--pix-fmt", "rgb24"])
    let error = #expect(throws: UsageError.self) {
      try settings.format(photo: Settings.stillLifeSize)
    }
    let line = sentence(try #require(error))
    #expect(line.contains("yuv420p") && line.contains("--format raw"))
  }

  @Test(
    arguments: [
      ([], 120), (["--loops", "3"], 360), (["--frames", "7"], 7), (["--endless"], nil),
      (["--preview"], nil), (["--preview", "--loops", "1"], 120),
    ] as [([String], Int?)])
  func framesAreCounted(_ arguments: [String], _ expected: Int?) throws {
    let settings = try Settings(arguments: arguments + ["--start", "5"])
    #expect(try settings.frames(period: 120) == FrameRange(start: 5, count: expected))
  }

  @Test func loopsBeyondCountingAreRefused() throws {
    let settings = try Settings(arguments: ["--loops", "\(Int.max)"])
    #expect(throws: UsageError.self) { try settings.frames(period: 2) }
  }
}
