import Foundation
import MotionCore
import PhotoInput
import StreamOut
import Testing

@testable import motion_stream

/// `--index` and `--index-only` on the real binary.
@Suite struct IndexTests {
  /// A loop of 12 frames, which shows 7 poses.
  private static let loop = ["--size", "64x48", "--fps", "12", "--length", "1"]

  private func index(at path: String) throws -> FrameIndex { try FrameIndex(at: .file(path)) }

  /// The lines of `ffmpeg -f framemd5`, their digests.
  private func framemd5(_ path: String, _ options: [String] = []) throws -> [String] {
    let run = try Child(
      program: "/usr/bin/env",
      ["ffmpeg", "-v", "error"] + options + ["-i", path, "-f", "framemd5", "-"]
    ).result()
    return run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test func anIndexLiesBesideItsFilm() throws {
    let scratch = ScratchFolder()
    let (film, path) = (scratch.file("a.y4m"), scratch.file("a.json"))
    let run = try Child(Self.loop + ["-o", film, "--index", path]).result()
    #expect(run.ending == .exit(0) && run.error.isEmpty, "\(run.error)")
    #expect(scratch.names == ["a.json", "a.y4m"])
    let index = try index(at: path)
    let bytes = try #require(contents(film))
    let stream = try #require(Y4MStream(bytes, frameBytes: index.stream.frameBytes))
    #expect(index.stream.header == stream.header + "\n" && index.period == 12)
    #expect(index.poses.count == 7 && index.generator.version == Main.version)
    #expect(index.stream.headerLength + 12 * index.stream.frameStride == bytes.count)
    #expect(index.stream.size.width == 64 && index.stream.pixFmt == "yuv420p")
    #expect(index.stream.matrix == "bt601" && index.stream.range == "limited")
  }

  /// The same bytes, however they come about.
  @Test func theCommandAloneDecides() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.json")
    let first = try Child(Self.loop + ["--index-only", path]).result()
    #expect(first.ending == .exit(0) && first.output.isEmpty && first.error.isEmpty)
    let expected = try #require(contents(path))
    let ways: [[String]] = [
      ["--index-only", path, "--threads", "1"], ["--index-only", path, "--threads", "3"],
      ["--index-only", path, "--start", "7", "-q"],
      ["--index", path, "-o", scratch.file("b.y4m")],
      ["--index", path, "-o", scratch.file("b.y4m"), "--start", "45", "--threads", "1"],
      ["--index", path, "-o", scratch.file("b.y4m"), "--frames", "1", "--start", "11"],
      ["--index", path, "-o", scratch.file("b.y4m"), "--frames", "5", "--start", "9"],
      ["--index", path, "-o", scratch.file("b.y4m"), "--still", "3"],
      ["--index", path, "-o", scratch.file("c.y4m"), "--loops", "3"],
    ]
    for way in ways {
      try FileManager.default.removeItem(atPath: path)
      let run = try Child(Self.loop + way + ["-y"]).result()
      #expect(run.ending == .exit(0), "\(way): \(run.error)")
      #expect(contents(path) == expected, "\(way)")
    }
  }

  @Test(
    .enabled(if: hasProgram("ffmpeg")),
    arguments: ["yuv420p", "yuv422p10le", "gray"], ["push", "sway"])
  func ffmpegPrintsTheSame(_ pixelFormat: String, _ move: String) throws {
    let scratch = ScratchFolder()
    let (film, path) = (scratch.file("a.y4m"), scratch.file("a.json"))
    let arguments = [
      "--size", "33x17", "--fps", "11", "--length", "1", "--move", move, "--pix-fmt", pixelFormat,
    ]
    let run = try Child(arguments + ["-o", film, "--index", path]).result()
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(try framemd5(film) == index(at: path).frames.map { "\($0.md5)" })
  }

  @Test(.enabled(if: hasProgram("ffmpeg")))
  func ffmpegPrintsTheSameOfRaw() throws {
    let scratch = ScratchFolder()
    let (film, path) = (scratch.file("a.rgb"), scratch.file("a.json"))
    let run = try Child(Self.loop + ["-o", film, "--index", path]).result()
    #expect(run.ending == .exit(0), "\(run.error)")
    let options = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x48"]
    #expect(try framemd5(film, options) == index(at: path).frames.map { "\($0.md5)" })
    #expect(try index(at: path).stream.headerLength == 0)
  }

