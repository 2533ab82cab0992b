import Testing

@testable import MotionCore

@Suite struct RasterTests {
  private func codes(_ picture: Raster) -> [UInt16] {
    if case .sixteen(let codes) = picture.samples { codes } else { [] }
  }

  @Test func measurementsAreProportionalAndClamped() {
    let values = Plane<Float>(width: 5, height: 1, samples: [0, 1, 2, 5, .nan])
    #expect(codes(Raster(measured: values, white: 4)) == [0, 16384, 32768, 65535, 0])
  }

  @Test func coloursAreEncoded() {
    let plane = Plane<SIMD4<Float>>(
      width: 2, height: 1,
      samples: [
        SIMD4(0, 0.21404114, 1, 7), SIMD4(-1, 0.0031308, 9, 0),
      ])
    let picture = codes(Raster(linear: plane))
    let expected = [0, 0.5, 1, 0, 0.0031308 * 12.92, 1]
    for (code, value) in zip(picture, expected) {
      #expect(abs(Double(code) / 65535 - value) < 1e-4)
    }
    #expect(picture.count == 6)
  }

  @Test func alphaIsDividedOut() {
    let plane = Plane<SIMD4<Float>>(
      width: 3, height: 1,
      samples: [
        SIMD4(0.25, 0.5, 0, 0.5), SIMD4(9, 9, 9, 0), SIMD4(0.1, 0.2, 0.3, 0.2),
      ])
    let picture = codes(Raster(premultiplied: plane))
    #expect(Array(picture[1...3]) == [65535, 0, 32768])
    #expect(abs(Double(picture[0]) / 65535 - 0.7353570) < 1e-4)
    #expect(Array(picture[4...7]) == [0, 0, 0, 0])
    #expect(picture[10] == 65535)
  }
}
