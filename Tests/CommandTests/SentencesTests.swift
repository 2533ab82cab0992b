import Foundation
import TestSupport
import Testing

/// What cannot be read or used: one line that names the file, status 1, and nothing left behind.
@Suite struct SentencesTests {
  /// - Parameter name: what the line must name.
  private func complaint(
    _ pictures: Pictures, _ arguments: [String], names name: String, status: Int32 = 1
  ) throws -> String {
    let before = pictures.folder.names
    let run = try Child(arguments + ["-o", pictures.folder.file("out.y4m")]).result()
    #expect(run.ending == .exit(status), "\(arguments): \(run.error)")
    #expect(run.output.isEmpty)
    #expect(run.errorLines.count == 1, "\(run.error)")
    #expect(run.error.contains(name), "\(run.error)")
    #expect(pictures.folder.names == before)
    return run.error
  }

  /// A PNG whose header names a size that its data does not have.
  private static func png(_ width: Int, _ height: Int) -> [UInt8] {
    TestPNG(width: width, height: height, color: .grey).encodeHeaderOnly()
  }

  @Test(arguments: ["photo", "depth", "matte"])
  func filesThatAreNoPictures(_ role: String) throws {
    let pictures = try Pictures()
    let whole = Pictures.grey { x, _ in x }
    let broken: [(name: String, bytes: [UInt8])] = [
      ("empty.png", []), ("text.png", Array("not a picture at all".utf8)),
      ("short.png", Array(whole.prefix(whole.count / 2))), ("head.png", Array(whole.prefix(20))),
      ("zero.png", Self.png(0, 0)), ("huge.png", Self.png(60_000, 60_000)),
      ("short.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]),
    ]
    for (name, bytes) in broken {
      let path = try pictures.write(name, bytes)
      let arguments =
        role == "photo"
        ? [path, "--matte", pictures.matte] : [pictures.photo, "--\(role)", path]
      _ = try complaint(pictures, arguments, names: name)
    }
    for path in [pictures.folder.path, pictures.folder.file("missing.png")] {
      let arguments =
        role == "photo"
        ? [path, "--matte", pictures.matte] : [pictures.photo, "--\(role)", path]
      _ = try complaint(pictures, arguments, names: path)
    }
  }

  @Test func mapsThatSayNothing() throws {
    let pictures = try Pictures()
    let nan = try pictures.write("nan.pfm", Pictures.pfm(.nan))
    let flat = try pictures.write("flat.pfm", Pictures.pfm(1))
    let black = try pictures.write("black.png", Pictures.grey { _, _ in 0 })
    let white = try pictures.write("white.png", Pictures.grey { _, _ in 255 })
    let photo = pictures.photo
    _ = try complaint(pictures, [photo, "--depth", nan], names: "nan.pfm")
    _ = try complaint(pictures, [photo, "--depth", nan, "--depth-kind", "metric"], names: "nan")
    _ = try complaint(pictures, [photo, "--depth", flat], names: "flat.pfm")
    _ = try complaint(pictures, [photo, "--matte", black], names: "black.png")
    _ = try complaint(pictures, [photo, "--matte", white], names: "white.png")
    let coloured = try pictures.write("coloured.png", Pictures.png { x, y in [x * 4, y * 5, 0] })
    _ = try complaint(pictures, [photo, "--depth", coloured], names: "coloured.png")
  }

  @Test func anotherShapeThanThePhotos() throws {
    let pictures = try Pictures()
    let wide = try pictures.write("wide.png", Pictures.grey(64, 32) { x, _ in x * 4 })
    for role in ["--depth", "--matte"] {
      let line = try complaint(pictures, [pictures.photo, role, wide], names: "wide.png")
      #expect(line.contains("64x32") && line.contains("64x48"))
    }
  }

  @Test func aPhotoAloneSaysWhatToGive() throws {
    let pictures = try Pictures()
    let line = try complaint(pictures, [pictures.photo], names: "--depth", status: 2)
    #expect(line.contains("--matte"))
  }

  @Test func aPhotoMayComeFromStandardInput() throws {
    let pictures = try Pictures()
    let size = "--size 64x48 --frames 2"
    let piped = try Command.shell(
      "\"$0\" - --matte '\(pictures.matte)' \(size) < '\(pictures.photo)'")
    let named = try Command.shell("\"$0\" '\(pictures.photo)' --matte '\(pictures.matte)' \(size)")
    #expect(piped.ending == .exit(0), "\(piped.error)")
    #expect(piped.output == named.output)
  }
}
