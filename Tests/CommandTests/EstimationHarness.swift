import Foundation
import MotionCore
import PhotoInput
import TestSupport
import Testing

/// A photo that says nothing of itself, and a folder for models: single convolutions, so that these tests
/// run where none is installed.
struct BarePhoto {
  let folder = ScratchFolder()
  let models = ScratchFolder()
  let photo: String

  /// A disc that is red, before a wall that is blue from top to bottom.
  init() throws {
    photo = folder.file("photo.png")
    let pixels = Pictures.png { x, y in
      Pictures.isSubject(x, y) ? [250, 40, 250] : [0, 40, 4 * y]
    }
    try Data(pixels).write(to: URL(fileURLWithPath: photo))
  }
}

/// Tests of what is made of such a photo.
protocol EstimationSuite {
  var bare: BarePhoto { get }
}

extension EstimationSuite {
  var folder: ScratchFolder { bare.folder }
  var models: ScratchFolder { bare.models }
  var photo: String { bare.photo }

  func write(_ path: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// A card with what is asked of its output, and some of it replaced.
  static func card(_ kind: String, _ output: String, _ changes: [String: String] = [:])
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
  func install(
    _ kind: String, _ model: TestONNX, output: String = #""name": "plane""#,
    _ changes: [String: String] = [:]
  ) throws {
    try write(models.file("\(kind).onnx"), model.encode())
    try write(models.file("\(kind).json"), Array(Self.card(kind, output, changes).utf8))
  }

  /// Red is the subject, and blue is near.
  static var red: TestONNX { TestONNX(weights: [1, 0, 0]) }
  static var blue: TestONNX { TestONNX(weights: [0, 0, 1]) }

  func installBoth() throws {
    try install("lift", Self.red, output: #""name": "plane", "least": 0.5"#)
    try install("depth", Self.blue)
  }

  func run(_ arguments: [String], program: String = Command.path) throws -> Child.Result {
    try Child(
      program: program, arguments,
      environment: ["MOTION_STREAM_MODELS": models.path, "TMPDIR": folder.path]
    ).result()
  }

  func info(_ arguments: String...) throws -> (json: [String: Any], said: String) {
    let run = try run(arguments + ["--info"])
    #expect(run.ending == .exit(0), "\(run.error)")
    let json = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    return (try #require(json), run.error)
  }

  func source(_ info: [String: Any], _ map: String) -> String? {
    (info[map] as? [String: Any])?["source"] as? String
  }

  func maker(_ info: [String: Any], _ map: String) -> String? {
    ((info[map] as? [String: Any])?["madeBy"] as? [String: Any])?["name"] as? String
  }

  /// The one line that a run ends with.
  func refusal(_ arguments: String..., status: Int32 = 1) throws -> String {
    let run = try run(arguments + ["-o", folder.file("out.y4m")])
    #expect(run.ending == .exit(status), "\(arguments): \(run.error)")
    #expect(run.errorLines.count == 1, "\(run.error)")
    #expect(run.error.utf8.count < 500, "\(run.error)")
    #expect(!folder.names.contains { $0.hasPrefix("out") || $0.hasPrefix("motion-stream-") })
    return run.error
  }

  func grey(_ path: String) throws -> (Int, Int) -> Float {
    let plane = try PhotoReader.depth(at: .file(path))
    return { plane[$0, $1] }
  }

  /// A program that is run as a shell's, with `{in}` and `{out}` as its first words.
  func program(_ script: String, name: String = "prog") throws -> String {
    let path = folder.file(name)
    try write(path, Array("#!/bin/sh\n\(script)\n".utf8))
    chmod(path, 0o755)
    return "'\(path)' {in} {out}"
  }

  func isZombie(_ process: pid_t) -> Bool {
    contents("/proc/\(process)/stat").map {
      String(decoding: $0, as: UTF8.self).contains(") Z ")
    } ?? true
  }
}
