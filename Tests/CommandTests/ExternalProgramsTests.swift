import Foundation
import TestSupport
import Testing

@testable import motion_stream

/// Programs that make a photo's matte and depth.
@Suite struct ExternalProgramsTests: EstimationSuite {
  let bare: BarePhoto

  init() throws { bare = try BarePhoto() }

  @Test func programsMakeMaps() throws {
    let matte = folder.file("white disc.png")
    let depth = folder.file("far.pfm")
    try write(matte, Pictures.grey { x, y in Pictures.isSubject(x, y) ? 255 : 0 })
    try write(depth, Pictures.pfm { x, y in Pictures.isSubject(x, y) ? 1 : 4 })
    // The photo is read upright as a PNG, and an ending of its own is found.
    let cut = try program("head -c 4 \"$1\" | grep -q PNG && cp '\(matte)' \"$2\"", name: "a cut")
    let far = try program("cp '\(depth)' \"$2.pfm\"")
    let (info, said) = try info(
      photo, "--matte-command", cut, "--depth-command", far, "--depth-kind", "metric")
    #expect(said.isEmpty)
    #expect(source(info, "matte") == "command" && source(info, "depth") == "command")
    #expect(maker(info, "matte") == cut)
    #expect(try #require((info["depth"] as? [String: Any])?["min"] as? Double) == 0.25)
    #expect(!folder.names.contains { $0.hasPrefix("motion-stream-") })
    let (inverted, _) = try self.info(
      photo, "--matte-command", cut, "--matte-invert", "--depth-command", far)
    #expect(inverted["recipe"] as? String != info["recipe"] as? String)
  }

  @Test(arguments: [
    ("echo first >&2; echo 'no memory left' >&2; exit 3", ["status 3", "(no memory left)"]),
    ("kill -9 $$", ["killed by signal 9"]),
    ("exit 0", ["wrote nothing to {out}"]),
    ("mkfifo \"$2\"", ["wrote nothing to {out}"]),
    ("echo garbage >\"$2\"", ["wrote what cannot be used", "no picture of a kind"]),
    (": >\"$2\"", ["cannot be used: is empty"]),
    ("sleep 60 & sleep 60", ["takes longer than 0.5 seconds"]),
    ("yes >&2", ["takes longer than 0.5 seconds"]),
  ])
  func programsThatFail(script: String, words: [String]) throws {
    for option in ["--matte-command", "--depth-command"] {
      let line = try refusal(photo, option, try program(script), "--command-timeout", "0.5")
      for word in words + ["prog"] { #expect(line.contains(word), "\(line)") }
    }
  }

  @Test func programsThatAreNotThere() throws {
    let line = try refusal(photo, "--depth-command", "no-such-program {in} {out}")
    #expect(line.contains("no-such-program: cannot be started"))
    for (command, words) in [
      ("prog {in}", "{out} is not in it"), ("prog {out}", "{in} is not in it"),
      ("prog '{in} {out}", "left open"), ("", "names no program"),
    ] {
      let usage = try refusal(photo, "--depth-command", command, status: 2)
      #expect(usage.contains("--depth-command") && usage.contains(words), "\(usage)")
    }
    let both = try refusal(
      photo, "--depth", photo, "--depth-command", "prog {in} {out}", status: 2)
    #expect(both.contains("exclude each other"))
  }

  /// A signal ends the program and all it started, and leaves no folder behind.
  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsTheProgram(_ signal: Int32) throws {
    let pid = folder.file("pid")
    let command = try program("sleep 100 & echo $! >'\(pid).new'; mv '\(pid).new' '\(pid)'; wait")
    let child = try Child(
      [photo, "--depth-command", command, "--frames", "1"],
      environment: ["TMPDIR": folder.path])
    #expect(eventually { contents(pid) != nil })
    let started = try #require(
      contents(pid).flatMap {
        pid_t(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
      })
    #expect(kill(started, 0) == 0)
    child.send(signal)
    #expect(child.wait() == .signal(signal))
    // What was killed may wait for its new parent to take note.
    #expect(eventually { kill(started, 0) != 0 || isZombie(started) })
    #expect(!folder.names.contains { $0.hasPrefix("motion-stream-") })
  }

  /// A picture that a command makes is called by what is wrong with it, and not told in halves.
  @Test func aColouredMapIsNone() throws {
    let line = try refusal(
      photo, "--depth-command", try program("cp \"$1\" \"$2\""))
    #expect(line.contains("wrote what cannot be used: a depth must be grey"), "\(line)")
  }
}
