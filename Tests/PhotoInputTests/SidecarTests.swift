import Foundation
import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct SidecarTests {
  static let picture = TestPNG(width: 1, height: 1, color: .grey).encode { _, _ in [1] }

  /// What is found beside `photo` in a folder that holds it and the named pictures.
  static func found(
    _ role: PhotoInputError.Role, beside photo: String = "IMG.jpg", of names: [String],
    other: [String: [UInt8]] = [:]
  ) throws -> String? {
    let folder = NSTemporaryDirectory() + "sidecars-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in names + [photo] {
      try Data(picture).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    for (name, bytes) in other {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let path = Sidecar.find(role, beside: .file("\(folder)/\(photo)"))
    return path.map { String($0.description.dropFirst(folder.count + 1)) }
  }

  @Test(arguments: ["_", "-", "."], ["depth", "matte", "mask", "alpha"])
  func names(separator: String, word: String) throws {
    let role: PhotoInputError.Role = word == "depth" ? .depth : .matte
    let other: PhotoInputError.Role = word == "depth" ? .matte : .depth
    for ending in ["png", "tiff", "whatever"] {
      let name = "IMG\(separator)\(word).\(ending)"
      #expect(try Self.found(role, of: [name]) == name)
      #expect(try Self.found(other, of: [name]) == nil)
    }
  }

  @Test(arguments: [
    "IMG2_depth.png", "IMG_depth", "IMG_depth.", "IMGdepth.png", "MG_depth.png", "IMG_depths.png",
    "IMG.jpg_depth.png", "depth.png", "img_depth.png",
  ])
  func otherNames(name: String) throws {
    #expect(try Self.found(.depth, of: [name]) == nil)
  }

  @Test func theOrderIsAlwaysTheSame() throws {
    var names = [
      "IMG_matte.png", "IMG_matte.tiff", "IMG-matte.png", "IMG.matte.png", "IMG_mask.png",
      "IMG.mask.png", "IMG_alpha.png",
    ]
    while let first = names.first {
      #expect(try Self.found(.matte, of: names.reversed()) == first)
      names.removeFirst()
    }
  }

  /// Told by content: what is no picture is passed over, a broken one is not.
  @Test func onlyPictures() throws {
    let text = Array("see the wiki".utf8)
    #expect(try Self.found(.depth, of: [], other: ["IMG_depth.json": text]) == nil)
    #expect(
      try Self.found(.depth, of: ["IMG-depth.png"], other: ["IMG_depth.txt": text])
        == "IMG-depth.png")
    #expect(
      try Self.found(.depth, of: [], other: ["IMG_depth.png": Array(Self.picture.prefix(20))])
        == "IMG_depth.png")
    // Its name promises a picture: the reader says that it is none.
    #expect(try Self.found(.depth, of: [], other: ["IMG_depth.PNG": text]) == "IMG_depth.PNG")
    #expect(try Self.found(.depth, of: [], other: ["IMG_depth.npy": []]) == "IMG_depth.npy")
    #expect(try Self.found(.depth, of: [], other: ["IMG_depth.done": []]) == nil)
  }

  @Test func photosWithoutEnding() throws {
    #expect(try Self.found(.depth, beside: "IMG", of: ["IMG_depth.png"]) == "IMG_depth.png")
    #expect(try Self.found(.depth, beside: "a.b.jpg", of: ["a.b_depth.png"]) == "a.b_depth.png")
    #expect(Sidecar.find(.depth, beside: .standardInput) == nil)
    #expect(Sidecar.find(.depth, beside: .file("/nonexistent/IMG.jpg")) == nil)
  }

  @Test func neverThePhotoItself() throws {
    let folder = NSTemporaryDirectory() + "sidecars-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(Self.picture).write(to: URL(fileURLWithPath: "\(folder)/IMG_depth.png"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/IMG.png", withDestinationPath: "IMG_depth.png")
    #expect(Sidecar.find(.depth, beside: .file("\(folder)/IMG.png")) == nil)
  }
}
