import MotionCore
import PhotoInput
import Testing

@testable import StreamOut

/// One frame as a picture, read back.
@Suite struct StillTests {
  private let scratch = ScratchFolder()

  private func format(_ size: Size, _ name: String, _ container: Container) throws -> VideoFormat {
    try VideoFormat(
      size: size, rate: FrameRate(30)!, pixelFormat: try #require(.named(name)), matrix: .bt601,
      range: .full, siting: container.colours?.siting ?? .mpeg2)
  }

  /// The pixels of a file in 16 bits.
  private func written(_ frame: Frame, _ container: Container) throws -> Plane<SIMD4<UInt16>> {
    let path = scratch.file("a.\(container)")
    let writer = try container.open(.file(path: path, overwrite: true), frame.format)
    try writer.write(frame)
    try writer.finish()
    switch try PhotoReader.photo(at: .file(path)).samples {
    case .eight(let plane): return plane.map { SIMD4<UInt16>(truncatingIfNeeded: $0) &* 257 }
    case .sixteen(let plane): return plane
    }
  }

  private let png = Container.named("png")!
  private let jpeg = Container.named("jpeg")!

  @Test(arguments: ["gray", "rgb24", "rgba", "rgb48le", "rgba64le"])
  func everyCodeIsInThePNG(_ name: String) throws {
    let format = try format(Size(width: 7, height: 5), name, png)
    let (pixelFormat, frame) = (format.pixelFormat, testFrame(format))
    let (channels, step) = (pixelFormat.planes[0].components.count, pixelFormat.codeBytes)
    let (pixels, bytes) = (try written(frame, png), frame.bytes)
    for (index, pixel) in pixels.samples.enumerated() {
      for channel in 0..<channels {
        let at = (index * channels + channel) * step
        let code =
          step == 1 ? UInt16(bytes[at]) * 257 : UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
        #expect(pixel[channel] == code)
      }
    }
  }

  /// Smooth colours come back within what the coarsest of JPEG's steps allows, odd sizes too.
  @Test(
    arguments: ["yuv420p", "yuv444p"],
    [Size(width: 1, height: 1), Size(width: 127, height: 95), Size(width: 64, height: 48)])
  func coloursComeBackFromTheJPEG(_ name: String, _ size: Size) throws {
    let format = try format(size, name, jpeg)
    var canvas = Canvas(format: format)
    // Luma rises from left to right, the chroma is a warm grey's.
    canvas.withUnsafeMutableBytes { bytes in
      var at = 0
      for (index, plane) in format.pixelFormat.planes.enumerated() {
        let sites = plane.size(in: size)
        for _ in 0..<sites.height {
          for x in 0..<sites.width {
            bytes[at] = [UInt8(60 + x), 118, 140][index]
            at += 1
          }
        }
      }
    }
    let pixels = try written(canvas.finish(), jpeg)
    #expect(pixels.size == size)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let luma = Double(60 + x)
        let (red, blue) = (1.402 * 12, 1.772 * -10)
        #expect(abs(Double(pixels[x, y].x) / 257 - (luma + red)) <= 3)
        #expect(abs(Double(pixels[x, y].z) / 257 - (luma + blue)) <= 3)
      }
    }
  }

  @Test func onlyWhatTheFilesKnowIsCarried() throws {
    #expect(png.pixelFormats.map(\.name) == ["gray", "rgb24", "rgba", "rgb48le", "rgba64le"])
    #expect(jpeg.pixelFormats.map(\.name) == ["yuv420p", "yuv444p"])
    #expect(!jpeg.canCarry(.yuv420p, .mpeg2))
    for container in Container.all {
      #expect((container.isStill || container.isEncoded) == (container.colours != nil))
    }
  }
}
