import Foundation
import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct PhotoReaderTests {
  static let grey = TestPNG(width: 3, height: 1, bits: 16, color: .grey).encode { x, _ in
    [x * 13107]
  }

  @Test func theThreeRoles() throws {
    try withFile(Self.grey) { name in
      let path = InputPath(name)
      let photo = try PhotoReader.photo(at: path)
      #expect(photo.size == Size(width: 3, height: 1))
      guard case .sixteen(let plane) = photo.samples else {
        Issue.record("16 bits did not stay")
        return
      }
      #expect(plane[2, 0] == [26214, 26214, 26214, 65535])
      #expect(try PhotoReader.depth(at: path).samples == [0, 0.2, 0.4])
      #expect(try PhotoReader.matte(at: path).samples == [0, 0.2, 0.4])
    }
  }

  @Test func namesDoNotMatter() throws {
    try withFile(soundFiles.first { $0.name == "JPEG" }!.bytes) { name in
      try FileManager.default.copyItem(atPath: name, toPath: name + ".png")
      defer { try? FileManager.default.removeItem(atPath: name + ".png") }
      let photo = try PhotoReader.photo(at: .file(name + ".png"))
      #expect(photo.size == Size(width: 250, height: 130))
    }
  }

  static func problem(_ bytes: [UInt8], maxPixels: Int = 1000) throws -> Problem? {
    try withFile(bytes) { name in
      do throws(PhotoInputError) {
        _ = try PhotoReader.photo(at: .file(name), maxPixels: maxPixels)
        return nil
      } catch {
        #expect(error.path == .file(name))
        return error.problem
      }
    }
  }

  @Test func errorsNameTheFile() throws {
    #expect(try Self.problem([]) == .empty)
    #expect(
      try Self.problem(Array("once upon a time".utf8))
        == .notAPicture(head: Array("once upon a time".utf8)))
    #expect(try Self.problem(Array("once".utf8)) == .notAPicture(head: Array("once".utf8)))
    #expect(
      try Self.problem(Self.grey, maxPixels: 2)
        == .tooLarge(size: Size(width: 3, height: 1), maxPixels: 2))
    #expect(try Self.problem(Array(Self.grey.dropLast(20))) == .truncated(kind: "PNG"))
  }

  @Test func colouredDepth() throws {
    let bytes = TestPNG(width: 1, height: 1, color: .rgb).encode { _, _ in [9, 99, 9] }
    try withFile(bytes) { name in
      let path = InputPath.file(name)
      #expect(throws: PhotoInputError(path: path, problem: .coloured(role: .depth))) {
        try PhotoReader.depth(at: path)
      }
      #expect(throws: PhotoInputError(path: path, problem: .coloured(role: .matte))) {
        try PhotoReader.matte(at: path)
      }
    }
  }

  @Test func depthWithoutASingleMeasurement() throws {
    let bytes = Array("Pf\n2 1\n-1\n".utf8) + [0, 0, 0xC0, 0x7F, 0, 0, 0xC0, 0x7F]
    let depth = try withFile(bytes) { path in try PhotoReader.depth(at: .file(path)) }
    #expect(throws: DisparityMap.Unusable.nothingKnown) {
      try DisparityMap(samples: depth, kind: .disparity)
    }
  }

  @Test func standardInput() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0, dup2(ends[0], STDIN_FILENO) >= 0 else { exit(2) }
      let bytes = TestPNG(width: 2, height: 1, color: .grey).encode { x, _ in [x * 255] }
      guard write(ends[1], bytes, bytes.count) == bytes.count, close(ends[1]) == 0 else { exit(3) }
      exit(try PhotoReader.depth(at: InputPath("-")).samples == [0, 1] ? 0 : 1)
    }
  }

  /// Photographs beside the checkout, or where the environment says; not there, not tested.
  static let photos: String? = {
    let beside = URL(fileURLWithPath: #filePath).appending(path: "../../../../shared/photos")
    let path = ProcessInfo.processInfo.environment["MOTION_PHOTOS"] ?? beside.standardized.path
    return FileManager.default.fileExists(atPath: path + "/README.md") ? path : nil
  }()

  @Test(.enabled(if: photos != nil, "no photographs here")) func realPhotographs() throws {
    let folder = try #require(Self.photos)
    func path(_ name: String) -> InputPath { .file("\(folder)/\(name)") }

    let vase = try PhotoReader.photo(at: path("vase-iphone-mpf.jpg"))
    #expect(vase.size == Size(width: 3024, height: 4032))
    #expect(vase.focalLength35 == 52)
    #expect(!vase.hasAlpha)
    let dahlia = try PhotoReader.photo(at: path("dahlia-gdepth.jpg"))
    #expect(dahlia.size == Size(width: 1536, height: 2048))
    #expect(dahlia.focalLength35 == 34)
    let astronaut = try PhotoReader.photo(at: path("astronaut.png"))
    #expect(astronaut.size == Size(width: 512, height: 512))

    let matte = try PhotoReader.matte(at: path("vase-matte.png"))
    #expect(matte.size == Size(width: 1080, height: 1440))
    #expect(matte.samples.min() == 0 && matte.samples.max() == 1)
    let depth = try DisparityMap(
      samples: PhotoReader.depth(at: path("astronaut-depth.png")),
      kind: .relative(nearIsWhite: true, range: 4))
    #expect(depth.knownRange == 0.25...1)
    #expect(throws: PhotoInputError.self) { try PhotoReader.depth(at: path("astronaut.png")) }
  }
}
