import Testing

@testable import MotionCore

@Suite struct ScalingTests {
  private let photo = Photo(
    samples: .eight(
      Plane(width: 4, height: 2) { y, row in
        for x in row.indices { row[x] = SIMD4(UInt8(60 * x), y == 0 ? 255 : 0, 9, 128) }
      }), hasAlpha: false)

  @Test func aPhotoAtItsOwnSizeIsItsCodes() async {
    let pixels = await photo.encoded(at: Size(width: 4, height: 2))
    for x in 0..<4 {
      #expect(abs(pixels[x, 1].x - Float(60 * x) / 255) < 1e-4)
      #expect(pixels[x, 0].y > 0.999 && pixels[x, 0].w == 1)
    }
  }

  /// Half of the light of white is the code 188, not 128.
  @Test func lightIsAveraged() async {
    let pixels = await photo.encoded(at: Size(width: 4, height: 1))
    #expect(abs(pixels[0, 0].y * 255 - 188) < 1)
  }

  @Test func codesWithoutAlpha() {
    guard case .eight(let codes) = photo.raster().samples else { return #expect(Bool(false)) }
    #expect(codes.count == 24 && codes[0..<6] == [0, 255, 9, 60, 255, 9])
    let deep = Photo(
      samples: .sixteen(Plane(width: 1, height: 1, repeating: SIMD4(0x1234, 0xFFFF, 0, 0))),
      hasAlpha: true)
    guard case .eight(let high) = deep.raster().samples else { return #expect(Bool(false)) }
    #expect(high == [0x12, 0xFF, 0])
  }

  @Test func eachAxisByItself() async {
    let plane = Plane<Float>(width: 4, height: 2, samples: [0, 1, 2, 3, 4, 5, 6, 7])
    let half = await plane.scaled(to: Size(width: 2, height: 2))
    #expect(half.samples == [0.5, 2.5, 4.5, 6.5])
    let tall = await plane.scaled(to: Size(width: 4, height: 4))
    #expect(tall[0, 0] == 0 && tall[0, 1] == 1 && tall[0, 3] == 4)
  }

  @Test(arguments: [(400, 300, 200, 200, 150), (300, 400, 4, 3, 4), (1000, 1, 10, 10, 1)])
  func shapes(_ width: Int, _ height: Int, _ long: Int, _ newWidth: Int, _ newHeight: Int) {
    let size = Size(width: width, height: height).scaled(toLongSide: long)
    #expect(size == Size(width: newWidth, height: newHeight))
  }
}
