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
    // Offsets from the site's own pixel, and their weights.
    let (own, on, between) = ([(0, 1.0)], [(-1, 0.25), (0, 0.5), (1, 0.25)], [(0, 0.5), (1, 0.5)])
    let isBoth = plane.shiftX == 1 && plane.shiftY == 1
    let columns = plane.shiftX == 0 ? own : isBoth && format.siting == .jpeg ? between : on
    let rows = plane.shiftY == 0 ? own : format.siting == .paldv ? on : between
    var pixel = SIMD3<Double>.zero
    for (dy, vertical) in rows {
      for (dx, horizontal) in columns {
        pixel += rgb(x << plane.shiftX + dx, y << plane.shiftY + dy) * vertical * horizontal
      }
    }
    let luma = kr * pixel.x + (1 - kr - kb) * pixel.y + kb * pixel.z
    let (unit, largest) = (
      Double(1 << (format.pixelFormat.bitDepth - 8)),
      Double(1 << format.pixelFormat.bitDepth - 1)
    )
    let (black, white, chroma) =
      format.range == .limited
      ? (16 * unit, 219 * unit, 224 * unit) : (0, largest, largest)
    switch component {
    case .luma: return black + white * luma
    case .cb: return 128 * unit + chroma * (pixel.z - luma) / (2 * (1 - kb))
    case .cr: return 128 * unit + chroma * (pixel.x - luma) / (2 * (1 - kr))
    case .red: return largest * pixel.x
    case .green: return largest * pixel.y
    case .blue: return largest * pixel.z
    case .alpha, .unused: return largest
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
        for siting in pixelFormat.hasSiting ? ChromaSiting.allCases : [.mpeg2] {
          let format = try VideoFormat(
            size: size, rate: FrameRate(30)!, pixelFormat: pixelFormat, matrix: matrix,
            range: range, siting: siting)
          // The table of the transfer function is finer than any code but those of 16 bits.
          let allowed = pixelFormat.bitDepth > 12 ? 0.8 : 0.52
          #expect(try largestError(format) <= allowed, "\(pixelFormat) \(size) \(format)")
        }
      }
    }
  }

  /// The largest distance of any code of a frame from the formula, in codes.
  private func largestError(_ format: VideoFormat) throws -> Double {
    let pixelFormat = format.pixelFormat
    let frame = FrameEncoder(format).frame { y, row in
      for x in 0..<row.count { row[x] = SIMD4(linear(x, y), 1) }
    }
    let bytes = frame.bytes
    #expect(bytes.count == format.frameBytes)
    let largest = Double(1 << pixelFormat.bitDepth - 1)
    var (at, worst) = (0, 0.0)
    for plane in pixelFormat.planes {
      let sites = plane.size(in: format.size)
      for y in 0..<sites.height {
        for x in 0..<sites.width {
          for component in plane.components {
            let exact = expected(component, x, y, format, plane)
            var code = Int(bytes[at])
            if pixelFormat.codeBytes == 2 { code |= Int(bytes[at + 1]) << 8 }
            let low = code & (1 << pixelFormat.codeShift - 1)
            #expect(low == 0)
            let value = Double(code >> pixelFormat.codeShift)
            worst = max(worst, abs(min(max(exact, 0), largest) - value))
            at += pixelFormat.codeBytes
          }
        }
      }
    }
    return worst
  }

  /// The formula of each meaning of alpha: encode(F/a), or that times a, and a itself.
  @Test(arguments: Alpha.allCases, ["rgba", "bgra", "yuva444p", "yuva444p10le", "rgba64le"])
  func alphaIsTheFormula(alpha: Alpha, name: String) throws {
    let pixelFormat = try #require(PixelFormat.named(name))
    let size = Size(width: 7, height: 3)
    let format = try VideoFormat(
      size: size, rate: FrameRate(30)!, pixelFormat: pixelFormat, matrix: .bt709, range: .limited,
      alpha: alpha)
    // Covered by none, a little, half and all; some with light beyond what that much can have.
    let covers: [Float] = [0, 0.004, 0.5, 1, 0.25, 0.999, 0.75]
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
      var value = SIMD4(linear(x, y) * covers[x] * (y == 2 ? 1.5 : 1), covers[x])
      if y == 1 { value.y = -0.1 }
      return value
    }
    func expected(_ x: Int, _ y: Int) -> (rgb: SIMD3<Double>, a: Double) {
      let (value, a) = (pixel(x, y), Double(covers[x]))
      func channel(_ light: Float) -> Double {
        if alpha == .opaque { return encoded(min(max(Double(light), 0), 1)) }
        if a == 0 { return 0 }
        let own = encoded(min(max(Double(light), 0), a) / a)
        return alpha == .premultiplied ? own * a : own
      }
      return (
        SIMD3(channel(value.x), channel(value.y), channel(value.z)), alpha == .opaque ? 1 : a
      )
    }
    let bytes = FrameEncoder(format).frame { y, row in
      for x in 0..<row.count { row[x] = pixel(x, y) }
    }.bytes
    let (unit, largest) = (
      Double(1 << (pixelFormat.bitDepth - 8)), Double(1 << pixelFormat.bitDepth - 1)
    )
    var at = 0
    for plane in pixelFormat.planes {
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (rgb, a) = expected(x, y)
          let luma = 0.2126 * rgb.x + 0.7152 * rgb.y + 0.0722 * rgb.z
          for component in plane.components {
            let exact =
              switch component {
              case .alpha: a * largest
              case .red: rgb.x * largest
              case .green: rgb.y * largest
              case .blue: rgb.z * largest
              case .luma: (16 + 219 * luma) * unit
              case .cb: (128 + 224 * (rgb.z - luma) / 1.8556) * unit
              case .cr: (128 + 224 * (rgb.x - luma) / 1.5748) * unit
              case .unused: largest
              }
            var code = Double(bytes[at])
            if pixelFormat.codeBytes == 2 { code += 256 * Double(bytes[at + 1]) }
            #expect(abs(code - exact) <= (largest > 60000 ? 0.8 : 0.52), "\(component) \(x) \(y)")
            at += pixelFormat.codeBytes
          }
        }
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
