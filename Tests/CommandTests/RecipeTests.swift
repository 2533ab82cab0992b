import Foundation
import StreamOut
import Testing

@testable import motion_stream

/// What the recipe of `--info` and of an index stands for.
@Suite struct RecipeTests {
  private func recipe(_ arguments: [String]) throws -> String {
    let run = try Child(arguments + ["--info"]).result()
    #expect(run.ending == .exit(0), "\(arguments): \(run.error)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    return try #require(object?["recipe"] as? String)
  }

  /// Whoever adds an option says here whether it shows.
  @Test func everyOptionShowsOrDoesNot() {
    let known = Recipe.options + Recipe.withoutEffect.sorted()
    #expect(Set(known).count == known.count)
    let names = Set(Option.all.map { $0.names[0] })
    #expect(names.isSubset(of: known), "\(names.subtracting(known))")
    #expect(Set(known.filter { $0.hasPrefix("--") }).isSubset(of: names))
  }

  /// Values that make another film of the pictures, for every option that shows.
  private static let changes: [(option: String, arguments: [String])] = [
    ("--matte-invert", ["--matte-invert"]), ("--depth-kind", ["--depth-kind", "metric"]),
    ("--near", ["--near", "black"]), ("--depth-range", ["--depth-range", "3"]),
    ("--focal", ["--focal", "50"]), ("--subject", ["--subject", "0.4,0.4"]),
    ("--move", ["--move", "sway"]), ("--amount", ["--amount", "0.5"]),
    ("--ease", ["--ease", "linear"]), ("--method", ["--method", "one-sheet"]),
    ("--length", ["--length", "2"]), ("--hold", ["--hold", "1"]), ("--fps", ["--fps", "25"]),
    ("--pose", ["--pose", "0,0,0.1,1"]), ("--size", ["--size", "32x24"]),
    ("--layer", ["--layer", "background"]), ("--format", ["--format", "raw"]),
    ("--pix-fmt", ["--pix-fmt", "yuv444p"]), ("--matrix", ["--matrix", "bt709"]),
    ("--range", ["--range", "full"]), ("--chroma-siting", ["--chroma-siting", "jpeg"]),
    ("--renderer", ["--renderer", "reference"]),
  ]

  private static let encodings = [
    ["--encoder", "h264_nvenc"], ["--preset", "fast"], ["--tune", "film"], ["--crf", "12"],
    ["--bitrate", "1M"], ["--encoder-threads", "2"],
  ]

