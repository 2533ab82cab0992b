/// Turns rows of linear light into the planes of a frame: transfer function, matrix, chroma sites,
/// range, code values.
struct FrameEncoder: Sendable {
  let format: VideoFormat
  private let transfer = TransferFunction.sRGB

  /// How a component is computed from R'G'B' and written as a code: the weights of R', G' and B',
  /// and code = offset + scale · value.
  private struct Recipe {
    let weights: SIMD3<Float>
    let scale: Float
    let offset: Float
  }

  init(_ format: VideoFormat) { self.format = format }

  /// A whole frame. `draw` is asked for each row once, from the top: R, G, B in linear light.
  func frame(
    _ draw: (_ y: Int, _ row: UnsafeMutableBufferPointer<SIMD4<Float>>) -> Void
  ) -> Frame {
    var canvas = Canvas(format: format)
    canvas.withUnsafeMutableBytes { bytes in
      let (width, height) = (format.size.width, format.size.height)
      let rows = 1 << format.pixelFormat.planes.map(\.shiftY).max()!
      // One strip of rows at a time: linear, then R'G'B'.
      withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width * rows) { strip in
        for top in stride(from: 0, to: height, by: rows) {
          for y in 0..<rows {
            let row = UnsafeMutableBufferPointer(rebasing: strip[y * width..<(y + 1) * width])
            if top + y < height {
              draw(top + y, row)
              encode(row)
            } else {
              // Below the last row of an odd picture that row stands again.
              _ = row.initialize(from: strip[(y - 1) * width..<y * width])
            }
          }
          write(strip, rows: min(rows, height - top), top: top, into: bytes)
        }
      }
    }
    return canvas.finish()
  }

  private func encode(_ row: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    transfer.withEncoder { encode in
      for x in 0..<row.count {
        let pixel = row[x]
        row[x] = SIMD4(encode(pixel.x), encode(pixel.y), encode(pixel.z), 1)
      }
    }
  }

  /// Writes what a strip of R'G'B' rows holds of every plane.
  private func write(
    _ strip: UnsafeMutableBufferPointer<SIMD4<Float>>, rows: Int, top: Int,
    into bytes: UnsafeMutableRawBufferPointer
  ) {
    var start = 0
    for plane in format.pixelFormat.planes {
      let size = plane.size(in: format.size)
      for (index, component) in plane.components.enumerated() {
        let recipe = recipe(component)
        for y in 0..<max(rows >> plane.shiftY, 1) {
          let line = start + ((top >> plane.shiftY) + y) * size.width * plane.components.count
          let codes = UnsafeMutableRawBufferPointer(rebasing: bytes[(line + index)...])
          if plane.shiftX == 0 && plane.shiftY == 0 {
            let row = UnsafeBufferPointer(
              rebasing: strip[y * format.size.width..<(y + 1) * format.size.width])
            for x in 0..<size.width {
              codes[x * plane.components.count] = Self.code(value(row[x], recipe))
            }
          } else {
            for x in 0..<size.width {
              codes[x * plane.components.count] = Self.code(
                value(atChromaSite(x, strip), recipe))
            }
          }
        }
      }
      start += format.pixelFormat.byteCount(plane, format.size)
    }
  }

  /// R'G'B' at a chroma site of 4:2:0 as MPEG-2 sites it: on the even column, halfway between the
  /// rows. Chroma is linear in R'G'B', so filtering these is filtering it.
  @inline(always)
  private func atChromaSite(_ x: Int, _ strip: UnsafeMutableBufferPointer<SIMD4<Float>>)
    -> SIMD4<Float>
  {
    let width = format.size.width
    let (left, middle, right) = (max(2 * x - 1, 0), 2 * x, min(2 * x + 1, width - 1))
    let upper = strip[left] + strip[middle] * 2 + strip[right]
    let lower = strip[width + left] + strip[width + middle] * 2 + strip[width + right]
    return (upper + lower) * 0.125
  }

  @inline(always)
  private func value(_ pixel: SIMD4<Float>, _ recipe: Recipe) -> Float {
    let sum =
      pixel.x * recipe.weights.x + pixel.y * recipe.weights.y + pixel.z * recipe.weights.z
    return sum * recipe.scale + recipe.offset
  }

  @inline(always)
  private static func code(_ value: Float) -> UInt8 {
    let rounded = value + 0.5
    return UInt8(truncatingIfNeeded: Int(rounded > 0 ? (rounded < 255 ? rounded : 255) : 0))
  }

  private func recipe(_ component: Component) -> Recipe {
    let (red, blue) = format.matrix.lumaWeights
    let luma = SIMD3(red, 1 - red - blue, blue)
    let isLimited = format.range == .limited
    let lightness: (scale: Float, offset: Float) = isLimited ? (219, 16) : (255, 0)
    let chroma: (scale: Float, offset: Float) = isLimited ? (224, 128) : (255, 128)
    func plain(_ weights: SIMD3<Float>) -> Recipe {
      // R'G'B' frames are always full range.
      Recipe(weights: weights, scale: 255, offset: 0)
    }
    switch component {
    case .luma:
      return Recipe(weights: luma, scale: lightness.scale, offset: lightness.offset)
    case .cb:
      return Recipe(
        weights: (SIMD3(0, 0, 1) - luma) / (2 * (1 - blue)), scale: chroma.scale,
        offset: chroma.offset)
    case .cr:
      return Recipe(
        weights: (SIMD3(1, 0, 0) - luma) / (2 * (1 - red)), scale: chroma.scale,
        offset: chroma.offset)
    case .red: return plain(SIMD3(1, 0, 0))
    case .green: return plain(SIMD3(0, 1, 0))
    case .blue: return plain(SIMD3(0, 0, 1))
    }
  }
}
