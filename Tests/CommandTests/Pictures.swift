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
    let isSubject = { (x: Int, y: Int) in (x - 32) * (x - 32) + (y - 24) * (y - 24) < 144 }
    try write(
      "photo.png", Self.png { x, y in isSubject(x, y) ? [200, 80, 40] : [x * 3, y * 4, 90] })
    try write("matte.png", Self.grey { x, y in isSubject(x, y) ? 255 : 0 })
    try write("depth.png", Self.grey { x, y in isSubject(x, y) ? 220 : 60 })
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

  /// A PFM of one value.
  static func pfm(_ value: Float) -> [UInt8] {
    Array("Pf\n64 48\n-1.0\n".utf8)
      + [Float](repeating: value, count: 64 * 48).flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
      }
  }
}
