import Foundation
import MotionCore
import PhotoInput
import Testing

@testable import StreamOut

@Suite struct PNGTests {
  private let scratch = ScratchFolder()

  private func written(_ picture: Raster) throws -> (photo: Photo, bytes: [UInt8]) {
    let path = scratch.file("a.png")
    try Output.file(path: path, overwrite: true).write(picture)
    return (try PhotoReader.photo(at: .file(path)), try #require(contents(path)))
  }

  /// 1, 3 and 4 channels of 8 and 16 bits, every code where it was.
  @Test(arguments: [Raster.Channels.grey, .rgb, .rgba], [8, 16])
  func everythingComesBack(_ channels: Raster.Channels, bits: Int) throws {
    let size = Size(width: 7, height: 5)
    let count = 35 * channels.rawValue
    let codes = (0..<count).map { UInt16(($0 * 1009 + 77) % (bits == 8 ? 256 : 65536)) }
    let (photo, bytes) = try written(
      Raster(
        size: size, channels: channels,
        samples: bits == 8 ? .eight(codes.map { UInt8($0) }) : .sixteen(codes)))
    #expect(photo.size == size)
    let pixels: [SIMD4<UInt16>] =
      switch photo.samples {
      case .eight(let plane): plane.samples.map { SIMD4(truncatingIfNeeded: $0) }
      case .sixteen(let plane): plane.samples
      }
    if case .eight = photo.samples { #expect(bits == 8) } else { #expect(bits == 16) }
    #expect(photo.hasAlpha == (channels == .rgba))
    for (index, pixel) in pixels.enumerated() {
      for channel in 0..<4 where channel < 3 || channels == .rgba {
        let place = channels == .grey ? index : index * channels.rawValue + channel
        #expect(pixel[channel] == codes[place])
      }
    }
    // Measurements are no colour.
    let hasChunk = Data(bytes).range(of: Data("sRGB".utf8)) != nil
    #expect(hasChunk == (channels != .grey))
  }

  @Test func nothingIsReplacedUnasked() throws {
    let path = scratch.file("a.png")
    put("old", at: path)
    let picture = Raster(
      size: Size(width: 1, height: 1), channels: .grey, samples: .eight([1]))
    let error = failure { () throws(StreamOutError) in
      try Output.file(path: path, overwrite: false).write(picture)
    }
    #expect(error == .exists(path: path))
    #expect(contents(path) == Array("old".utf8))
    #expect(scratch.names == ["a.png"])
  }
}
