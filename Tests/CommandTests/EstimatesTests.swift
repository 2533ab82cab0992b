import Foundation
import MotionCore
import PhotoInput
import TestSupport
import Testing

@testable import motion_stream

/// What models and other programs make of a photo that says nothing of itself. The models are single
/// convolutions, so that these tests run where none is installed.
@Suite struct EstimatesTests {
  private let folder = ScratchFolder()
  private let models = ScratchFolder()
  private let photo: String

  /// A disc that is red, before a wall that is blue from top to bottom.
  private static let pixels = Pictures.png { x, y in
    Pictures.isSubject(x, y) ? [250, 40, 250] : [0, 40, 4 * y]
  }

  init() throws {
    photo = folder.file("photo.png")
    try write(photo, Self.pixels)
  }

  private func write(_ path: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// A card with what is asked of its output, and some of it replaced.
  private static func card(_ kind: String, _ output: String, _ changes: [String: String] = [:])
    -> String
  {
    var card = """
      {"name": "test", "kind": "\(kind)", "file": "\(kind).onnx",
      "input": {"name": "image", "multiple": 16, "longSide": [32, 64]},
      "output": {\(output)}}
      """
    for (old, new) in changes { card = card.replacingOccurrences(of: old, with: new) }
    return card
  }

  /// Puts a model and its card into the folder of models.
  private func install(
    _ kind: String, _ model: TestONNX, output: String = #""name": "plane""#,
    _ changes: [String: String] = [:]
  ) throws {
    try write(models.file("\(kind).onnx"), model.encode())
    try write(models.file("\(kind).json"), Array(Self.card(kind, output, changes).utf8))
  }

  /// Red is the subject, and blue is near.
  private static let red = TestONNX(weights: [1, 0, 0])
  private static let blue = TestONNX(weights: [0, 0, 1])

  private func installBoth() throws {
    try install("lift", Self.red, output: #""name": "plane", "least": 0.5"#)
    try install("depth", Self.blue)
  }

  private func run(_ arguments: [String], program: String = Command.path) throws -> Child.Result {
    try Child(
      program: program, arguments,
      environment: ["MOTION_STREAM_MODELS": models.path, "TMPDIR": folder.path]
    ).result()
  }

  private func info(_ arguments: String...) throws -> (json: [String: Any], said: String) {
    let run = try run(arguments + ["--info"])
    #expect(run.ending == .exit(0), "\(run.error)")
    let json = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    return (try #require(json), run.error)
  }

  private func source(_ info: [String: Any], _ map: String) -> String? {
    (info[map] as? [String: Any])?["source"] as? String
  }

  private func maker(_ info: [String: Any], _ map: String) -> String? {
    ((info[map] as? [String: Any])?["madeBy"] as? [String: Any])?["name"] as? String
  }

  /// The one line that a run ends with.
  private func refusal(_ arguments: String..., status: Int32 = 1) throws -> String {
    let run = try run(arguments + ["-o", folder.file("out.y4m")])
    #expect(run.ending == .exit(status), "\(arguments): \(run.error)")
    #expect(run.errorLines.count == 1, "\(run.error)")
    #expect(run.error.utf8.count < 500, "\(run.error)")
    #expect(!folder.names.contains { $0.hasPrefix("out") || $0.hasPrefix("motion-stream-") })
    return run.error
  }

  // MARK: What is estimated

  @Test func aBarePhotoBecomesAFilm() throws {
    try installBoth()
    let film = try run([photo, "--frames", "2", "--subject", "0.5,0.5"])
    #expect(film.ending == .exit(0), "\(film.error)")
    #expect(film.error.isEmpty)
    #expect(try #require(Y4MStream(film.output, frameBytes: 64 * 48 * 3 / 2)).frames.count == 2)
    let (info, _) = try info(photo)
    #expect(source(info, "matte") == "lift" && source(info, "depth") == "estimated")
    #expect(maker(info, "matte") == models.file("lift.onnx"))
    #expect(maker(info, "depth") == models.file("depth.onnx"))
    let target = try #require(info["target"] as? [Double])
    #expect(abs(target[0] - 32.5) < 0.5 && abs(target[1] - 24.5) < 0.5)
    let said = try run([photo, "-v", "--frames", "1"]).error
    #expect(said.contains("matte: lift \(models.file("lift.onnx")) ("))
    #expect(said.contains("depth: estimated \(models.file("depth.onnx")) ("))
  }

  /// The model's sides are multiples of 16, and the photo's are not: its shape is kept.
  @Test func aPhotoOfAnyShape() throws {
    try installBoth()
    let odd = folder.file("odd.png")
    try write(
      odd,
      TestPNG(width: 113, height: 51, color: .rgb).encode { x, y in
        (x - 40) * (x - 40) + (y - 25) * (y - 25) < 144 ? [250, 40, 250] : [0, 40, 2 * y]
      })
    let target = try #require(try info(odd).json["target"] as? [Double])
    #expect(abs(target[0] - 40.5) < 1.5 && abs(target[1] - 25.5) < 1.5, "\(target)")
  }

  @Test(arguments: [
    ("auto", "lift", "estimated"), ("lift", "lift", "plane"), ("depth", "cut", "estimated"),
  ])
  func whatIsWanted(_ word: String, _ matte: String, _ depth: String) throws {
    try installBoth()
    let (info, said) = try info(photo, "--estimate", word)
    #expect(source(info, "matte") == matte && source(info, "depth") == depth)
    #expect(said.contains("taken to be flat") == (word == "lift"))
  }

  @Test func whatAFileSaysWins() throws {
    try installBoth()
    try write(
      folder.file("photo_depth.png"), Pictures.grey { x, _ in Pictures.isSubject(x, 24) ? 200 : 50 }
    )
    #expect(source(try info(photo).json, "matte") == "lift")
    #expect(source(try info(photo).json, "depth") == "sidecar")
    try write(
      folder.file("photo_matte.png"), Pictures.grey { x, y in Pictures.isSubject(x, y) ? 255 : 0 })
    let (info, _) = try info(photo)
    #expect(source(info, "matte") == "sidecar" && maker(info, "matte") == nil)
    for (option, model) in [("--lift-model", "lift.onnx"), ("--depth-model", "depth.json")] {
      let line = try refusal(photo, option, models.file(model), status: 2)
      #expect(line.contains(option) && line.contains("leave it out"))
    }
  }

  @Test func aNamedModelNeedsNoFolder() throws {
    try installBoth()
    let elsewhere = ScratchFolder()
    for name in models.names {
      try FileManager.default.moveItem(atPath: models.file(name), toPath: elsewhere.file(name))
    }
    let (info, _) = try info(
      photo, "--lift-model", elsewhere.file("lift.onnx"), "--depth-model",
      elsewhere.file("depth.json"))
    #expect(source(info, "matte") == "lift" && source(info, "depth") == "estimated")
    #expect(maker(info, "depth") == elsewhere.file("depth.onnx"))
  }

  @Test func withoutModels() throws {
    let line = try refusal(photo, status: 2)
    #expect(line.contains("--depth FILE") && line.contains("scripts/get-models.sh"))
    #expect(try !refusal(photo, "--estimate", "off", status: 2).contains("get-models"))
    try write(
      folder.file("photo_depth.png"), Pictures.grey { x, y in Pictures.isSubject(x, y) ? 200 : 50 })
    #expect(source(try info(photo).json, "matte") == "cut")
    #expect(try run([photo, "--frames", "1"]).error.isEmpty)
    #expect(try run([photo, "--frames", "1", "-v"]).error.contains("no model finds the subject"))
  }

  @Test func aDarkPolarityIsTurned() throws {
    try install("depth", TestONNX(weights: [0, 0, -1]), output: #""polarity": "dark""#)
    try install(
      "lift", TestONNX(weights: [-1, 0, 0]), output: #""polarity": "dark", "scaling": "range""#)
    let (info, _) = try info(photo)
    #expect((info["depth"] as? [String: Any])?["near"] as? String == "black")
    let bounds = try #require(info["depth"] as? [String: Any])
    #expect(try #require(bounds["min"] as? Double) < 0.5)
    let target = try #require(info["target"] as? [Double])
    #expect(abs(target[0] - 32.5) < 0.5)
  }

  @Test func aPhotoWithoutASubject() throws {
    try installBoth()
    let wall = folder.file("wall.png")
    try write(wall, Pictures.png { x, y in [3, 3, Pictures.isSubject(x, y) ? 255 : y] })
    let (json, said) = try info(wall)
    #expect(source(json, "matte") == "cut" && maker(json, "matte") == nil)
    #expect(said.split(separator: "\n").count == 1 && said.contains("no subject"))
    let line = try refusal(wall, "--estimate", "lift")
    #expect(line.contains(wall) && line.contains("no subject") && line.contains("--matte FILE"))
  }

  @Test func aTapOnTheBackground() throws {
    try installBoth()
    let (json, _) = try info(photo, "--subject", "0.02,0.9")
    #expect(source(json, "matte") == "lift")
    let said = try run([photo, "--subject", "0.02,0.9", "--frames", "1"]).error
    #expect(said.contains("names a point of the background"))
  }

  /// The disc on the right is tapped, and the other one is not cut out.
  @Test func theTapChoosesTheInstance() throws {
    try installBoth()
    let two = folder.file("two.png")
    func disc(_ x: Int, _ y: Int, _ centre: Int) -> Bool {
      (x - centre) * (x - centre) + (y - 24) * (y - 24) < 100
    }
    try write(
      two, Pictures.png { x, y in disc(x, y, 16) || disc(x, y, 48) ? [255, 0, 255] : [0, 0, y] })
    for (tap, chosen, other) in [("0.75,0.5", 48, 16), ("0.25,0.5", 16, 48)] {
      let layers = ScratchFolder()
      let run = try run([two, "--subject", tap, "--dump-layers", layers.path])
      #expect(run.ending == .exit(0), "\(run.error)")
      for stage in ["lift", "lift-instance", "depth-estimated", "depth-refined"] {
        #expect(layers.names.contains("\(stage).png"))
      }
      // A guessed depth gates nothing.
      #expect(!layers.names.contains("lift-gated.png"))
      let lift = try grey(layers.file("lift.png"))
      let instance = try grey(layers.file("lift-instance.png"))
      #expect(lift(chosen, 24) > 0.9 && lift(other, 24) > 0.9)
      #expect(instance(chosen, 24) > 0.9 && instance(other, 24) == 0)
    }
  }

  /// What the model takes in with the subject and lies far behind it.
  @Test func aGivenDepthGatesTheLift() throws {
    try install("lift", Self.red)
    try write(
      photo,
      Pictures.png { x, y in
        Pictures.isSubject(x, y) || (y > 30 && abs(x - 32) < 3) ? [250, 0, 0] : [0, 40, 4 * y]
      })
    try write(
      folder.file("photo_depth.png"),
      Pictures.grey { x, y in Pictures.isSubject(x, y) ? 220 : 30 })
    let layers = ScratchFolder()
    let run = try run([photo, "--dump-layers", layers.path])
    #expect(run.ending == .exit(0), "\(run.error)")
    let lift = try grey(layers.file("lift-instance.png"))
    let gated = try grey(layers.file("lift-gated.png"))
    #expect(lift(32, 45) > 0.5 && gated(32, 45) == 0)
    #expect(lift(32, 24) > 0.9 && gated(32, 24) > 0.9)
  }

  private func grey(_ path: String) throws -> (Int, Int) -> Float {
    let plane = try PhotoReader.depth(at: .file(path))
    return { plane[$0, $1] }
  }

  @Test func anotherModelIsAnotherRecipe() throws {
    try installBoth()
    let first = try #require(try info(photo).json["recipe"] as? String)
    #expect(try info(photo).json["recipe"] as? String == first)
    try install("depth", TestONNX(weights: [0, 0, 2]))
    #expect(try info(photo).json["recipe"] as? String != first)
    try installBoth()
    #expect(try info(photo).json["recipe"] as? String == first)
    try install("lift", Self.red, output: #""name": "plane", "least": 0.4"#)
    #expect(try info(photo).json["recipe"] as? String != first)
  }

  // MARK: Models that cannot be used

  enum Fault: CaseIterable {
    case missing, folder, empty, random, truncated, channels, notNumbers, constant, hugeWeights
    case otherOutput, otherInput, noCard, noJSON, cardWithoutKind, otherKind, absurdSize
  }

  @Test(arguments: Fault.allCases, [true, false])
  func modelsThatCannotBeUsed(_ fault: Fault, isNamed: Bool) throws {
    try installBoth()
    let file = models.file("depth.onnx")
    let card = models.file("depth.json")
    var words: [String] = []
    var named = "depth.onnx"
    switch fault {
    case .missing:
      // What is not there is not found, unless it was named.
      guard isNamed else { return }
      try FileManager.default.removeItem(atPath: file)
      words = ["cannot be opened", "get-models"]
    case .folder:
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      words = ["is no file"]
    case .empty:
      try write(file, [])
      words = ["is empty"]
    case .random:
      var state: UInt32 = 1
      try write(
        file,
        (0..<5000).map { _ in
          state = state &* 1_664_525 &+ 1_013_904_223
          return UInt8(state >> 24)
        })
      words = ["OpenCV"]
    case .truncated:
      try write(file, Self.blue.encode().dropLast(20))
      words = ["OpenCV"]
    case .channels:
      try install("depth", TestONNX(weights: [1, 0, 0, 0, 1, 0]))
      words = ["its output is 1x2x48x64", "1x3x48x64"]
    case .notNumbers:
      try install("depth", TestONNX(weights: [.nan, 0, 0]))
      words = ["no number"]
    case .constant:
      try install("depth", TestONNX(weights: [0, 0, 0]))
      words = ["same everywhere"]
    case .hugeWeights:
      var model = Self.blue
      model.claimedSides = [1, 3, 1 << 20, 1 << 20]
      try install("depth", model)
      words = ["OpenCV"]
    case .otherOutput:
      try install("depth", Self.blue, output: #""name": "nothing""#)
      words = ["OpenCV cannot run it", "nothing"]
    case .otherInput:
      try install("depth", Self.blue, [#""name": "image""#: #""name": "nobody""#])
      words = ["OpenCV cannot run it", "nobody"]
    case .noCard:
      guard isNamed else { return }
      try FileManager.default.removeItem(atPath: card)
      words = ["write \(card)", "docs/estimation.md"]
    case .noJSON:
      try write(card, Array("{".utf8))
      (words, named) = (["it is no JSON"], "depth.json")
    case .cardWithoutKind:
      try install("depth", Self.blue, [#""kind": "depth","#: ""])
      (words, named) = (["it has no kind"], "depth.json")
    case .otherKind:
      guard isNamed else { return }
      try install("depth", Self.blue, [#""kind": "depth""#: #""kind": "lift""#])
      words = ["--lift-model"]
    case .absurdSize:
      try install("depth", Self.blue, [#""multiple": 16"#: #""multiple": 99999"#])
      (words, named) = (["input.multiple"], "depth.json")
    }
    let line =
      try isNamed ? refusal(photo, "--depth-model", file) : refusal(photo, "--estimate", "depth")
    #expect(line.contains(models.file(named)), "\(line)")
    for word in words { #expect(line.contains(word), "\(line)") }
  }

  @Test func noWorker() throws {
    try installBoth()
    let script = "cp \"$0\" \"$1\"; MOTION_STREAM_MODELS='\(models.path)' \"$1\" \"$2\" --frames 1"
    let run = try Child(
      program: "/bin/bash", ["-c", script, Command.path, folder.file("alone"), photo]
    ).result()
    #expect(run.ending == .exit(1) && run.output.isEmpty)
    #expect(run.errorLines.count == 1 && run.error.contains("motion-estimate"), "\(run.error)")
  }

  /// What the worker says is a stranger's too.
  @Test(arguments: [
    ("echo 'no libopencv' >&2; exit 127", ["motion-estimate", "status 127 (no libopencv)"]),
    (
      #"printf 'mse1\0\0\0\0\4\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0'"#,
      [".onnx", "gives no answer"]
    ),
    ("cat >/dev/null; echo garbage", [".onnx", "gives no answer"]),
  ])
  func aBrokenWorker(script: String, words: [String]) throws {
    try installBoth()
    _ = try program(script, name: "motion-estimate")
    let command =
      "cp \"$0\" \"$1\"; MOTION_STREAM_MODELS='\(models.path)' \"$1\" \"$2\" --frames 1"
    let run = try Child(
      program: "/bin/bash", ["-c", command, Command.path, folder.file("alone"), photo]
    ).result()
    #expect(run.ending == .exit(1) && run.output.isEmpty && run.errorLines.count == 1)
    for word in words { #expect(run.error.contains(word), "\(run.error)") }
  }

  @Test func aStrayCardIsPassedOver() throws {
    try installBoth()
    try write(models.file("a-note.json"), Array("{}".utf8))
    #expect(source(try info(photo).0, "depth") == "estimated")
  }

  // MARK: Programs

  /// A program that is run as a shell's, with `{in}` and `{out}` as its first words.
  private func program(_ script: String, name: String = "prog") throws -> String {
    let path = folder.file(name)
    try write(path, Array("#!/bin/sh\n\(script)\n".utf8))
    chmod(path, 0o755)
    return "'\(path)' {in} {out}"
  }

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
    ("echo garbage >\"$2\"", ["what it wrote", "no picture of a kind"]),
    (": >\"$2\"", ["what it wrote is empty"]),
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
    let usage = try refusal(photo, "--depth-command", "prog {in}", status: 2)
    #expect(usage.contains("--depth-command"))
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

  private func isZombie(_ process: pid_t) -> Bool {
    contents("/proc/\(process)/stat").map {
      String(decoding: $0, as: UTF8.self).contains(") Z ")
    } ?? true
  }

  // MARK: GrabCut

  @Test func theEdgeIsFoundByColours() throws {
    // The depth's disc is smaller than the photo's.
    try write(
      folder.file("photo_depth.png"),
      Pictures.grey { x, y in (x - 32) * (x - 32) + (y - 24) * (y - 24) < 100 ? 200 : 50 })
    let layers = ScratchFolder()
    let run = try run([photo, "--cut", "grabcut", "--dump-layers", layers.path, "-v"])
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(run.error.contains("matte: grabcut"))
    let coverage = try grey(layers.file("coverage.png"))
    #expect(coverage(32, 24) > 0.99 && coverage(32, 13) > 0.99 && coverage(20, 2) == 0)
    // Where the depth has a ramp that no colour follows, the cut from the depth stays.
    try write(folder.file("photo_depth.png"), Pictures.grey { x, _ in 3 * x })
    #expect(try self.run([photo, "--cut", "grabcut", "--frames", "1"]).ending == .exit(0))
    try write(
      folder.file("photo_matte.png"), Pictures.grey { x, y in Pictures.isSubject(x, y) ? 255 : 0 })
    #expect(try refusal(photo, "--cut", "grabcut", status: 2).contains("leave it out"))
  }
}
