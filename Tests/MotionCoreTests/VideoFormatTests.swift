import Testing

@testable import MotionCore

@Suite struct VideoFormatTests {
  /// Bytes of a pixel, of a site on half the columns and of a site on half the columns and rows.
  private static let bytes: [String: (Int, across: Int, half: Int)] = [
    "yuv420p": (1, 0, 2), "yuv422p": (1, 2, 0), "yuv444p": (3, 0, 0), "gray": (1, 0, 0),
    "yuv420p10le": (2, 0, 4), "yuv422p10le": (2, 4, 0), "yuv444p10le": (6, 0, 0),
    "gray10le": (2, 0, 0), "yuv420p12le": (2, 0, 4), "yuv422p12le": (2, 4, 0),
    "yuv444p12le": (6, 0, 0), "gray12le": (2, 0, 0), "nv12": (1, 0, 2), "p010le": (2, 0, 4),
    "yuva444p": (4, 0, 0), "rgb24": (3, 0, 0), "bgr24": (3, 0, 0), "rgba": (4, 0, 0),
    "bgra": (4, 0, 0), "rgb0": (4, 0, 0), "bgr0": (4, 0, 0), "gbrp": (3, 0, 0),
    "rgb48le": (6, 0, 0), "yuva444p10le": (8, 0, 0), "rgba64le": (8, 0, 0),
  ]

  @Test(arguments: PixelFormat.all)
  func bytesAreTheArithmetic(pixelFormat: PixelFormat) throws {
    let bytes = try #require(Self.bytes[pixelFormat.name])
    for (w, h) in [(1, 1), (3, 5), (127, 95), (1920, 1080)] {
      let across = (w + 1) / 2 * h
      let half = (w + 1) / 2 * ((h + 1) / 2)
      #expect(
        pixelFormat.byteCount(Size(width: w, height: h))
          == w * h * bytes.0 + across * bytes.across + half * bytes.half)
    }
  }

  @Test func namesAreKnownWithoutTheOrderOfBytes() {
    #expect(PixelFormat.named("yuv420p10") == PixelFormat.named("yuv420p10le"))
    #expect(PixelFormat.named("p010") == PixelFormat.named("p010le"))
    #expect(PixelFormat.named("yuv420") == nil && PixelFormat.named("rgb24le") == nil)
  }

  @Test(arguments: [(0, 1), (1, 0), (-3, 5), (16385, 1)])
  func sidesAreChecked(width: Int, height: Int) {
    #expect(throws: VideoFormat.SizeError.self) {
      try VideoFormat(
        size: Size(width: width, height: height), rate: FrameRate(30)!, pixelFormat: .rgb24,
        matrix: .bt709, range: .full)
    }
  }

  @Test func theMatrixIsWhatPlayersAssume() {
    #expect(ColorMatrix.assumed(for: Size(width: 1280, height: 10)) == .bt709)
    #expect(ColorMatrix.assumed(for: Size(width: 10, height: 577)) == .bt709)
    #expect(ColorMatrix.assumed(for: Size(width: 1279, height: 576)) == .bt601)
  }
}
