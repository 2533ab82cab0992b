import Foundation
import TestSupport
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
    // Its alpha is a matte: opaque in the middle, nearly clear around it.
    let png = TestPNG(width: width, height: height).encode { x, y in
      let isSubject =
        (width / 4..<width * 3 / 4).contains(x) && (height / 4..<height * 3 / 4).contains(y)
      return color.map { Int($0) } + [isSubject ? 255 : 1]
    }
    try Data(png).write(to: URL(fileURLWithPath: path))
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
