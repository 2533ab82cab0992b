import Foundation
import TestSupport
import Testing

/// Photographs that bring their depth along, through the whole command.
@Suite struct EmbeddedPhotosTests {
  /// Photographs beside the checkout, or where the environment says; not there, not tested.
  static let photos: String? = {
    let beside = URL(fileURLWithPath: #filePath).appending(path: "../../../../shared/photos")
    let path = ProcessInfo.processInfo.environment["MOTION_PHOTOS"] ?? beside.standardized.path
    return FileManager.default.fileExists(atPath: path + "/README.md") ? path : nil
  }()

  #if HEIC
    static let heic = [("pug-iphone.heic", "white")]
  #else
    static let heic: [(String, String)] = []
  #endif

  static func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(try #require(photos))/\(name)"))
  }

  static func withFile(_ bytes: Data, _ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "photo-\(UUID().uuidString).jpg"
    try bytes.write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  static func info(_ run: Child.Result, _ part: String) throws -> [String: Any] {
    #expect(run.ending == .exit(0), "\(run.error)")
    let plan = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    return try #require(plan?[part] as? [String: Any])
  }

  /// Only what contradicts the file is refused.
  @Test func aDepthInAPhotoSaysWhatItMeans() throws {
    let photo = Data(TestPhoto.multiPicture([TestPhoto.disparity]))
    let bare = Data(TestPhoto.photograph())
    try Self.withFile(photo) { whole in
      try Self.withFile(bare) { other in
        for command in [[whole], [other, "--depth", whole]] {
          let wrong = [
            ["--depth-kind", "metric"], ["--depth-kind", "relative"], ["--near", "black"],
            ["--depth-range", "4"],
          ]
          for options in wrong {
            let run = try Child(command + options + ["--info"]).result()
            #expect(run.ending == .exit(2) && run.errorLines.count == 1)
            #expect(run.error.contains(whole) && run.error.contains("leave out \(options[0])"))
          }
          let right = ["--depth-kind", "disparity", "--near", "white", "--info"]
          let run = try Child(command + right).result()
          #expect(try Self.info(run, "depth")["kind"] as? String == "disparity")
          #expect(run.error.isEmpty)
        }
      }
    }
  }

  #if HEIC
    /// A HEIC needs nothing beside it, and lends its maps to another picture.
    @Test func aPhotoThatIsNoJPEG() throws {
      try Self.withFile(Data(TestHEIC.portrait)) { whole in
        try Self.withFile(Data(TestPhoto.photograph())) { other in
          for command in [[whole], [other, "--depth", whole, "--matte", whole]] {
            let run = try Child(command + ["--info"]).result()
            let depth = try Self.info(run, "depth")
            #expect(depth["kind"] as? String == "disparity" && depth["near"] as? String == "white")
            let source = command.count == 1 ? "embedded" : "file"
            #expect(depth["source"] as? String == source && run.error.isEmpty)
            #expect(try Self.info(run, "matte")["source"] as? String == source)
          }
        }
      }
    }

    /// What the file leaves open is the options' to say.
    @Test func aDepthThatDoesNotSayWhatItMeans() throws {
      let bytes = TestHEIF([TestHEIC.photo(), TestHEIC.map(TestHEIF.depthType)]).encode()
      try Self.withFile(Data(bytes)) { path in
        for (options, near) in [
          ([], "white"), (["--near", "black", "--depth-range", "9"], "black"),
        ] {
          let run = try Child([path, "--info"] + options).result()
          let depth = try Self.info(run, "depth")
          #expect(depth["source"] as? String == "embedded")
          #expect(depth["kind"] as? String == "relative" && depth["near"] as? String == near)
        }
      }
    }
  #endif

  @Test func whichPhotoIsSaid() throws {
    func photo(_ original: String?) -> Data {
      let image = original.map { [("GImage:Mime", "image/jpeg"), ("GImage:Data", $0)] } ?? []
      return Data(TestPhoto.plain(TestPhoto.depthProperties(TestPhoto.png()) + image))
    }
    try Self.withFile(photo(TestXMP.base64(TestPhoto.photograph(value: 200)))) { path in
      let run = try Command.run(path, "--info")
      #expect(try Self.info(run, "photo")["variant"] as? String == "original")
      let edited = try Command.run(path, "--info", "--photo-variant", "edited")
      #expect(try Self.info(edited, "photo")["variant"] as? String == "edited")
      #expect(run.error.isEmpty && edited.error.isEmpty)
      let film = try Command.run(path, "-v", "--frames", "1")
      #expect(film.error.contains("photo 32x48 (original)"))
    }
    try Self.withFile(photo(nil)) { path in
      let run = try Command.run(path, "--info")
      #expect(try Self.info(run, "photo")["variant"] is NSNull && run.error.isEmpty)
    }
    // One that cannot be used is said, and the other taken.
    try Self.withFile(photo("none")) { path in
      let run = try Command.run(path, "--info")
      #expect(try Self.info(run, "photo")["variant"] as? String == "edited")
      #expect(run.errorLines.count == 1 && run.error.contains("original"))
      let edited = try Command.run(path, "--info", "--photo-variant", "edited")
      #expect(edited.error.isEmpty)
    }
  }

  @Test func aMatteCutOffIsSaid() throws {
    let bytes = TestPhoto.multiPicture([TestPhoto.disparity, TestPhoto.matte])
    try Self.withFile(Data(bytes.dropLast(TestPhoto.matte.count))) { path in
      for options in [["--info"], ["--frames", "1"]] {
        let run = try Child([path] + options).result()
        #expect(run.ending == .exit(0) && run.errorLines.count == 1, "\(run.error)")
        #expect(run.error.contains("matte") && run.error.contains("ends too early"))
        #expect(try Child([path, "-q"] + options).result().error.isEmpty)
      }
    }
  }

  @Test(
    .enabled(if: photos != nil, "no photographs here"),
    arguments: [("vase-iphone-mpf.jpg", "white"), ("dahlia-gdepth.jpg", "black")] + heic)
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
