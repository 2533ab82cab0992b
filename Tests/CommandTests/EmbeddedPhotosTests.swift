import Foundation
import Testing

/// Photographs that bring their depth along, through the whole command.
@Suite struct EmbeddedPhotosTests {
  /// Photographs beside the checkout, or where the environment says; not there, not tested.
  static let photos: String? = {
    let beside = URL(fileURLWithPath: #filePath).appending(path: "../../../../shared/photos")
    let path = ProcessInfo.processInfo.environment["MOTION_PHOTOS"] ?? beside.standardized.path
    return FileManager.default.fileExists(atPath: path + "/README.md") ? path : nil
  }()

  static func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(try #require(photos))/\(name)"))
  }

  static func withFile(_ bytes: Data, _ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "photo-\(UUID().uuidString).jpg"
    try bytes.write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test(
    .enabled(if: photos != nil, "no photographs here"),
    arguments: [("vase-iphone-mpf.jpg", "white"), ("dahlia-gdepth.jpg", "black")])
  func nothingElseIsNeeded(name: String, near: String) throws {
    let result = try Command.run("\(Self.photos!)/\(name)", "--move", "vertigo", "--info")
    #expect(result.ending == .exit(0))
    let plan = try #require(
      JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    let depth = try #require(plan["depth"] as? [String: Any])
    #expect(depth["source"] as? String == "embedded")
    #expect(depth["kind"] as? String == "disparity")
    #expect(depth["near"] as? String == near)
  }

  @Test(.enabled(if: photos != nil, "no photographs here")) func brokenDepth() throws {
    try Self.withFile(try Self.bytes("vase-iphone-mpf.jpg").dropLast(1000)) { path in
      let alone = try Command.run(path, "--info")
      #expect(alone.ending == .exit(1))
      let line = "motion-stream: \(path): the depth in it cannot be used: the JPEG ends too early"
      #expect(alone.error.hasPrefix(line))
      #expect(alone.error.contains("--depth FILE"))
      // With the user's own files the photo is as good as any.
      let whole = "\(Self.photos!)/vase-iphone-mpf.jpg"
      for option in ["--depth=\(whole)", "--matte=\(Self.photos!)/vase-matte.png"] {
        #expect(try Command.run(path, option, "--info").ending == .exit(0))
      }
    }
  }
}
