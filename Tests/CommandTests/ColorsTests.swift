import Foundation
import Testing

/// Flat photographs, out through a consumer and back to R'G'B'.
@Suite struct ColorsTests {
  static let colors: [[UInt8]] = [
    [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [128, 128, 128], [0, 0, 0],
  ]

  /// The largest distance of any sample from the colour.
  private func worst(_ bytes: [UInt8], _ color: [UInt8]) -> Int {
    bytes.indices.reduce(0) { max($0, abs(Int(bytes[$1]) - Int(color[$1 % 3]))) }
  }

  private func writePhoto(_ color: [UInt8], _ width: Int, _ height: Int, to path: String) throws {
    try Data(FlatPhoto.png(color: color, width: width, height: height))
      .write(to: URL(fileURLWithPath: path))
  }

  @Test(arguments: colors)
  func rgbIsTheColor(_ color: [UInt8]) throws {
    let scratch = ScratchFolder()
    let photo = scratch.file("flat.png")
    try writePhoto(color, 64, 48, to: photo)
    let run = try Command.run(photo, "--frames", "3", "--format", "raw", "--pix-fmt", "rgb24")
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(run.output.count == 3 * 64 * 48 * 3)
    #expect(worst(run.output, color) <= 1)
  }

  /// The matrix that `--matrix auto` chooses, given to ffmpeg as the manual says: BT.601 it assumes,
  /// BT.709 it must be told.
  @Test(
    .enabled(if: hasProgram("ffmpeg")), arguments: colors,
    [
      ("64x48", "", ""), ("1280x720", "", "-colorspace bt709"),
      ("64x48", "--range full", ""), ("64x48", "--pix-fmt yuv444p", ""),
      ("64x48", "--matrix bt709", "-colorspace bt709"),
      ("1280x720", "--matrix bt601", ""),
    ])
  func ffmpegSeesTheColor(
    _ color: [UInt8], _ stream: (size: String, options: String, told: String)
  ) throws {
    let scratch = ScratchFolder()
    let photo = scratch.file("flat.png")
    let sides = stream.size.split(separator: "x").compactMap { Int($0) }
    // A small photograph of the stream's shape.
    let (width, height) = stream.size == "64x48" ? (64, 48) : (128, 72)
    try writePhoto(color, width, height, to: photo)
    let run = try Command.shell(
      """
      set -o pipefail
      "$0" '\(photo)' --size \(stream.size) --frames 2 \(stream.options) |
        ffmpeg -v error \(stream.told) -f yuv4mpegpipe -i - -f rawvideo -pix_fmt rgb24 -
      """)
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(run.output.count == 2 * sides[0] * sides[1] * 3)
    #expect(worst(run.output, color) <= 2)
  }
}

/// A photograph of one colour, as a PNG whose alpha is a matte: opaque in the middle, nearly clear
/// around it.
enum FlatPhoto {
  static func png(color: [UInt8], width: Int, height: Int) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)  // no filter
      for x in 0..<width {
        let isSubject =
          (width / 4..<width * 3 / 4).contains(x) && (height / 4..<height * 3 / 4).contains(y)
        rows += color + [isSubject ? 255 : 1]
      }
    }
    // 8 bits, RGBA, not interlaced.
    let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 6, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
  }

  /// A zlib stream (RFC 1950) of stored blocks.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 65535) {
      let block = data[start..<min(start + 65535, data.count)]
      let count = UInt16(block.count)
      let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
      bytes += [block.endIndex == data.count ? 1 : 0, low, high, ~low, ~high]
      bytes += block
    }
    return bytes + bigEndian(adler32(data))
  }

  private static func adler32(_ data: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }

  private static func crc32(_ data: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in data {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
