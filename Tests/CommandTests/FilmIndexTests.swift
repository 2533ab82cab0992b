import Foundation
import PhotoInput
import StreamOut
import Testing

@testable import motion_stream

/// Films that are encoded, found again by their index.
@Suite(.enabled(if: Container.named("mp4") != nil && hasProgram("ffmpeg")))
struct FilmIndexTests {
  private static let containers = ["h264", "mp4", "mkv", "ts", "fmp4", "flv"]

  /// A film with its index: two loops of 24 frames and 5 more, key frames 48 apart at most.
  private struct Film {
    let scratch = ScratchFolder()
    let path, indexPath: String

    init(_ container: String, _ options: [String] = []) throws {
      path = scratch.file("film." + container)
      indexPath = scratch.file("film.json")
      let run = try Child(
        [
          "--move", "sway", "--fps", "24", "--length", "1", "--frames", "53", "--amount", "2", "-q",
          "-o", path, "--index", indexPath,
        ] + (options.contains("--size") ? [] : ["--size", "65x48"]) + options
      ).result()
      #expect(run.ending == .exit(0) && run.error.isEmpty, "\(run.error)")
    }

    func index() throws -> FrameIndex { try FrameIndex(at: .file(indexPath)) }

    func verify(_ path: String? = nil) throws -> Child.Result {
      try Command.run("verify", indexPath, path ?? self.path)
    }
  }

  private func run(_ program: String...) throws -> Child.Result {
    let run = try Child(program: "/usr/bin/env", program).result()
    #expect(run.ending == .exit(0), "\(program): \(run.error)")
    return run
  }

  @Test(arguments: containers)
  func itSaysWhatFfprobeSays(_ container: String) throws {
    let film = try Film(container)
    let index = try film.index()
    let packets = try #require(index.packets)
    #expect(packets.count == 53 && index.period == 24)
    let printed = try run(
      "ffprobe", "-v", "error", "-show_entries", "packet=pts,dts,pos,size,flags", "-of",
      "default=nw=1", film.path)
    var rows: [[String: String]] = []
    for line in printed.text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      if parts[0] == "pts" { rows.append([:]) }
      if parts.count == 2 { rows[rows.count - 1][parts[0]] = parts[1] }
    }
    #expect(rows.count == 53)
    for packet in packets {
      let row = try #require(rows.first { $0["pos"] == "\(packet.offset)" })
      #expect(row["size"] == "\(packet.size)")
      #expect(row["flags"]?.hasPrefix("K") == packet.key)
      guard container != "h264" else { continue }
      #expect(row["pts"] == "\(packet.pts)")
      // What MKV leaves out at its beginning.
      if row["dts"] != "N/A" { #expect(row["dts"] == "\(packet.dts)") }
    }
    // In the order of being shown, one frame after the other, with a key at each loop's start.
    let base = try #require(index.stream.film).timeBase
    for (k, packet) in packets.enumerated() {
      let ticks = Double(k) / 24 * Double(base.den) / Double(base.num)
      #expect(abs(Double(packet.pts - packets[0].pts) - ticks) <= 1, "frame \(k)")
      #expect(packet.dts <= packet.pts)
    }
    #expect(packets.indices.filter { $0 % 24 == 0 }.allSatisfy { packets[$0].key })
    #expect(index.stream.film?.size.width == 64 && index.stream.film?.size.height == 48)
  }

