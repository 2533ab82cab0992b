import Foundation
import MotionCore
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

  /// What a stream's frames are made of for zscale, and what it is told of them.
  struct Zscale: CustomTestStringConvertible {
    let pixelFormat: PixelFormat
    let range: ColorRange
    let siting: ChromaSiting?

    static let all: [Zscale] = PixelFormat.all.flatMap { pixelFormat in
      // ffmpeg takes grey for full range, whatever is said of it.
      (pixelFormat.isGrey ? [.full] : ColorRange.allCases).flatMap { range in
        (pixelFormat.hasSiting ? ChromaSiting.allCases.map(Optional.some) : [nil]).map {
          Zscale(pixelFormat: pixelFormat, range: range, siting: $0)
        }
      }
    }

    var testDescription: String { "\(pixelFormat) \(range) \(siting?.rawValue ?? "")" }
    var isRGB: Bool {
      pixelFormat.planes[0].components.contains(.red) || pixelFormat.name == "gbrp"
    }
    /// zscale wants planes; taking interleaved ones apart changes no code.
    private var planar: String {
      ["nv12": "yuv420p", "p010le": "yuv420p10le"][pixelFormat.name] ?? ""
    }
    private var sited: String {
      let names: [ChromaSiting: String] = [.mpeg2: "left", .jpeg: "center", .paldv: "topleft"]
      return siting.map { ":chromalin=\(names[$0]!)" } ?? ""
    }
    var filter: String {
      if isRGB { return "format=gbrp" }
      return (planar.isEmpty ? "" : "format=\(planar),")
        + "zscale=matrixin=709:rangein=\(range):matrix=gbr:range=full\(sited),format=gbrp"
    }
  }

  /// A ramp of colours through another program's arithmetic: matrix, range and siting as they are
  /// said. Its border is left out, where that extends chroma otherwise.
  @Test(.enabled(if: hasProgram("ffmpeg")), arguments: Zscale.all)
  func zscaleSeesTheColours(_ stream: Zscale) throws {
    let (width, height) = (32, 24)
    let scratch = ScratchFolder()
    let (photo, matte) = (scratch.file("ramp.png"), scratch.file("matte.png"))
    let isGrey = stream.pixelFormat.isGrey
    func color(_ x: Int, _ y: Int) -> [Int] {
      isGrey ? Array(repeating: 4 * x + 5 * y, count: 3) : [8 * x, 4 * x + 5 * y, 10 * y]
    }
    try Data(TestPNG(width: width, height: height).encode { x, y in color(x, y) + [255] })
      .write(to: URL(fileURLWithPath: photo))
    try Data(
      TestPNG(width: width, height: height).encode { x, y in
        Array(repeating: (8..<24).contains(x) && (6..<18).contains(y) ? 255 : 0, count: 3) + [255]
      }
    ).write(to: URL(fileURLWithPath: matte))
    let siting = stream.siting.map { "--chroma-siting \($0.rawValue)" } ?? ""
    let run = try Command.shell(
      """
      set -o pipefail
      "$0" '\(photo)' --matte '\(matte)' --amount 0 --still 0 --format raw --matrix bt709 \
        --pix-fmt \(stream.pixelFormat) --range \(stream.range.rawValue) \(siting) |
        ffmpeg -v error -f rawvideo -pix_fmt \(stream.pixelFormat) -s \(width)x\(height) -i - \
          -vf '\(stream.filter)' -f rawvideo -pix_fmt rgb24 -
      """)
    #expect(run.ending == .exit(0), "\(run.error)")
    try #require(run.output.count == width * height * 3)
    var worst = 0
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        for (channel, code) in color(x, y).enumerated() {
          worst = max(worst, abs(Int(run.output[(y * width + x) * 3 + channel]) - code))
        }
      }
    }
    #expect(worst <= (stream.isRGB ? 2 : 3), "off by \(worst)")
  }
}
