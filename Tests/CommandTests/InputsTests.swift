import Foundation
import MotionCore
import TestSupport
import Testing

@testable import motion_stream

/// Photos, depths and mattes of every kind, named, piped in or lying beside each other.
@Suite struct InputsTests {
  private let pictures: Pictures

  init() throws { pictures = try Pictures() }

  private func info(_ arguments: String...) throws -> [String: Any] {
    let run = try Child(arguments + ["--info"]).result()
    #expect(run.ending == .exit(0), "\(run.error)")
    return try #require(
      JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
  }

  private func part(_ info: [String: Any], _ name: String, _ key: String) -> String? {
    (info[name] as? [String: Any])?[key] as? String
  }

  private func refusal(_ arguments: String..., status: Int32 = 2) throws -> String {
    let run = try Child(arguments + ["-o", pictures.folder.file("out.y4m")]).result()
    #expect(run.ending == .exit(status), "\(arguments): \(run.error)")
    #expect(run.errorLines.count == 1, "\(run.error)")
    #expect(!pictures.folder.names.contains("out.y4m"))
    return run.error
  }

  // MARK: Kinds

  private static func grey(_ x: Int, _ y: Int) -> Int {
    Pictures.isSubject(x, y) ? 220 : 60 + (x + y) % 16
  }

  /// The same picture in every kind that keeps it exactly.
  static let kinds: [(name: String, bytes: [UInt8])] = [
    ("PNG", Pictures.grey(64, 48, grey)),
    (
      "TIFF",
      TestTIFF(width: 64, height: 48).encode { x, y, _ in grey(x, y) }
    ),
    ("BMP", testBMP(width: 64, height: 48) { x, y in [grey(x, y), grey(x, y), grey(x, y)] }),
    (
      "GIF",
      TestGIF(
        width: 64, height: 48, palette: (0..<128).map { Array(repeating: 2 * $0, count: 3) }
      ).encode { x, y in grey(x, y) / 2 }
    ),
    (
      "PNM",
      Array("P5\n64 48\n255\n".utf8)
        + (0..<48).flatMap { y in (0..<64).map { x in UInt8(grey(x, y)) } }
    ),
    (
      "NPY",
      TestNPY.encode(
        "|u1", [48, 64], bits: (0..<48).flatMap { y in (0..<64).map { x in grey(x, y) } })
    ),
  ]

  /// By name, whose ending says something else, and from standard input.
  @Test(arguments: kinds.indices) func everyKindIsAPhoto(index: Int) throws {
    let (name, bytes) = Self.kinds[index]
    let path = try pictures.write("photo.\(index).jpg", bytes)
    let options = "--matte '\(pictures.matte)' --frames 2 --move sway"
    let named = try Command.shell("\"$0\" '\(path)' \(options)")
    #expect(named.ending == .exit(0), "\(name): \(named.error)")
    let piped = try Command.shell("cat '\(path)' | \"$0\" - \(options)")
    #expect(piped.output == named.output && !named.output.isEmpty)
    if name != "GIF" {  // which has seven bits here
      let png = try pictures.write("reference", Self.kinds[0].bytes)
      #expect(try Command.shell("\"$0\" '\(png)' \(options)").output == named.output)
    }
  }

  @Test(arguments: kinds.indices) func everyKindIsADepthAndAMatte(index: Int) throws {
    let path = try pictures.write("map", Self.kinds[index].bytes)
    for role in ["--depth", "--matte"] {
      let run = try Command.run(pictures.photo, role, path, "--frames", "1")
      #expect(run.ending == .exit(0), "\(Self.kinds[index].name): \(run.error)")
    }
  }

  @Test func webP() throws {
    let path = try pictures.write("photo.webp", TestWebP.lossyAlpha)
    let info = try info(path)
    #expect(part(info, "matte", "source") == "alpha")
    let run = try Command.shell("\"$0\" - --frames 1 < '\(path)'")
    #expect(run.ending == .exit(0) && !run.output.isEmpty)
  }

