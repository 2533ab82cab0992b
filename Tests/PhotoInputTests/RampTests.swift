import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

/// A ramp over all codes of 16 bits, through every kind that has them.
@Suite struct RampTests {
  static let (width, height) = (4096, 16)

  static let writers: [(name: String, write: @Sendable (_ bits: Int) -> [UInt8])] = [
    (
      "PNG",
      { bits in
        TestPNG(width: width, height: height, bits: bits, color: .grey).encode { x, y in
          [code(x, y, bits)]
        }
      }
    ),
    (
      "TIFF",
      { bits in
        TestTIFF(width: width, height: height, bits: bits).encode { x, y, _ in code(x, y, bits) }
      }
    ),
    (
      "PNM",
      { bits in
        Array("P5 \(width) \(height) \(1 << bits - 1)\n".utf8)
          + codes(bits).flatMap { bigEndian($0, bits / 8) }
      }
    ),
    ("NPY", { bits in TestNPY.encode(">u\(bits / 8)", [height, width], bits: codes(bits)) }),
  ]

  static func code(_ x: Int, _ y: Int, _ bits: Int) -> Int {
    let code = y * width + x
    return bits == 16 ? code : (code * 255 + 32767) / 65535
  }

  static func codes(_ bits: Int) -> [Int] {
    (0..<height).flatMap { y in (0..<width).map { x in code(x, y, bits) } }
  }

  @Test(arguments: writers.indices) func noStepIsLost(index: Int) throws {
    let write = Self.writers[index].write
    let fine = try decode(write(16)).depth().samples
    let coarse = try decode(write(8)).depth().samples
    #expect(fine.first == 0 && fine.last == 1 && coarse.first == 0 && coarse.last == 1)
    let steps = zip(fine.dropFirst(), fine).map { $0 - $1 }
    #expect(steps.allSatisfy { $0 > 0 && $0 < 1.01 / 65535 })
    #expect(zip(fine, coarse).allSatisfy { abs($0 - $1) <= 0.51 / 255 })
  }
}
