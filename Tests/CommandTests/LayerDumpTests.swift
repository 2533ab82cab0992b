import Foundation
import MotionCore
import PhotoInput
import Testing

@testable import motion_stream

/// `--dump-layers` on the real binary.
@Suite struct LayerDumpTests {
  private func probe(_ path: String) throws -> String {
    try Child(
      program: "/usr/bin/env",
      [
        "ffprobe", "-v", "error", "-show_entries", "stream=width,height,pix_fmt", "-of",
        "csv=p=0", path,
      ]
    ).result().text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func linear(_ code: UInt16) -> Double {
    let value = Double(code) / 65535
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private func encoded(_ linear: Double) -> Double {
    linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  private func pixels(_ path: String) throws -> [SIMD4<UInt16>] {
    guard case .sixteen(let plane) = try PhotoReader.photo(at: .file(path)).samples else {
      Issue.record("\(path) has not 16 bits")
      return []
    }
    return plane.samples
  }

  @Test func thePicturesAreWholeAndLaidTogetherAreThePhoto() throws {
    let pictures = try Pictures()
    let folder = pictures.folder.file("layers")
    let run = try Command.run(
      pictures.photo, "--matte", pictures.matte, "--depth", pictures.depth, "--dump-layers", folder)
    #expect(run.ending == .exit(0) && run.output.isEmpty && run.error.isEmpty, "\(run.error)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    // Nothing was estimated.
    #expect(Set(names).isSubset(of: LayerDump.names))
    #expect(names.count == 6)
    if hasProgram("ffprobe") {
      for name in names where name.hasSuffix(".png") {
        let format =
          ["subject.png": "rgba64be", "background.png": "rgb48be"][name] ?? "gray16be"
        #expect(try probe("\(folder)/\(name)") == "64,48,\(format)")
      }
    }

    let (subject, background) = (
      try pixels("\(folder)/subject.png"), try pixels("\(folder)/background.png")
    )
    guard case .eight(let photo) = try PhotoReader.photo(at: .file(pictures.photo)).samples else {
      Issue.record("the photo has not 8 bits")
      return
    }
    var covered = 0
    for (index, pixel) in photo.samples.enumerated() {
      let alpha = Double(subject[index].w) / 65535
      covered += subject[index].w > 0 ? 1 : 0
      for channel in 0..<3 {
        let both =
          linear(subject[index][channel]) * alpha
          + linear(background[index][channel]) * (1 - alpha)
        #expect(abs(encoded(both) * 255 - Double(pixel[channel])) < 1, "\(index)")
      }
    }
    #expect(covered > 450 && covered < 1500)

    let json = try #require(contents("\(folder)/scene.json"))
    let facts = try #require(
      try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    #expect(
      Set(facts.keys) == [
        "photo", "photoSize", "orientation", "matte", "depth", "grid", "target", "focal",
      ])
    #expect(facts["photo"] as? String == pictures.photo)
    let matte = try #require(facts["matte"] as? [String: Any])
    #expect(matte["source"] as? String == "file" && matte["file"] as? String == pictures.matte)
    let depth = try #require(facts["depth"] as? [String: Any])
    #expect(depth["kind"] as? String == "relative" && depth["near"] as? String == "white")
    // The wall's δ is a quarter of the subject's, and white is the nearest.
    let white = try #require(depth["white"] as? Double)
    let wall = Double(try pixels("\(folder)/disparity-photo.png")[0].x) / 65535 * white
    #expect(abs(wall - 0.25) < 0.01)
    let grid = try #require(facts["grid"] as? [String: Any])
    #expect(grid["size"] as? [Int] == [64, 48] && grid["density"] as? Double == 1)
  }

  @Test func filesAreReplacedOnlyWhenAsked() throws {
    let pictures = try Pictures()
    let folder = pictures.folder.file("layers")
    let arguments = [pictures.photo, "--matte", pictures.matte, "--dump-layers", folder]
    #expect(try Child(arguments).result().ending == .exit(0))
    let kept = try #require(contents("\(folder)/subject.png"))
    let again = try Child(arguments + ["--subject", "0.4,0.4"]).result()
    #expect(again.ending == .exit(1) && again.errorLines.count == 1)
    #expect(again.error.contains("\(folder)/coverage.png") && again.error.contains("-y"))
    #expect(contents("\(folder)/subject.png") == kept)
    #expect(try Child(arguments + ["-y"]).result().ending == .exit(0))
  }

  /// Stages that only the first dump had would be taken for the second's; what else lies there stays.
  @Test func stagesOfAnEarlierDumpGo() throws {
    let pictures = try Pictures()
    let folder = pictures.folder.file("layers")
    func dump(_ more: String...) throws -> Set<String> {
      let arguments = [pictures.photo, "--depth", pictures.depth, "--dump-layers", folder] + more
      let run = try Child(arguments).result()
      #expect(run.ending == .exit(0), "\(run.error)")
      return Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }
    let cut: Set = ["cut-heights.png", "coverage-given.png", "coverage-refined.png"]
    #expect(try dump().isSuperset(of: cut))
    for name in ["cut-heights.png", "coverage-given.png", "coverage-refined.png"] {
      let plane = try PhotoReader.depth(at: .file("\(folder)/\(name)"))
      #expect(plane[32, 24] > 0.9 && plane[2, 2] < 0.5, "\(name)")
    }
    for name in ["mine.png", "lift.png.txt"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/lift.png", withDestinationPath: "mine.png")
    let after = try dump("--matte", pictures.matte, "-y")
    #expect(after.isDisjoint(with: cut))
    #expect(after.isSuperset(of: ["mine.png", "lift.png.txt", "lift.png", "coverage.png"]))
    // Where there was no dump, files of such names are somebody's own.
    try FileManager.default.removeItem(atPath: "\(folder)/scene.json")
    try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/grabcut.png"))
    #expect(try dump("--matte", pictures.matte, "-y").contains("grabcut.png"))
  }

  @Test func theStillLifeHasLayersToo() throws {
    let scratch = ScratchFolder()
    let run = try Command.run("--size", "64x36", "--dump-layers", scratch.file("a"))
    #expect(run.ending == .exit(0), "\(run.error)")
    let json = try #require(contents(scratch.file("a/scene.json")))
    let facts = try #require(
      try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    #expect(facts["photo"] is NSNull)
  }

  @Test(arguments: ["/nonexistent/a", "/proc/a", "/dev/null"])
  func aPlaceThatTakesNoFolderIsOneLine(_ path: String) throws {
    let run = try Command.run("--size", "64x36", "--dump-layers", path)
    #expect(run.ending == .exit(1) && run.errorLines.count == 1)
    #expect(run.error.contains(path))
  }

  /// A limit on the size of files stands for a full disk (`ulimit -f` counts KiB).
  @Test(.withoutSanitizer) func aFullDiskIsOneLineAndLeavesNoHalfFile() throws {
    let scratch = ScratchFolder()
    let run = try Command.shell(
      #"trap '' XFSZ; ulimit -f 4; "$0" --size 320x180 --dump-layers "\#(scratch.file("a"))""#)
    #expect(run.ending == .exit(1) && run.errorLines.count == 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.file("a"))
    #expect(left.allSatisfy { LayerDump.names.contains($0) } && !left.contains("subject.png"))
  }

  @Test func whatIsReadIsNeverReplaced() throws {
    let pictures = try Pictures()
    let matte = try pictures.write(
      "coverage.png", Pictures.grey { x, y in Pictures.isSubject(x, y) ? 255 : 0 })
    let kept = try #require(contents(matte))
    let run = try Command.run(
      pictures.photo, "--matte", matte, "-y", "--dump-layers", pictures.folder.path)
    #expect(run.ending == .exit(2) && run.errorLines.count == 1)
    #expect(contents(matte) == kept)
  }
}
