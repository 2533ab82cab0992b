import Foundation
import TestSupport
import Testing

@testable import PhotoInput
@testable import motion_stream

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
    #expect(run.error.hasPrefix("motion-stream: ") && run.error.contains(name), "\(run.error)")
    #expect(pictures.folder.names == before)
    return run.error
  }

  /// A PNG whose header names a size that its data does not have.
  private static func png(_ width: Int, _ height: Int) -> [UInt8] {
    TestPNG(width: width, height: height, color: .grey).encodeHeaderOnly()
  }

  /// A JPEG whose frame header names a size that its scan does not have.
  private static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
    var bytes = TestJPEG(width: 8, height: 8, sampling: TestJPEG.yuv420).encode { _, _, _ in 9 }
    let frame = bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) }!
    bytes.replaceSubrange(frame + 5..<frame + 9, with: bigEndian(height, 2) + bigEndian(width, 2))
    return bytes
  }

  /// A HEIC whose header names a size, with one sample of data.
  private static func heic(_ width: Int, _ height: Int) -> [UInt8] {
    TestHEIF([TestHEIF.Item("hvc1", [0], properties: [TestHEIF.size(width, height)])]).encode()
  }

  @Test func whatWouldReadAFile() {
    func line(_ problem: PhotoInputError.Problem) -> String {
      sentence(PhotoInputError(path: .file("IMG.HEIC"), problem: problem))
    }
    let library = PhotoInputError.Library(name: "libheif", version: "1.18", reason: "too much")
    let old = line(.needsLibrary(kind: "HEIC", library, found: "1.15.1"))
    for part in ["IMG.HEIC: ", "too much", "libheif 1.15.1", "libheif 1.18 or newer", "JPEG"] {
      #expect(old.contains(part))
    }
    let none = line(.leftOut(kind: "AVIF", trait: "HEIC"))
    for part in ["IMG.HEIC: ", "AVIF", "trait HEIC", "JPEG"] { #expect(none.contains(part)) }
  }

  @Test(arguments: ["photo", "depth", "matte"])
  func filesThatAreNoPictures(_ role: String) throws {
    let pictures = try Pictures()
    let whole = Pictures.grey { x, _ in x }
    let jpeg = TestJPEG(width: 64, height: 48, sampling: TestJPEG.yuv420).encode { _, x, y in
      UInt8(x + y)
    }
    let broken: [(name: String, bytes: [UInt8])] = [
      ("empty.png", []), ("text.png", Array("not a picture at all".utf8)),
      ("short.png", Array(whole.prefix(whole.count / 2))), ("head.png", Array(whole.prefix(20))),
      ("zero.png", Self.png(0, 0)), ("huge.png", Self.png(60_000, 60_000)),
      ("head.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]),
      ("short.jpg", Array(jpeg.prefix(jpeg.count / 2))), ("zero.jpg", Self.jpeg(0, 0)),
      ("huge.jpg", Self.jpeg(60_000, 60_000)),
      ("short.pfm", Array("Pf\n64 48\n-1.0\n".utf8)),
      ("huge.pfm", Array("Pf\n60000 60000\n-1.0\n".utf8)),
      ("short.heic", Array(Self.heic(64, 48).dropLast(1))),
      ("huge.heic", Self.heic(60_000, 60_000)),
      ("head.heic", Array(Self.heic(64, 48).prefix(30))),
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
    let nan = try pictures.write("nan.pfm", Pictures.pfm { _, _ in .nan })
    let flat = try pictures.write("flat.pfm", Pictures.pfm { _, _ in 1 })
    let black = try pictures.write("black.png", Pictures.grey { _, _ in 0 })
    let white = try pictures.write("white.png", Pictures.grey { _, _ in 255 })
    let photo = pictures.photo
    _ = try complaint(pictures, [photo, "--depth", nan], names: "nan.pfm")
    _ = try complaint(pictures, [photo, "--depth", nan, "--depth-kind", "metric"], names: "nan")
    _ = try complaint(pictures, [photo, "--depth", flat], names: "flat.pfm")
    _ = try complaint(pictures, [photo, "--matte", black], names: "black.png")
    _ = try complaint(pictures, [photo, "--matte", white], names: "white.png")
    let coloured = try pictures.write("coloured.png", Pictures.png { x, y in [x * 4, y * 5, 0] })
    for role in ["--depth", "--matte"] {
      let line = try complaint(pictures, [photo, role, coloured], names: "coloured.png")
      #expect(line.contains("grey"))
    }
    let far = try pictures.write("far.pfm", Pictures.pfm { _, _ in .infinity })
    for kind in ["relative", "disparity", "metric"] {
      _ = try complaint(pictures, [photo, "--depth", far, "--depth-kind", kind], names: "far.pfm")
    }
    // The subject alone has no distance.
    let hole = try pictures.write(
      "hole.pfm", Pictures.pfm { Pictures.isSubject($0, $1) ? .nan : 1 })
    _ = try complaint(
      pictures, [photo, "--matte", pictures.matte, "--depth", hole, "--depth-kind", "metric"],
      names: "hole.pfm")
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

  @Test func measurementsAreNoPhoto() throws {
    let pictures = try Pictures()
    let depth = try pictures.write("depth.pfm", Pictures.pfm { x, _ in Float(x) })
    _ = try complaint(pictures, [depth, "--depth", pictures.depth], names: "depth.pfm")
  }

  @Test(arguments: ["depth", "matte"])
  func mapsMayComeFromStandardInput(_ role: String) throws {
    let pictures = try Pictures()
    let map = role == "depth" ? pictures.depth : pictures.matte
    let arguments = "'\(pictures.photo)' --frames 2 --\(role)"
    let piped = try Command.shell("cat '\(map)' | \"$0\" \(arguments) -")
    #expect(piped.ending == .exit(0), "\(piped.error)")
    #expect(piped.output == (try Command.shell("\"$0\" \(arguments) '\(map)'")).output)
  }

  @Test func nothingOnStandardInputIsOneLine() throws {
    let pictures = try Pictures()
    _ = try complaint(pictures, ["-", "--matte", pictures.matte], names: "standard input")
  }

  /// Names may hold anything but a slash and NUL.
  @Test func aNameStaysOnItsLine() throws {
    let pictures = try Pictures()
    let path = try pictures.write("a\nb\u{1B}[2J.png", [1, 2, 3])
    let line = try complaint(
      pictures, [path, "--matte", pictures.matte], names: #"a\nb\u{1B}[2J.png"#)
    #expect(!line.contains("\u{1B}"))
    _ = try complaint(pictures, ["", "--matte", pictures.matte], names: "\"\"")
  }

  /// The files themselves, and a link to one.
  @Test func whatIsReadIsNeverReplaced() throws {
    let pictures = try Pictures()
    let link = pictures.folder.file("link.png")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "photo.png")
    for path in [pictures.photo, pictures.matte, pictures.depth, link] {
      let kept = try #require(contents(path))
      let run = try Command.run(
        pictures.photo, "--matte", pictures.matte, "--depth", pictures.depth, "-y", "-o", path)
      #expect(run.ending == .exit(2) && run.errorLines.count == 1)
      #expect(contents(path) == kept)
    }
  }
}