  @Test(arguments: containers)
  func whatWasWrittenAgrees(_ container: String) throws {
    let film = try Film(container)
    let named = try film.verify()
    #expect(named.ending == .exit(0) && named.error.contains("53 frames as in the index"))
    let piped = try Command.shell(#""$0" verify '\#(film.indexPath)' - < '\#(film.path)'"#)
    #expect(piped.ending == .exit(0) && piped.error.contains("53 frames"), "\(piped.error)")
  }

  /// Twenty places each, both ends and the seams among them: what players show there is, byte for
  /// byte, what the whole film has there when it is decoded from its beginning.
  @Test(arguments: ["mp4", "mkv"], ["ffmpeg", "mpv"].filter { hasProgram($0) })
  func playersFindFramesByTheirTimes(_ container: String, _ player: String) throws {
    let film = try Film(container)
    let all = film.scratch.file("all")
    _ = try run("ffmpeg", "-nostdin", "-v", "error", "-i", film.path, "-f", "rawvideo", all)
    let bytes = try #require(contents(all))
    let frameBytes = 64 * 48 * 3 / 2
    try #require(bytes.count == 53 * frameBytes)
    let index = try film.index()
    let (packets, base) = (try #require(index.packets), try #require(index.stream.film).timeBase)
    for k in [0, 1, 23, 24, 47, 48, 52] + (0..<13).map({ _ in Int.random(in: 0..<53) }) {
      let seconds = Double(packets[k].pts) * Double(base.num) / Double(base.den)
      let (time, output) = (String(format: "%.6f", seconds), film.scratch.file("frame"))
      if player == "ffmpeg" {
        _ = try run(
          "ffmpeg", "-nostdin", "-v", "error", "-y", "-ss", time, "-i", film.path, "-frames:v",
          "1", "-f", "rawvideo", output)
      } else {
        _ = try run(
          "mpv", "--no-config", "--really-quiet", "--hr-seek=yes", "--start=\(time)",
          "--frames=1", "--of=rawvideo", "--ovc=rawvideo", "--o=\(output)", film.path)
      }
      let expected = bytes[k * frameBytes..<(k + 1) * frameBytes]
      #expect(contents(output) == Array(expected), "frame \(k) at \(time)")
    }
  }

  /// Pictures that are others, elsewhere, or not there.
  @Test func whatIsOtherwiseIsFound() throws {
    let film = try Film("mp4", ["--crf", "12"])
    func made(_ name: String, _ filter: String) throws -> String {
      let path = film.scratch.file(name)
      _ = try run(
        "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", film.path, "-vf", filter, "-crf", "12",
        "-fps_mode", "passthrough", path)
      return path
    }
    let changes: [(filter: String, said: String)] = [
      ("negate", "frame 0, which is 0 of 24 in the loop, differs from the index by"),
      ("scale=32:24", "its pictures are 32x24, and by the index 64x48"),
      // A quarter of a loop farther on.
      ("select='gte(n,6)',setpts=PTS-STARTPTS", "it is most like"),
      ("setpts=PTS*2", "frame 1 is shown after 0.08"),
      ("select='lt(n,50)'", "it ends after 50 frames of 53"),
    ]
    for (filter, said) in changes {
      let run = try film.verify(made("changed.mp4", filter))
      #expect(run.ending == .exit(1) && run.errorLines.count == 1)
      #expect(run.error.contains(said), "\(filter): \(run.error)")
    }
    // Another encoder and container, and the same pictures.
    let other = try film.verify(made("other.mkv", "null"))
    #expect(other.ending == .exit(0), "\(other.error)")
  }

  @Test func whatIsDamagedIsFound() throws {
    let film = try Film("mp4", ["--crf", "12"])
    let whole = try #require(contents(film.path))
    let packets = try #require(try film.index().packets)
    let path = film.scratch.file("damaged.mp4")
    func verify(_ bytes: [UInt8]) throws -> Child.Result {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return try film.verify(path)
    }
    var flipped = whole
    // Behind what the encoder says of itself, which nothing depends on.
    let coded = packets[24].offset + packets[24].size * 2 / 3
    for place in coded..<coded + 40 { flipped[place] ^= 0xA5 }
    var longer = whole
    longer[packets[0].offset] = 0x7F
    for bytes in [flipped, longer, Array(whole.prefix(packets[30].offset + 7)), [], [1, 2, 3]] {
      let run = try verify(bytes)
      #expect(run.ending == .exit(1) && run.errorLines.count == 1, "\(run.error)")
    }
    for path in [film.indexPath, "/dev/null", film.scratch.path, film.scratch.file("none")] {
      let run = try film.verify(path)
      #expect(run.ending == .exit(1) && run.errorLines.count == 1, "\(run.error)")
    }
  }

  /// A film agrees with its own index however badly it was encoded.
  @Test(arguments: [["--size", "32x32", "--crf", "28"], ["--bitrate", "20k"], ["--crf", "51"]])
  func theWorstQualityAgrees(_ options: [String]) throws {
    let film = try Film("mkv", options)
    #expect(try film.verify().ending == .exit(0))
    #expect(try film.index().stream.film!.tolerance > 4)
  }

  /// An index of a film with a part taken away.
  @Test(arguments: ["packets", "likeness", "timeBase"])
  func aDamagedIndexIsNamed(_ member: String) throws {
    let film = try Film("mp4")
    let text = String(decoding: contents(film.indexPath) ?? [], as: UTF8.self)
    try text.replacingOccurrences(of: "\"\(member)\":", with: "\"other\":")
      .write(toFile: film.indexPath, atomically: true, encoding: .utf8)
    let run = try film.verify()
    #expect(run.ending == .exit(1) && run.errorLines.count == 1)
    #expect(run.error.contains("index") && run.error.contains(film.indexPath), "\(run.error)")
  }

  /// Where frames stand is known of a finite film in a file.
  @Test(arguments: [
    ["--index", "a.json", "--format", "ts"], ["--index-only", "a.json", "--format", "mkv"],
    ["--index", "a.json", "-o", "a.ts", "--endless"],
    ["--index", "a.json", "-o", "udp://127.0.0.1:9"],
  ])
  func whatHasNoPlacesIsRefused(_ arguments: [String]) throws {
    let scratch = ScratchFolder()
    let words = ([Command.path, "--size", "32x18"] + arguments).joined(separator: "' '")
    let run = try Command.shell("cd '\(scratch.path)' && '\(words)'")
    #expect(run.ending == .exit(2) && run.output.isEmpty && run.errorLines.count == 1)
    #expect(run.error.contains("give -o FILE and --index"), "\(run.error)")
    #expect(scratch.names.isEmpty)
  }
}
