import Foundation
import MotionCore
import TestSupport

@testable import PhotoInput

/// Decodes bytes in memory.
func decode(_ bytes: [UInt8], maxPixels: Int = 1_000_000) throws(Problem) -> Picture {
  try PhotoReader.picture(bytes.span.bytes, maxPixels: maxPixels)
}

extension Picture {
  /// R, G, B, A of a pixel, or its one float.
  subscript(x: Int, y: Int) -> [Double] {
    switch samples {
    case .eight(let plane): (0..<4).map { Double(plane[x, y][$0]) }
    case .sixteen(let plane): (0..<4).map { Double(plane[x, y][$0]) }
    case .float(let plane): [Double(plane[x, y])]
    }
  }

  /// All values in row order.
  var values: [Double] {
    (0..<size.height).flatMap { y in (0..<size.width).flatMap { x in self[x, y] } }
  }
}

/// A file of the given bytes that is there while `body` runs.
func withFile<Result>(_ bytes: [UInt8] = [], _ body: (_ path: String) throws -> Result) throws
  -> Result
{
  let path = NSTemporaryDirectory() + "picture-\(UUID().uuidString)"
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try body(path)
}

/// A sequence of pseudo-random numbers that is the same on every run.
struct Noise: RandomNumberGenerator {
  var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

#if HEIC
  /// The kinds that are not read in this build.
  let leftOut: Set<String> = []
  private let heifFiles: [(name: String, bytes: [UInt8])] = [
    ("HEIC", TestHEIC.portrait),
    ("HEIC of 10 bits", TestHEIF([TestHEIC.photo(bits: 10)]).encode()),
    ("AVIF", TestHEIC.avif()),
  ]
#else
  let leftOut: Set<String> = ["HEIC", "AVIF"]
  private let heifFiles: [(name: String, bytes: [UInt8])] = []
#endif

/// A small sound file of every kind that is read, by its name.
let soundFiles: [(name: String, bytes: [UInt8])] = {
  var noise = Noise()
  let values = (0..<64 * 40 * 4).map { _ in Int.random(in: 0..<256, using: &noise) }
  return heifFiles + [
    (
      "PNG",
      TestPNG(width: 23, height: 20).encode { x, y in
        (0..<4).map { values[(y * 23 + x) * 4 + $0] }
      }
    ),
    (
      "PNG interlaced",
      TestPNG(width: 23, height: 20, bits: 16, color: .rgb, isInterlaced: true).encode { x, y in
        (0..<3).map { values[(y * 23 + x) * 3 + $0] * 257 }
      }
    ),
    (
      "JPEG",
      TestJPEG(width: 250, height: 130, sampling: TestJPEG.yuv420).encode { component, x, y in
        UInt8(values[(y / 8 * 32 + x / 8) * 3 + component])
      }
    ),
    (
      "JPEG with restarts",
      TestJPEG(width: 250, height: 130, sampling: TestJPEG.yuv420, restart: 5).encode {
        component, x, y in UInt8(values[(y / 8 * 32 + x / 8) * 3 + component])
      }
    ),
    (
      "JPEG progressive",
      TestJPEG(width: 250, height: 130, sampling: TestJPEG.yuv420, frame: 0xC2).encode {
        component, x, y in UInt8(values[(y / 8 * 32 + x / 8) * 3 + component])
      }
    ),
    ("WebP", TestWebP.noise),
    ("WebP with losses", TestWebP.lossy),
    (
      "TIFF",
      TestTIFF(width: 23, height: 20, bits: 16, channels: 3, photometric: 2).encode { x, y, c in
        values[(y * 23 + x) * 3 + c] * 257
      }
    ),
    (
      "BMP",
      testBMP(width: 23, height: 20) { x, y in
        (0..<3).map { values[(y * 23 + x) * 3 + $0] }
      }
    ),
    (
      "GIF",
      TestGIF(width: 30, height: 20, palette: (0..<128).map { [$0, 2 * $0, 255 - $0] }).encode {
        x, y in values[y * 30 + x] / 2
      }
    ),
    ("PNM", Array("P6\n20 12\n255\n".utf8) + (0..<720).map { UInt8(values[$0]) }),
    (
      "NPY",
      TestNPY.encode("<u2", [12, 20], bits: (0..<240).map { values[$0] * 257 })
    ),
    ("PFM", Array("Pf\n20 12\n-1.0\n".utf8) + (0..<960).map { UInt8(values[$0]) }),
  ]
}()