  /// Seen by those who do not read Swift.
  @Test(.enabled(if: hasPythonModule("jsonschema")))
  func theSchemaHolds() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let schema = package.appendingPathComponent("docs/frame-index.schema.json").path
    let scratch = ScratchFolder()
    let variants: [[String]] = [
      ["--move", "sway", "--fps", "30000/1001"], ["--hold", "0.5"],
      ["--pose", "0.01,0,0.1,1.1"], ["--format", "raw"], ["--pix-fmt", "yuv444p10"],
    ]
    var paths = variants.indices.map { scratch.file("\($0).json") }
    for (variant, path) in zip(variants, paths) {
      let run = try Child(["--size", "32x18"] + variant + ["--index-only", path]).result()
      #expect(run.ending == .exit(0), "\(run.error)")
    }
    let film = scratch.file("film.json")
    if Container.named("mp4") != nil {
      let run = try Child(
        ["--size", "32x18", "--bitrate", "1M", "-o", scratch.file("film.mp4"), "--index", film]
      ).result()
      #expect(run.ending == .exit(0), "\(run.error)")
      paths.append(film)
    }
    // And what is no index does not pass.
    let broken = scratch.file("broken.json")
    let text = String(decoding: contents(paths[0]) ?? [], as: UTF8.self)
    try text.replacingOccurrences(of: "\"frameStride\":", with: "\"stride\":")
      .write(toFile: broken, atomically: true, encoding: .utf8)
    let script = """
      import json, jsonschema, sys
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      for path in sys.argv[2:]:
        print(jsonschema.Draft202012Validator(schema).is_valid(json.load(open(path))))
      """
    let run = try Child(
      program: "/usr/bin/env", ["python3", "-c", script, schema] + paths + [broken]
    ).result()
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(run.text == String(repeating: "True\n", count: paths.count) + "False\n")
  }

  @Test func aFileIsReplacedOnlyWhenAsked() throws {
    let scratch = ScratchFolder()
    let (film, path) = (scratch.file("a.y4m"), scratch.file("a.json"))
    try Data([1]).write(to: URL(fileURLWithPath: path))
    for arguments in [["--index-only", path], ["-o", film, "--index", path]] {
      let run = try Child(Self.loop + arguments).result()
      #expect(run.ending == .exit(1) && run.errorLines.count == 1 && run.error.contains(path))
      #expect(contents(path) == [1] && scratch.names == ["a.json"])
    }
    let run = try Child(Self.loop + ["-o", film, "--index", path, "-y"]).result()
    #expect(run.ending == .exit(0) && contents(path)?.count ?? 0 > 100)
  }

  @Test func whatIsReadIsNeverReplaced() throws {
    let pictures = try Pictures()
    for path in [pictures.photo, pictures.matte] {
      let kept = try #require(contents(path))
      for arguments in [["--index-only", path], ["-o", "/dev/null", "--index", path]] {
        let run = try Child([pictures.photo, "--matte", pictures.matte, "-y"] + arguments).result()
        #expect(run.ending == .exit(2) && run.errorLines.count == 1, "\(run.error)")
        #expect(contents(path) == kept)
      }
    }
  }

  @Test func aFilmAndItsIndexWantTwoNames() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.y4m")
    let run = try Child(Self.loop + ["-o", path, "--index", scratch.file("./a.y4m")]).result()
    #expect(run.ending == .exit(2) && run.errorLines.count == 1)
    let both = try Child(Self.loop + ["--index", "-"]).result()
    #expect(both.ending == .exit(2) && both.output.isEmpty && both.errorLines.count == 1)
    // The shell has opened the file by then.
    let shell = try Command.shell(
      #""$0" \#(Self.loop.joined(separator: " ")) -y --index '\#(path)' > '\#(path)'"#)
    #expect(shell.ending == .exit(2) && shell.errorLines.count == 1)
    #expect(contents(path) == [])
  }

  @Test(arguments: [
    ["--index-only", "a", "--index", "b"], ["--index-only", "a", "-o", "b"],
    ["--index-only", "a", "--info"], ["--contact-sheet", "a", "--index", "b"],
    ["--index", "a", "-o", "b.png", "--still", "1"], ["--index-only", "a", "--format", "png"],
    ["--index-only", "a", "--length", "86400"],
  ])
  func whatHasNoIndexIsSaid(_ arguments: [String]) throws {
    let run = try Child(["--size", "32x18"] + arguments).result()
    #expect(run.ending == .exit(2) && run.errorLines.count == 1, "\(run.error)")
    #expect(run.error.contains("index"), "\(run.error)")
  }

  @Test func anIndexMayGoToAPipe() throws {
    let scratch = ScratchFolder()
    let run = try Child(Self.loop + ["-o", scratch.file("a.y4m"), "--index", "-"]).result()
    #expect(run.ending == .exit(0), "\(run.error)")
    let only = try Child(Self.loop + ["--index-only", "-"]).result()
    #expect(only.output == run.output && only.text.hasSuffix("]\n}\n"))
  }

  /// It is there while the stream goes on.
  @Test func anEndlessFilmHasOneToo() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.json")
    let child = try Child(Self.loop + ["--endless", "--index", path])
    _ = child.read(30 * 4614)
    #expect(eventually { scratch.names == ["a.json"] })
    child.send(SIGINT)
    _ = child.readAll()
    #expect(child.wait() == .signal(SIGINT) && child.errorAtEnd().isEmpty)
    _ = try index(at: path)
  }

  /// Nobody waits for what a reader that leaves has not seen.
  @Test(arguments: [(["--endless"], 0), (["--frames", "1000"], 141)] as [([String], Int32)])
  func aReaderThatLeaves(_ length: [String], _ status: Int32) throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.json")
    // More than a pipe holds of a loop.
    let loop = ["--size", "320x240", "--length", "4"]
    let child = try Child(loop + length + ["--index", path])
    _ = child.read(1)
    child.closeOutput()
    #expect(child.wait() == .exit(status))
    let error = child.errorAtEnd()
    #expect(error.split(separator: "\n").count == 1 && error.contains("no index"), "\(error)")
    #expect(scratch.names.isEmpty)
  }

  @Test func aSignalLeavesNoIndex() throws {
    let scratch = ScratchFolder()
    let child = try Child(
      ["--size", "320x240", "--length", "600", "--index", scratch.file("a.json")])
    _ = child.read(1000)
    #expect(child.waitUntilStalled())
    child.send(SIGTERM)
    _ = child.readAll()
    #expect(child.wait() == .signal(SIGTERM))
    let error = child.errorAtEnd()
    #expect(error.split(separator: "\n").count == 1 && error.contains("no index"), "\(error)")
    #expect(scratch.names.isEmpty)
  }

  /// A FIFO that nobody reads must not hold a user's Ctrl-C, once the film is whole either.
  @Test func aFIFOWithoutReaderEndsByASignal() throws {
    let scratch = ScratchFolder()
    let fifo = scratch.file("a.json")
    try #require(mkfifo(fifo, 0o600) == 0)
    let child = try Child(Self.loop + ["-o", scratch.file("a.y4m"), "--index", fifo])
    #expect(eventually { scratch.names == ["a.json", "a.y4m"] })
    usleep(300_000)
    child.send(SIGINT)
    #expect(child.wait() == .signal(SIGINT))
  }

  /// The film is not ended in silence by somebody who does not read it.
  @Test func anIndexWithoutAReaderIsSaid() throws {
    let scratch = ScratchFolder()
    let child = try Child(
      Self.loop + ["--endless", "-o", scratch.file("a.y4m"), "--index", "-"])
    child.closeOutput()
    #expect(child.wait() == .exit(1))
    #expect(child.errorAtEnd().contains("standard output: cannot be written"))
    #expect(scratch.names.isEmpty)
  }

  @Test func aFullDiskIsSaid() throws {
    let run = try Child(Self.loop + ["-o", "/dev/null", "--index", "/dev/full"]).result()
    #expect(run.ending == .exit(1) && run.errorLines.count == 1 && run.error.contains("/dev/full"))
  }
}
