import MotionCore
import Testing

@testable import StreamOut

struct Y4MTests {
  @Test func headerIsTheLineConsumersKnow() {
    let format = videoFormat(1920, 1080)
    #expect(
      String(decoding: Y4M.header(for: format), as: UTF8.self)
        == "YUV4MPEG2 W1920 H1080 F30:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n")
  }

  /// The longest sides, the longest rates, and every row of the pixel-format table.
  @Test(arguments: Container.y4m.pixelFormats, ColorRange.allCases)
  func headerIsNeverTooLong(_ pixelFormat: PixelFormat, _ range: ColorRange) throws {
    let side = VideoFormat.maximumSide
    let rates = [
      FrameRate(1_000_000, 999_999), FrameRate(999_999, 1_000_000), FrameRate(120_000, 1001),
      FrameRate(1, 100), FrameRate(1000),
    ]
    for rate in rates {
      let format = try VideoFormat(
        size: Size(width: side, height: side), rate: #require(rate), pixelFormat: pixelFormat,
        matrix: .bt709, range: range)
      let header = Y4M.header(for: format)
      #expect(header.count <= Y4M.longestHeader)
      #expect(header.firstIndex(of: UInt8(ascii: "\n")) == header.count - 1)
      #expect(String(decoding: header, as: UTF8.self).contains(" C\(pixelFormat.y4mTag()!) "))
    }
  }

  /// The words of mjpegtools and of ffmpeg, which every consumer goes by.
  @Test func tagsAreTheKnownOnes() throws {
    let tags = ChromaSiting.allCases.map { PixelFormat.yuv420p.y4mTag($0) }
    #expect(tags == ["420mpeg2", "420jpeg", "420paldv"])
    #expect(
      Container.y4m.pixelFormats.dropFirst().map { $0.y4mTag()! } == [
        "422", "444", "mono", "420p10", "422p10", "444p10", "mono10", "420p12", "422p12",
        "444p12", "mono12",
      ])
    #expect(try #require(PixelFormat.named("yuv420p10")).y4mTag(.jpeg) == nil)
  }

  @Test(
    arguments: Container.y4m.pixelFormats,
    [(1, 1), (3, 5), (127, 95), (64, 48)])
  func streamIsHeaderThenMarkedFrames(_ pixelFormat: PixelFormat, _ sides: (Int, Int)) throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.y4m")
    let format = videoFormat(sides.0, sides.1, pixelFormat, range: .full)
    let frames = (0..<3).map { testFrame(format, seed: $0) }
    let writer = try Container.y4m.open(.file(path: path, overwrite: false), format)
    for frame in frames { try writer.write(frame) }
    try writer.finish()

    let expected = Y4M.header(for: format) + frames.flatMap { Array("FRAME\n".utf8) + $0.bytes }
    #expect(contents(path) == expected)
    #expect(writer.bytesWritten == expected.count)
    #expect(expected.count == Y4M.header(for: format).count + 3 * (6 + format.frameBytes))
  }

  /// Subsampled sides are rounded up.
  @Test(arguments: [(1, 1, 3), (3, 5, 27), (127, 95, 18209), (64, 48, 4608)])
  func frameBytesOf420(_ width: Int, _ height: Int, _ bytes: Int) {
    #expect(videoFormat(width, height).frameBytes == bytes)
  }
}
