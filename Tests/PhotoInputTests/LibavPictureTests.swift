import Foundation
import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

/// Encodes pixels of the encoder's own format with ffmpeg, so that nothing is converted, and expects
/// the very same.
///
/// - Parameters:
///   - order: what the samples of a pixel are: `r`, `g`, `b`, `a`, `y` for grey, `x` for nothing.
///   - bytes: of a sample, little endian, or big endian where negative.
func expectExact(
  _ ending: String, _ pixelFormat: String, _ order: String, _ bytes: Int, _ options: [String] = []
) throws {
  let (width, height) = (27, 19)
  var noise = Noise()
  let count = width * height * order.count
  let raw = (0..<count * abs(bytes)).map { _ in UInt8.random(in: 0...255, using: &noise) }
  let file = try withFile(raw) { input in
    let output = input + "." + ending
    defer { try? FileManager.default.removeItem(atPath: output) }
    try FFmpegProgram.run(
      ["-f", "rawvideo", "-pix_fmt", pixelFormat, "-s", "\(width)x\(height)", "-i", input]
        + ["-frames:v", "1", "-pix_fmt", pixelFormat] + options + [output])
    return Array(try Data(contentsOf: URL(fileURLWithPath: output)))
  }
  let picture = try decode(file)
  #expect(picture.size == Size(width: width, height: height))
  let largest = abs(bytes) == 2 ? 65535.0 : 255
  func sample(_ index: Int) -> Double {
    switch bytes {
    case 1: Double(raw[index])
    case 2: Double(Int(raw[2 * index]) | Int(raw[2 * index + 1]) << 8)
    default: Double(Int(raw[2 * index + 1]) | Int(raw[2 * index]) << 8)
    }
  }
  for y in 0..<height {
    for x in 0..<width {
      var expected = [0, 0, 0, largest]
      for (channel, letter) in order.enumerated() {
        let value = sample((y * width + x) * order.count + channel)
        switch letter {
        case "r": expected[0] = value
        case "g": expected[1] = value
        case "b": expected[2] = value
        case "y": (expected[0], expected[1], expected[2]) = (value, value, value)
        case "a": expected[3] = value
        default: break
        }
      }
      #expect(picture[x, y] == expected, "\(x), \(y)")
    }
  }
}

@Suite struct LibavPictureTests {
  /// Every packing that an encoder has, to the last bit.
  @Test(
    .enabled(if: FFmpegProgram.path != nil, "ffmpeg is not installed"),
    arguments: [
      ("ppm", "rgb24", "rgb", 1), ("ppm", "rgb48be", "rgb", -2), ("pgm", "gray", "y", 1),
      ("pgm", "gray16be", "y", -2), ("pam", "rgba", "rgba", 1), ("pam", "rgba64be", "rgba", -2),
      ("pam", "ya8", "ya", 1), ("pam", "ya16be", "ya", -2), ("bmp", "bgr24", "bgr", 1),
      ("bmp", "bgra", "bgra", 1), ("bmp", "gray", "y", 1), ("gif", "gray", "y", 1),
      ("tiff", "ya16le", "ya", 2), ("tiff", "rgba", "rgba", 1),
    ])
  func exact(ending: String, pixelFormat: String, order: String, bytes: Int) throws {
    try expectExact(ending, pixelFormat, order, bytes)
  }

  /// Fewer than eight bits are spread evenly: black stays black, white becomes white.
  @Test func fewBits() throws {
    let bitmap = try decode(Array("P4\n9 1\n".utf8) + [0b0101_0000, 0x80])
    #expect(
      (0..<9).map { bitmap[$0, 0][0] } == [255, 0, 255, 0, 255, 255, 255, 255, 0])
    // 5, 6 and 5 bits.
    let pixels = [0x0000, 0xFFFF, 0xF800, 0x07E0, 0x001F, 0x8410]
    var bytes = testBMP(width: 6, height: 1) { _, _ in [0, 0, 0] }
    bytes.replaceSubrange(28..<30, with: [16, 0])
    bytes.replaceSubrange(30..<34, with: [3, 0, 0, 0])
    bytes.replaceSubrange(10..<14, with: [66, 0, 0, 0])
    bytes.replaceSubrange(
      54...,
      with: [0, 0xF8, 0, 0, 0xE0, 7, 0, 0, 0x1F, 0, 0, 0]
        + pixels.flatMap { bigEndian($0, 2).reversed() })
    let picture = try decode(bytes)
    let expected: [[Double]] = [
      [0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [132, 130, 132],
    ]
    for x in 0..<6 { #expect(Array(picture[x, 0][..<3]) == expected[x]) }
  }

  @Test func whatTheDecoderSaysIsKept() {
    var bytes = TestWebP.noise
    for i in 40..<60 { bytes[i] = 0xFF }
    let error = #expect(throws: Problem.self) { try decode(bytes) }
    guard case .damaged(kind: "WebP", let detail) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!detail.isEmpty)
  }
}
