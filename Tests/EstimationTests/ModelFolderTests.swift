import Foundation
import Testing

@testable import Estimation

@Suite struct ModelFolderTests {
  @Test(arguments: [
    (["MOTION_STREAM_MODELS": "/m", "HOME": "/h"], ["/m"]),
    (
      ["XDG_DATA_HOME": "/x", "HOME": "/h", "MOTION_STREAM_MODELS": ""],
      [
        "/x/motion-stream/models", "/usr/local/share/motion-stream/models",
        "/usr/share/motion-stream/models",
      ]
    ),
    (
      ["HOME": "/h"],
      [
        "/h/.local/share/motion-stream/models", "/usr/local/share/motion-stream/models",
        "/usr/share/motion-stream/models",
      ]
    ),
    (
      [:], ["/usr/local/share/motion-stream/models", "/usr/share/motion-stream/models"]
    ),
  ])
  func folders(environment: [String: String], paths: [String]) {
    #expect(ModelFolder(environment: environment).paths == paths)
  }

  @Test func aFolderThatIsNamedAndMissing() throws {
    let (model, misses) = try ModelFolder(environment: ["MOTION_STREAM_MODELS": "/no/such"])
      .find(.lift)
    #expect(model == nil && misses == [.noFolder(path: "/no/such", errno: ENOENT)])
    // Nobody named these.
    #expect(try ModelFolder(environment: ["XDG_DATA_HOME": "/no/such"]).find(.lift).misses == [])
  }

  @Test func aCardWithoutItsModel() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    func card(_ file: String) -> String {
      """
      {"name": "n", "kind": "lift", "file": "\(file)", "input": {"size": [8, 8]}, "output": {}}
      """
    }
    try write("a.json", card("a.onnx"))
    let models = ModelFolder(environment: ["MOTION_STREAM_MODELS": folder.path])
    let miss = ModelFolder.Miss.noFile(
      card: folder.path + "/a.json", file: folder.path + "/a.onnx")
    #expect(try models.find(.lift).misses == [miss] && models.find(.depth).misses == [])
    try write("b.json", card("b.onnx"))
    try write("b.onnx", "model")
    let (model, misses) = try models.find(.lift)
    #expect(model?.path == folder.path + "/b.onnx" && misses == [miss])
  }
}
