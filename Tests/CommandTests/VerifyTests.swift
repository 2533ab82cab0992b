import Foundation
import PhotoInput
import StreamOut
import Testing

@testable import motion_stream

/// `verify` on the real binary.
@Suite struct VerifyTests {
  /// A loop of 12 frames.
  private static let loop = ["--size", "64x48", "--fps", "12", "--length", "1"]
  private static let header = "YUV4MPEG2 W64 H48 F12:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n"
  private static let stride = 6 + 64 * 48 * 3 / 2

  private let scratch = ScratchFolder()
  private let index: String
  private let film: [UInt8]

  init() throws {
    index = scratch.file("a.json")
    let run = try Child(Self.loop + ["--index", index]).result()
    #expect(run.ending == .exit(0), "\(run.error)")
    film = run.output
  }

  private func verify(_ bytes: [UInt8], _ arguments: String...) throws -> Child.Result {
    let path = scratch.file("film.y4m")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try Child(["verify", index, path] + arguments).result()
  }

  @Test func aFilmAgrees() throws {
    let run = try verify(film)
    #expect(run.ending == .exit(0) && run.output.isEmpty)
    #expect(
      run.errorLines.count == 1 && run.error.contains("12 frames") && run.error.contains("1 loop"))
    let quiet = try verify(film, "-q")
    #expect(quiet.ending == .exit(0) && quiet.error.isEmpty)
  }

  @Test(arguments: [
    "", "--threads 1", "--loops 3", "--frames 1", "--frames 17", "--start 5 --frames 9",
    "--start 18446744073709551615 --frames 3", "--still 8",
  ])
  func aStreamAgrees(_ options: String) throws {
    let words = options.split(separator: " ")
    let start = words.firstIndex { $0 == "--start" || $0 == "--still" }.map { words[$0 + 1] } ?? "0"
    let run = try Command.shell(
      #"set -o pipefail; "$0" \#(Self.loop.joined(separator: " ")) \#(options) | "$0" verify "#
        + "'\(index)' - --start \(start)")
    #expect(run.ending == .exit(0), "\(run.error)")
  }

  @Test func oneFlippedByteIsFoundAndItsFrameNamed() throws {
    var generator = SystemRandomNumberGenerator()
    let places =
      [0, Self.header.utf8.count - 1, Self.header.utf8.count, film.count - 1]
      + (0..<40).map { _ in Int.random(in: film.indices, using: &generator) }
    for at in places {
      var bytes = film
      bytes[at] ^= UInt8.random(in: 1...255, using: &generator)
      let run = try verify(bytes)
      #expect(run.ending == .exit(1) && run.errorLines.count == 1, "byte \(at): \(run.error)")
      let frame = (at - Self.header.utf8.count) / Self.stride
      let expected =
        at < "YUV4MPEG2 ".utf8.count
        ? "no Y4M stream" : at < Self.header.utf8.count ? "the header differs" : "frame \(frame)"
      #expect(
        run.error.contains("film.y4m: ") && run.error.contains(expected), "\(at): \(run.error)")
      if at >= Self.header.utf8.count {
        let others = run.error.matches(of: /frame (\d+)/).map { Int($0.1) }
        #expect(others == [frame])
      }
    }
  }

  @Test func endsAreNamed() throws {
    let cut = try verify(Array(film.dropLast(10)))
    #expect(cut.ending == .exit(1))
    #expect(cut.error.contains("frame 11, after \(Self.stride - 10) of its \(Self.stride) bytes"))
    let more = try verify(film + [1, 2, 3])
    #expect(more.ending == .exit(1) && more.error.contains("\(film.count)"))
    for bytes in [[], Array(Self.header.utf8)] {
      let none = try verify(bytes)
      #expect(none.ending == .exit(1) && none.error.contains("no frame"))
    }
  }

  @Test func anotherStartIsSuggested() throws {
    let path = scratch.file("late.y4m")
    _ = try Child(Self.loop + ["--start", "3", "--frames", "4", "-o", path]).result()
    let run = try Command.run("verify", index, path)
    #expect(run.ending == .exit(1) && run.error.contains("--start 3"), "\(run.error)")
    #expect(try Command.run("verify", index, path, "--start", "3").ending == .exit(0))
    // Fifteen is three in the next loop.
    #expect(try Command.run("verify", "--start=15", "--", index, path).ending == .exit(0))
  }

  @Test func anotherFilmsHeaderIsShown() throws {
    let run = try Command.shell(
      #""$0" --size 64x48 --fps 25 --frames 1 | "$0" verify '\#(index)' -"#)
    #expect(run.ending == .exit(1) && run.errorLines.count == 1)
    #expect(run.error.contains("standard input: the header differs"))
    #expect(run.error.contains("F25:1") && run.error.contains("F12:1"))
  }

  @Test func anIndexMayComeFromStandardInput() throws {
    let path = scratch.file("film.y4m")
    try Data(film).write(to: URL(fileURLWithPath: path))
    let run = try Command.shell(#"cat '\#(index)' | "$0" verify - '\#(path)'"#)
    #expect(run.ending == .exit(0), "\(run.error)")
  }

  @Test(arguments: [
    ["verify"], ["verify", "a"], ["verify", "a", "b", "c"], ["verify", "-", "-"],
    ["verify", "a", "b", "--move", "push"], ["verify", "a", "b", "-o", "c"],
    ["verify", "a", "b", "--strat", "1"], ["verify", "a", "b", "--start", "-1"],
  ])
  func nonsenseIsRefused(_ arguments: [String]) throws {
    let run = try Child(arguments).result()
    #expect(run.ending == .exit(2) && run.errorLines.count == 1, "\(arguments): \(run.error)")
  }

  @Test func itsHelpIsTheCommands() throws {
    let run = try Command.run("verify", "-h")
    #expect(run.ending == .exit(0) && run.text == helpText())
    #expect(run.text.contains("motion-stream verify INDEX STREAM"))
  }

  /// A photo may have that name all the same.
  @Test func aPhotoOfThatName() throws {
    let settings = try Settings(arguments: ["./verify", "--matte", "m.png"])
    #expect(settings.photo?.description == "./verify" && settings.task == .film)
    #expect(try Settings(arguments: ["--move", "push", "verify"]).photo?.description == "verify")
  }

  @Test func whatCannotBeReadIsSaid() throws {
    let missing = scratch.file("missing")
    for (arguments, named) in [
      ([missing, "/dev/null"], missing), ([index, missing], missing),
      ([scratch.path, "/dev/null"], scratch.path), ([index, scratch.path], scratch.path),
      (["/dev/null", "/dev/null"], "/dev/null"), (["/dev/zero", "/dev/null"], "/dev/zero"),
    ] {
      let run = try Child(["verify"] + arguments).result()
      #expect(run.ending == .exit(1) && run.errorLines.count == 1, "\(run.error)")
      #expect(run.error.contains("motion-stream: \(named): "), "\(run.error)")
    }
  }

  /// Indexes that somebody made to do harm: one line that names the file, and soon.
  @Test(.withoutSanitizer) func hostileIndexesAreRefused() throws {
    let text = String(decoding: try #require(contents(index)), as: UTF8.self)
    func replaced(_ old: String, _ new: String) -> String {
      precondition(text.contains(old))
      return text.replacingOccurrences(of: old, with: new)
    }
    let rows = String(
      repeating: "{\"md5\":\"00000000000000000000000000000000\",\"phase\":\"0/1\",\"pose\":0},\n",
      count: 1_000_000)
    let hostile: [(name: String, text: String, says: String)] = [
      ("empty", "", "no index"), ("text", "not an index", "no index"),
      ("array", "[1, 2]", "no index"),
      ("object", "{}", "schemaVersion is missing"),
      ("nested", String(repeating: "{\"a\":", count: 100_000), "no index"),
      ("lists", "{\"frames\":" + String(repeating: "[", count: 1_000_000), "no index"),
      ("cut", String(text.prefix(text.count / 2)), "no index"),
      ("next", replaced("\"schemaVersion\": 1", "\"schemaVersion\": 2"), "version 2"),
      ("other", "{\"schemaVersion\": 7}", "version 7"),
      ("huge", replaced("\"period\": 12", "\"period\": 9223372036854775807"), "period"),
      ("beyond", replaced("\"period\": 12", "\"period\": 99999999999999999999"), "no index"),
      ("negative", replaced("\"period\": 12", "\"period\": -1"), "period"),
      ("fraction", replaced("\"period\": 12", "\"period\": 1.5"), "no index"),
      ("stride", replaced("\"frameStride\":4614", "\"frameStride\":1"), "frameStride"),
      (
        "least", replaced("\"frameBytes\":4608", "\"frameBytes\":-9223372036854775808"),
        "frameBytes"
      ),
      ("zoom", replaced("\"zoom\":1}", "\"zoom\":1e999}"), "no index"),
      ("million", replaced("\"frames\": [", "\"frames\": [\n\(rows)"), "1000012 frames of 12"),
      ("digest", replaced("\"md5\":\"", "\"md5\":\"x"), "md5"),
      ("header", replaced("YUV4MPEG2", String(repeating: "Y", count: 5000)), "headerLength"),
    ]
    for (name, text, says) in hostile {
      let path = scratch.file(name)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      // An address space that a few copies of the largest index fit into.
      let run = try Command.shell("ulimit -v 2000000; \"$0\" verify '\(path)' /dev/null")
      #expect(
        run.ending == .exit(1) && run.errorLines.count == 1, "\(name): \(run.ending) \(run.error)")
      #expect(run.error.contains("/\(name): ") && run.error.contains(says), "\(name): \(run.error)")
    }
    let binary = scratch.file("binary")
    try Data([0x7B, 0xFF, 0xFE, 0x00, 0x22]).write(to: URL(fileURLWithPath: binary))
    #expect(try Command.run("verify", binary, "/dev/null").ending == .exit(1))
  }

  /// Members that a later version adds are passed over.
  @Test func whatIsNotKnownIsPassedOver() throws {
    let text = String(decoding: try #require(contents(index)), as: UTF8.self)
    try text.replacingOccurrences(
      of: "\"stream\": {", with: "\"new\": [{}],\n\"stream\": {\"x\":1,"
    )
    .write(toFile: index, atomically: true, encoding: .utf8)
    #expect(try verify(film).ending == .exit(0))
  }

  /// The stream is longer than the memory that there is for it.
  @Test(.withoutSanitizer) func memoryIsConstant() throws {
    let run = try Command.shell(
      #"set -o pipefail; "$0" --size 640x480 --fps 12 --length 0.5 --index '\#(scratch.file("b"))'"#
        + #" >/dev/null; "$0" --size 640x480 --fps 12 --length 0.5 --loops 150 | (ulimit -v 250000;"#
        + #" "$0" verify '\#(scratch.file("b"))' -)"#)
    #expect(run.ending == .exit(0) && run.error.contains("150 loops"), "\(run.error)")
  }
}
