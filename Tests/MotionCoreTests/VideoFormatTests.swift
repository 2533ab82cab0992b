import Testing

@testable import MotionCore

@Suite struct VideoFormatTests {
  @Test(arguments: PixelFormat.all)
  func bytesAreTheArithmetic(pixelFormat: PixelFormat) throws {
    for (w, h) in [(1, 1), (3, 5), (127, 95), (1920, 1080)] {
      let half = ((w + 1) / 2) * ((h + 1) / 2)
      let expected = ["yuv420p": w * h + 2 * half, "yuv444p": 3 * w * h, "rgb24": 3 * w * h]
      #expect(
        pixelFormat.byteCount(Size(width: w, height: h)) == expected[pixelFormat.name])
    }
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