  @Test func whatShowsChangesIt() throws {
    let pictures = try Pictures()
    let inputs = [pictures.photo, "--depth", pictures.depth, "--matte", pictures.matte]
    var seen = ["": try recipe(inputs)]
    for (option, arguments) in Self.changes {
      let recipe = try recipe(inputs + arguments)
      #expect(!seen.values.contains(recipe), "\(option)")
      seen[option] = recipe
    }
    let subject = inputs + ["--layer", "subject", "--format", "raw"]
    #expect(
      try recipe(subject + ["--alpha", "premultiplied"])
        != recipe(subject + ["--alpha", "straight"]))
    if Container.named("mp4") != nil {
      let film = inputs + ["-o", pictures.folder.file("a.mkv")]
      var seen = [try recipe(inputs), try recipe(film), try recipe(inputs + ["--format", "flv"])]
      for arguments in Self.encodings {
        seen.append(try recipe(film + arguments))
        #expect(Set(seen).count == seen.count, "\(arguments)")
      }
      #expect(try recipe(film + ["--crf", "18", "--encoder", "libx264"]) == seen[1])
    }
    let pose = inputs + ["--pose", "0,0,0.1,1"]
    #expect(try recipe(pose + ["--no-pin"]) != recipe(pose))
    let large = ["--size", "800x600"]
    #expect(try recipe(["--preview"]) != recipe([]))
    #expect(try recipe(["--preview"] + large) == recipe(large))
    // What is not here is told by files, below, and in the tests of photos with
    // their depth inside, and of what is estimated.
    let tested =
      Self.changes.map { $0.option } + Self.encodings.map { $0[0] }
      + ["--alpha", "--no-pin", "--preview", "PHOTO", "--depth", "--matte"]
    let estimated = [
      "--estimate", "--lift-model", "--depth-model", "--matte-command", "--depth-command", "--cut",
    ]
    #expect(
      Set(Recipe.options).subtracting(tested + estimated) == ["--photo-variant", "colour", "maps"])
  }

  @Test func whatDoesNotShowLeavesIt() throws {
    let pictures = try Pictures()
    let inputs = [pictures.photo, "--depth", pictures.depth, "--matte", pictures.matte]
    let expected = try recipe(inputs)
    let others: [[String]] = [
      ["--max-pixels", "1M"], ["--loops", "3"], ["--frames", "5"], ["--endless"], ["--start", "7"],
      ["--still", "4"], ["-o", pictures.folder.file("a")], ["-y"],
      ["--realtime"], ["--progress", "none"], ["--threads", "1"], ["--cache", "0"], ["-q"], ["-v"],
      // What is the default is no other setting.
      ["--move", "push"], ["--near", "white"], ["--depth-kind", "relative"], ["--size", "64x48"],
      ["--pix-fmt", "yuv420p"], ["--matrix", "bt601"],
    ]
    for arguments in others { #expect(try recipe(inputs + arguments) == expected, "\(arguments)") }
  }

  /// Names and places of files do not matter, and what they hold does.
  @Test func filesAreKnownByTheirContent() throws {
    let pictures = try Pictures()
    func copy(_ from: String, _ name: String) throws -> String {
      try pictures.write(name, try #require(contents(from)))
    }
    let named = try recipe([pictures.photo, "--depth", pictures.depth, "--matte", pictures.matte])
    let renamed = try recipe([
      try copy(pictures.photo, "x.jpg"), "--depth", try copy(pictures.depth, "y"), "--matte",
      try copy(pictures.matte, "z.gif"),
    ])
    #expect(named == renamed)
    // Beside the photo, by their names.
    let beside = try copy(pictures.photo, "b.png")
    _ = try copy(pictures.depth, "b_depth.png")
    _ = try copy(pictures.matte, "b_matte.png")
    #expect(try recipe([beside]) == named)
    for role in ["photo", "depth", "matte"] {
      let files = ["photo": pictures.photo, "depth": pictures.depth, "matte": pictures.matte]
      let words = ["photo", "depth", "matte"].map { name in
        (name == "photo" ? "" : "--\(name) ") + (name == role ? "-" : "'\(files[name]!)'")
      }
      let run = try Command.shell(
        #""$0" \#(words.joined(separator: " ")) --info < '\#(files[role]!)'"#)
      #expect(run.text.contains(named), "\(role): \(run.error)")
    }
    // One sample of each.
    for (role, name) in [("photo", "photo.png"), ("depth", "depth.png"), ("matte", "matte.png")] {
      let other: [UInt8] =
        role == "photo"
        ? Pictures.png { x, y in
          x == 0 && y == 0
            ? [1, 0, 90] : Pictures.isSubject(x, y) ? [200, 80, 40] : [x * 3, y * 4, 90]
        }
        : Pictures.grey { x, y in
          let (near, far) = role == "depth" ? (220, 60) : (255, 0)
          return x == 0 && y == 0 ? far + 1 : Pictures.isSubject(x, y) ? near : far
        }
      let kept = try #require(contents(pictures.folder.file(name)))
      try pictures.write(name, other)
      #expect(
        try recipe([pictures.photo, "--depth", pictures.depth, "--matte", pictures.matte]) != named,
        "\(role)")
      try pictures.write(name, kept)
    }
    // And without any of them.
    #expect(try recipe([pictures.photo, "--depth", pictures.depth]) != named)
  }

  @Test func anIndexHasTheRecipeOfItsCommand() throws {
    let pictures = try Pictures()
    let arguments = [pictures.photo, "--matte", pictures.matte, "--move", "sway"]
    let path = pictures.folder.file("a.json")
    let run = try Child(arguments + ["--index-only", path]).result()
    #expect(run.ending == .exit(0), "\(run.error)")
    let text = String(decoding: contents(path) ?? [], as: UTF8.self)
    #expect(text.contains("\"recipe\": \"\(try recipe(arguments))\""))
  }
}
