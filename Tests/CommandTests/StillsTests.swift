import Foundation
import MotionCore
import PhotoInput
import Testing

/// Single frames, fixed cameras and layers alone, on the real binary.
@Suite struct StillsTests {
  private let scratch = ScratchFolder()
  private static let size = ["--size", "96x54", "--fps", "12"]
  /// A loop of 12 frames.
  private static let loop = size + ["--length", "1"]

  private func bytes(_ arguments: [String], of common: [String] = loop) throws -> [UInt8] {
    let result = try Child(common + arguments).result()
    #expect(result.ending == .exit(0), "\(result.error)")
    #expect(result.error == "")
    return result.output
  }

  private func pixels(_ path: String) throws -> [UInt8] {
    guard case .eight(let plane) = try PhotoReader.photo(at: .file(path)).samples else {
      Issue.record("not 8 bits")
      return []
    }
    return plane.samples.flatMap { [$0.x, $0.y, $0.z, $0.w] }
  }

  @Test(arguments: ["0", "5", "11", "18446744073709551615"])
  func aStillIsThatFrame(_ k: String) throws {
    let raw = ["--format", "raw", "--pix-fmt", "rgba", "--move", "sway"]
    let path = scratch.file("a.png")
    #expect(try bytes(["--move", "sway", "--still", k, "-o", path]).isEmpty)
    let frame = try bytes(raw + ["--start", k, "--frames", "1"])
    #expect(try pixels(path) == frame)
    #expect(try bytes(raw + ["--still", k]) == frame)
    #expect(try bytes(raw + ["--still", "\(UInt64(k)! % 12)"]) == frame)
  }

  @Test func aJPEGLooksLikeThePNG() throws {
    let (png, jpeg) = (scratch.file("a.png"), scratch.file("a.JPG"))
    for path in [png, jpeg] { _ = try bytes(["--still", "4", "-o", path]) }
    let errors = zip(try pixels(png), try pixels(jpeg)).map { abs(Int($0) - Int($1)) }
    #expect(errors.count == 96 * 54 * 4)
    #expect(Double(errors.reduce(0, +)) / Double(errors.count) < 1.5)
    // A pipe gets it too, the same bytes again.
    let piped = try bytes(["--still", "4", "--format", "jpeg"])
    #expect(piped == (try #require(contents(jpeg))))
  }

  @Test func aPictureHoldsOneFrame() throws {
    for arguments in [[], ["--frames", "2"], ["--endless"]] {
      let path = scratch.file("b.png")
      let result = try Child(Self.size + arguments + ["-o", path]).result()
      #expect(result.ending == .exit(2) && result.errorLines.count == 1)
      #expect(result.error.contains("--still"))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  /// The poses at the moves' far ends are the frames there.
  @Test func aPoseIsTheLoopsFrame() throws {
    let (sway, right) = (["--move", "sway"], ["--move", "sway", "--pose", "0.02,0,0,1"])
    #expect(try bytes(right, of: Self.size) == bytes(sway + ["--still", "3"]))
    #expect(
      try bytes(["--move", "vertigo", "--pose", "0,0,-0.3,1.3"], of: Self.size)
        == bytes(["--move", "vertigo", "--still", "6"]))
    #expect(
      try bytes(right + ["--no-pin"], of: Self.size) != bytes(right, of: Self.size))
  }

  @Test func aPoseBeyondThePhotoIsDrawnAndSaid() throws {
    let result = try Child(Self.size + ["--pose", "1,0,0,1"]).result()
    #expect(result.ending == .exit(0))
    #expect(result.errorLines.count == 1 && result.error.contains("edge"))
  }

  /// The subject over the background, as an editor lays them, is about the film: encoded colours are
  /// blended there and light here, so soft places differ.
  @Test(arguments: ["straight", "premultiplied"])
  func layersGoTogetherAgain(_ alpha: String) throws {
    let raw = ["--format", "raw", "--still", "6"]
    let all = try bytes(raw + ["--pix-fmt", "rgb24"])
    let under = try bytes(raw + ["--pix-fmt", "rgb24", "--layer", "background"])
    let over = try bytes(raw + ["--layer", "subject", "--alpha", alpha])
    try #require(over.count == 96 * 54 * 4 && under.count == all.count)
    var (sum, whole, open) = (0.0, 0, 0)
    for index in 0..<96 * 54 {
      let a = Double(over[index * 4 + 3]) / 255
      if a == 1 { whole += 1 } else if a == 0 { open += 1 }
      for channel in 0..<3 {
        let (colour, behind) = (
          Double(over[index * 4 + channel]), Double(under[index * 3 + channel])
        )
        let laid = colour * (alpha == "straight" ? a : 1) + behind * (1 - a)
        let error = abs(laid - Double(all[index * 3 + channel]))
        sum += error
        // An alpha that rounds to none or all may still be worth some codes of dark or light.
        if a == 1 || a == 0 { #expect(error <= 8) }
      }
    }
    #expect(whole > 200 && open > 2000)
    #expect(sum / Double(96 * 54 * 3) < 1.5)
  }

  @Test func alphaHasToBePossible() throws {
    for (arguments, word) in [
      (["--layer", "subject"], "--format raw"),
      (["--layer", "subject", "--format", "raw", "--pix-fmt", "rgb24"], "rgba"),
      (
        ["--layer", "subject", "--alpha", "premultiplied", "--still", "0", "--format", "png"],
        "straight"
      ),
    ] {
      let result = try Child(Self.size + arguments).result()
      #expect(result.ending == .exit(2) && result.errorLines.count == 1)
      #expect(result.error.contains(word), "\(result.error)")
    }
  }

  /// What is not the film's pixels needs no alpha of them, and what nobody could write is said early.
  @Test func whatIsMadeDecidesAboutPixels() throws {
    let sheet = scratch.file("sheet.png")
    _ = try bytes(["--layer", "subject", "--contact-sheet", sheet])
    _ = try bytes(["--layer", "subject", "--check-loop", "-q"])
    for arguments in [
      ["--contact-sheet", scratch.file("sheet.jpg")],
      ["--size", "16384x16384", "--still", "0", "-o", scratch.file("large.jpg")],
    ] {
      let result = try Child(arguments).result()
      #expect(result.ending == .exit(2) && result.errorLines.count == 1, "\(result.error)")
      #expect(result.error.contains("png"))
    }
    #expect(scratch.names == ["sheet.png"])
  }

  @Test func aHoldIsPartOfTheLoop() throws {
    let raw = ["--format", "raw", "--pix-fmt", "rgb24", "--move", "sway", "--hold", "0.5"]
    let film = try bytes(raw + ["--loops", "2"])
    let frame = 96 * 54 * 3
    try #require(film.count == 2 * 18 * frame)
    let frames = (0..<36).map { Array(film[$0 * frame..<($0 + 1) * frame]) }
    for n in 0..<18 { #expect(frames[n] == frames[n + 18]) }
    for n in 12..<18 { #expect(frames[n] == frames[0]) }
    #expect(frames[3] != frames[0])
    #expect(try bytes(raw + ["--still", "21"]) == frames[3])
  }
}
