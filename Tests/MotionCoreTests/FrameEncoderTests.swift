import Testing

@testable import MotionCore

@Suite struct FrameEncoderTests {
  /// A picture with colour everywhere, the same for every format.
  private func linear(_ x: Int, _ y: Int) -> SIMD3<Float> {
    var state = UInt32(truncatingIfNeeded: x &* 7919 &+ y &* 104729 &+ 12345)
    func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 24)
    }
    return SIMD3(next(), next(), next())
  }

  private func encoded(_ v: Double) -> Double {
    v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055
  }

  /// The code of a component from the definitions: R'G'B', matrix, chroma filter, range.
  private func expected(
    _ component: Component, _ x: Int, _ y: Int, _ format: VideoFormat, _ plane: PlaneLayout
  ) -> Double {
    let (w, h) = (format.size.width, format.size.height)
    let kr = format.matrix == .bt709 ? 0.2126 : 0.299
    let kb = format.matrix == .bt709 ? 0.0722 : 0.114
    func rgb(_ x: Int, _ y: Int) -> SIMD3<Double> {
      let value = linear(min(max(x, 0), w - 1), min(max(y, 0), h - 1))
      return SIMD3(
        encoded(Double(value.x)), encoded(Double(value.y)), encoded(Double(value.z)))
    }
    var pixel = rgb(x, y)
    if plane.shiftX == 1 {
      pixel = .zero
      for (dy, dx, weight) in [
        (0, -1, 0.125), (0, 0, 0.25), (0, 1, 0.125), (1, -1, 0.125), (1, 0, 0.25), (1, 1, 0.125),
      ] { pixel += rgb(2 * x + dx, 2 * y + dy) * weight }
    }
    let luma = kr * pixel.x + (1 - kr - kb) * pixel.y + kb * pixel.z
    let limited = format.range == .limited
    switch component {
    case .luma: return limited ? 16 + 219 * luma : 255 * luma
    case .cb: return 128 + (limited ? 224 : 255) * (pixel.z - luma) / (2 * (1 - kb))
    case .cr: return 128 + (limited ? 224 : 255) * (pixel.x - luma) / (2 * (1 - kr))
    case .red: return 255 * pixel.x
    case .green: return 255 * pixel.y
    case .blue: return 255 * pixel.z
    }
  }

  @Test(
    arguments: PixelFormat.all,
    [
      Size(width: 1, height: 1), Size(width: 3, height: 5), Size(width: 127, height: 95),
      Size(width: 64, height: 32),
    ])
  func everyPlaneIsTheFormula(pixelFormat: PixelFormat, size: Size) throws {
    for matrix in ColorMatrix.allCases {
      for range in ColorRange.allCases {
        let format = try VideoFormat(
          size: size, rate: FrameRate(30)!, pixelFormat: pixelFormat, matrix: matrix,
          range: range)
        let frame = FrameEncoder(format).frame { y, row in
          for x in 0..<row.count { row[x] = SIMD4(linear(x, y), 1) }
        }
        let bytes = frame.bytes
        #expect(bytes.count == format.frameBytes)
        var (start, worst) = (0, 0.0)
        for plane in pixelFormat.planes {
          let sites = plane.size(in: size)
          for y in 0..<sites.height {
            for x in 0..<sites.width {
              for (index, component) in plane.components.enumerated() {
                let value = expected(component, x, y, format, plane)
                let at = start + (y * sites.width + x) * plane.components.count + index
                worst = max(worst, abs(min(max(value, 0), 255) - Double(bytes[at])))
              }
            }
          }
          start += pixelFormat.byteCount(plane, size)
        }
        #expect(worst <= 0.51, "\(pixelFormat) \(size) \(matrix) \(range)")
      }
    }
  }

  @Test func lightBeyondWhiteAndBelowBlackIsClamped() throws {
    let format = try VideoFormat(
      size: Size(width: 2, height: 1), rate: FrameRate(30)!, pixelFormat: .rgb24,
      matrix: .bt709, range: .full)
    let frame = FrameEncoder(format).frame { _, row in
      row[0] = SIMD4(2, -1, .nan, 1)
      row[1] = SIMD4(.infinity, 0, 1, 1)
    }
    #expect(frame.bytes == [255, 0, 0, 255, 0, 255])
  }
}

@Suite struct TransferFunctionTests {
  @Test func encodingIsTheFormula() {
    TransferFunction.sRGB.withEncoder { encode in
      for i in 0...100_000 {
        let v = Double(i) / 100_000
        let exact = v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055
        // The kink at the end of the straight part is the worst place.
        #expect(abs(Double(encode(Float(v))) - exact) < 1e-5)
      }
    }
  }

  @Test func decodingInvertsEncoding() {
    let transfer = TransferFunction.sRGB
    transfer.withEncoder { encode in
      for code in 0...255 {
        #expect(abs(encode(transfer.linear8[code]) * 255 - Float(code)) < 0.003)
      }
      for code in stride(from: 0, through: 65535, by: 7) {
        #expect(abs(encode(transfer.linear16[code]) * 65535 - Float(code)) < 0.7)
      }
    }
  }
}
