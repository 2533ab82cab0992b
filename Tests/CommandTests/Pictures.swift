import Foundation
import TestSupport

/// A small photo with its matte and depth: a disc before a wall, 64×48.
struct Pictures {
  let folder = ScratchFolder()
  let photo: String
  let matte: String
  let depth: String

  init() throws {
    (photo, matte, depth) = (
      folder.file("photo.png"), folder.file("matte.png"), folder.file("depth.png")
    )
    let isSubject = Self.isSubject
    try write(
      "photo.png", Self.png { x, y in isSubject(x, y) ? [200, 80, 40] : [x * 3, y * 4, 90] })
    try write("matte.png", Self.grey { x, y in isSubject(x, y) ? 255 : 0 })
    try write("depth.png", Self.grey { x, y in isSubject(x, y) ? 220 : 60 })
  }

  /// Whether a pixel is the disc's.
  static func isSubject(_ x: Int, _ y: Int) -> Bool {
    (x - 32) * (x - 32) + (y - 24) * (y - 24) < 144
  }

  /// Puts a file beside the photo and gives its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder.file(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  static func png(_ pixel: (Int, Int) -> [Int]) -> [UInt8] {
    TestPNG(width: 64, height: 48, color: .rgb).encode(pixel)
  }

  static func grey(_ width: Int = 64, _ height: Int = 48, _ value: (Int, Int) -> Int) -> [UInt8] {
    TestPNG(width: width, height: height, color: .grey).encode { x, y in [value(x, y)] }
  }

  /// A PFM, symmetric from top to bottom or not: its rows run upwards.
  static func pfm(_ value: (Int, Int) -> Float) -> [UInt8] {
    var bytes = Array("Pf\n64 48\n-1.0\n".utf8)
    for y in (0..<48).reversed() {
      for x in 0..<64 { bytes += bigEndian(Int(value(x, y).bitPattern), 4).reversed() }
    }
    return bytes
  }
}