  @Test func floatDepths() throws {
    let patterns = (0..<48).flatMap { y in
      (0..<64).map { x in Int(Float(Pictures.isSubject(x, y) ? 1 : 3).bitPattern) }
    }
    var tiff = TestTIFF(width: 64, height: 48, bits: 32)
    tiff.sampleFormat = 3
    let files = [
      try pictures.write("d.tif", tiff.encode { x, y, _ in patterns[64 * y + x] }),
      try pictures.write("d.npy", TestNPY.encode("<f4", [48, 64], bits: patterns)),
      try pictures.write("d.pfm", Pictures.pfm { x, y in Pictures.isSubject(x, y) ? 1 : 3 }),
    ]
    for file in files {
      let info = try info(pictures.photo, "--depth", file, "--depth-kind", "metric")
      let depth = try #require(info["depth"] as? [String: Any])
      #expect(abs((depth["min"] as? Double ?? 0) - 1.0 / 3) < 0.01, "\(file)")
      #expect(depth["path"] as? String == file)
    }
  }

  // MARK: Sidecars

  @Test func whatLiesBesideThePhotoIsUsed() throws {
    try pictures.write("photo_mask.png", try #require(contents(pictures.matte)))
    try pictures.write("photo-depth.npy", Self.kinds[5].bytes)
    let found = try info(pictures.photo)
    for (name, file) in [("matte", "photo_mask.png"), ("depth", "photo-depth.npy")] {
      #expect(part(found, name, "source") == "sidecar")
      #expect(part(found, name, "path") == pictures.folder.file(file))
    }
    let run = try Command.run(pictures.photo, "--frames", "1", "-v")
    #expect(run.error.contains("photo_mask.png") && run.error.contains("photo-depth.npy"))
    // A file that is named goes before.
    let named = try info(pictures.photo, "--depth", pictures.depth)
    #expect(part(named, "depth", "source") == "file")
    #expect(part(named, "depth", "path") == pictures.depth)
    #expect(part(named, "matte", "source") == "sidecar")
    // The options of a depth picture are a sidecar's too.
    #expect(part(try info(pictures.photo, "--near", "black"), "depth", "near") == "black")
  }

  @Test func alphaGoesBeforeASidecar() throws {
    let photo = try pictures.write(
      "cut.png",
      TestPNG(width: 64, height: 48).encode { x, y in
        [x, y, 0, Pictures.isSubject(x, y) ? 255 : 0]
      })
    try pictures.write("cut_matte.png", try #require(contents(pictures.matte)))
    #expect(part(try info(photo), "matte", "source") == "alpha")
  }

  @Test func aBrokenSidecarIsNamed() throws {
    let whole = try #require(contents(pictures.depth))
    try pictures.write("photo_depth.png", Array(whole.prefix(whole.count / 2)))
    let line = try refusal(pictures.photo, status: 1)
    #expect(line.contains("photo_depth.png, found beside the photo: "))
    #expect(line.contains("--depth FILE"))
    #expect(part(try info(pictures.photo, "--depth", pictures.depth), "depth", "source") == "file")
  }

  @Test func aSidecarIsNeverReplaced() throws {
    let path = try pictures.write("photo_depth.png", try #require(contents(pictures.depth)))
    let kept = contents(path)
    let run = try Command.run(pictures.photo, "-y", "-o", path)
    #expect(run.ending == .exit(2) && run.errorLines.count == 1)
    #expect(contents(path) == kept)
  }

  // MARK: What a map means

  @Test func theMatteSaysWhichEndIsNear() throws {
    let dark = try pictures.write(
      "dark.png", Pictures.grey { x, y in Pictures.isSubject(x, y) ? 20 : 200 })
    let both = try info(pictures.photo, "--depth", dark, "--matte", pictures.matte)
    #expect(part(both, "depth", "near") == "black")
    #expect(part(try info(pictures.photo, "--depth", dark), "depth", "near") == "white")
    let quiet = try Command.run(
      pictures.photo, "--depth", dark, "--matte", pictures.matte, "--frames", "1")
    #expect(quiet.error.isEmpty)
    let told = try Command.run(
      pictures.photo, "--depth", dark, "--matte", pictures.matte, "--near", "white", "--frames",
      "1")
    #expect(told.ending == .exit(0) && told.error.contains("behind its background"))
  }

  @Test func aMatteMayBeInverted() throws {
    let inverted = try pictures.write(
      "inverted.png", Pictures.grey { x, y in Pictures.isSubject(x, y) ? 0 : 255 })
    let plain = try Command.run(pictures.photo, "--matte", pictures.matte, "--frames", "2")
    let turned = try Command.run(
      pictures.photo, "--matte", inverted, "--matte-invert", "--frames", "2")
    #expect(turned.ending == .exit(0) && turned.output == plain.output)
  }

  @Test func optionsThatWouldDoNothing() throws {
    let (photo, matte, depth) = (pictures.photo, pictures.matte, pictures.depth)
    for option in [["--near", "black"], ["--depth-kind", "metric"], ["--depth-range", "3"]] {
      let line = try refusal(photo, "--matte", matte, option[0], option[1])
      #expect(line.contains(option[0]) && line.contains("--depth FILE"))
    }
    for option in [["--near", "black"], ["--depth-range", "3"]] {
      let line = try refusal(
        photo, "--depth", depth, "--depth-kind", "metric", option[0], option[1])
      #expect(line.contains(option[0]) && line.contains("relative"))
    }
    #expect(try refusal(photo, "--depth", depth, "--matte-invert").contains("--matte FILE"))
  }

  // MARK: Limits

  @Test func morePixelsThanAllowed() throws {
    let (photo, matte, depth) = (pictures.photo, pictures.matte, pictures.depth)
    let small = try pictures.write("small.png", Pictures.grey(8, 6) { x, _ in x < 4 ? 0 : 255 })
    for arguments in [
      [photo, "--matte", small], [small, "--matte", matte], [small, "--depth", depth],
    ] {
      let run = try Child(arguments + ["--max-pixels", "3071"]).result()
      #expect(run.ending == .exit(1) && run.errorLines.count == 1)
      #expect(run.error.contains("64x48") && run.error.contains("--max-pixels"))
    }
    #expect(try Command.run(photo, "--matte", matte, "--max-pixels", "3072").ending == .exit(0))
  }

  @Test func aColouredDepthSaysWhatToDo() throws {
    let path = try pictures.write("plasma.png", Pictures.png { x, y in [x * 4, y * 5, 0] })
    let line = try refusal(pictures.photo, "--depth", path, status: 1)
    #expect(line.contains("export it as a grey picture"))
  }

  @Test func namesThatAreNoUTF8() throws {
    let run = try Command.shell(
      """
      cd '\(pictures.folder.path)' && cp photo.png $'ph\\xe4.png' && cp depth.png $'d\\xff.png' &&
      cp matte.png $'ph\\xe4_matte.png' && "$0" $'ph\\xe4.png' --depth $'d\\xff.png' --frames 1 -v
      """)
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(run.error.contains("sidecar") && !run.output.isEmpty)
    let missing = try Command.shell(#""$0" $'no\xff.png' --matte m.png"#)
    #expect(missing.ending == .exit(1) && missing.errorLines.count == 1)
  }

  /// One thing is made at a time, and an option is never taken for a value.
  @Test func whatIsMadeIsOneThing() throws {
    let folder = pictures.folder.file("layers")
    for arguments in [
      ["--info", "--dump-layers", folder], ["--dump-layers", folder, "-o", folder + ".y4m"],
      ["--contact-sheet", folder + ".png", "--dump-layers", folder],
    ] {
      let run = try Child([pictures.photo, "--matte", pictures.matte] + arguments).result()
      #expect(run.ending == .exit(2) && run.output.isEmpty && run.errorLines.count == 1)
      #expect(run.error.contains("exclude each other"))
    }
    #expect(!pictures.folder.names.contains { $0.hasPrefix("layers") })
    let forgotten = try Command.run(pictures.photo, "--depth", "--size", "64x48")
    #expect(forgotten.ending == .exit(2) && forgotten.error.contains("--depth wants a value"))
  }
}
