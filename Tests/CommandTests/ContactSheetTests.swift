import Foundation
import MotionCore
import PhotoInput
import Testing

/// `--contact-sheet` on the real binary.
@Suite struct ContactSheetTests {
  @Test func twelveFramesInFourColumns() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("sheet.png")
    let run = try Command.run("--size", "96x54", "--move", "sway", "--contact-sheet", path)
    #expect(run.ending == .exit(0) && run.output.isEmpty && run.error.isEmpty, "\(run.error)")
    let sheet = try PhotoReader.photo(at: .file(path))
    #expect(sheet.size == Size(width: 4 * 104 + 8, height: 3 * 62 + 8) && !sheet.hasAlpha)
    // The first is frame 0 of the loop.
    let frame = try Command.run(
      "--size", "96x54", "--move", "sway", "--format", "raw", "--frames", "1"
    ).output
    guard case .eight(let pixels) = sheet.samples else {
      Issue.record("not 8 bits")
      return
    }
    for (x, y) in [(0, 0), (40, 30), (95, 53)] {
      let (pixel, at) = (pixels[8 + x, 8 + y], (y * 96 + x) * 3)
      #expect([pixel.x, pixel.y, pixel.z] == Array(frame[at..<at + 3]))
    }
  }

  @Test func aFileIsReplacedOnlyWhenAsked() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("sheet.png")
    try Data([1]).write(to: URL(fileURLWithPath: path))
    let arguments = ["--size", "32x18", "--contact-sheet", path]
    let run = try Child(arguments).result()
    #expect(run.ending == .exit(1) && run.errorLines.count == 1 && run.error.contains(path))
    #expect(contents(path) == [1])
    #expect(try Child(arguments + ["-y"]).result().ending == .exit(0))
    #expect(contents(path)?.count ?? 0 > 100)
  }

  /// A sheet is R'G'B', whatever stream was asked for; it may go into a pipe.
  @Test func aSheetMayGoToAPipe() throws {
    let run = try Command.run(
      "--size", "32x18", "--pix-fmt", "yuv420p", "--endless", "--contact-sheet", "-")
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(run.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }
}
