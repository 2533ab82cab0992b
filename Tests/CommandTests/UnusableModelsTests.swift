import Foundation
import TestSupport
import Testing

@testable import motion_stream

/// Models and workers that cannot be used: one line each.
@Suite struct UnusableModelsTests: EstimationSuite {
  let bare: BarePhoto

  init() throws { bare = try BarePhoto() }

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
      words = ["has no tensor", "nothing", "output.name in its card"]
    case .otherInput:
      try install("depth", Self.blue, [#""name": "image""#: #""name": "nobody""#])
      words = ["has no tensor", "nobody", "input.name"]
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
    ("kill -9 $$", [".onnx", "the system ended OpenCV", "memory"]),
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

  #if os(Linux)
    /// Even a run that is killed leaves no worker behind that waits for it.
    @Test func theWorkerEndsWithItsParent() throws {
      let pid = folder.file("pid")
      let worker = URL(fileURLWithPath: Command.path).deletingLastPathComponent()
        .appendingPathComponent("motion-estimate").path
      // A pipe that the worker itself holds open, so that it never ends.
      let script = """
        mkfifo '\(pid).in'; exec 3<>'\(pid).in'; "$0" <&3 & echo $! >'\(pid).new'
        mv '\(pid).new' '\(pid)'; wait
        """
      let parent = try Child(program: "/bin/bash", ["-c", script, worker])
      #expect(eventually { contents(pid) != nil })
      let process = try #require(
        contents(pid).flatMap {
          pid_t(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        })
      func stat() -> String {
        contents("/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self) } ?? ""
      }
      // It has come to reading.
      var (last, times) = ("", 0)
      #expect(
        eventually {
          let now = stat()
          times = now.contains("(motion-estimate) S ") && now == last ? times + 1 : 0
          last = now
          return times > 5
        })
      parent.send(SIGKILL)
      _ = parent.wait()
      #expect(eventually { kill(process, 0) != 0 || isZombie(process) })
    }
  #endif

  @Test func aStrayCardIsPassedOver() throws {
    try installBoth()
    try write(models.file("a-note.json"), Array("{}".utf8))
    #expect(source(try info(photo).0, "depth") == "estimated")
  }
}
