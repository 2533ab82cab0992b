/// A still picture as files hold it: whole codes, the channels of a pixel side by side.
public struct Raster: Sendable {
  public enum Channels: Int, Sendable {
    /// A measurement: no colour, and no transfer function.
    case grey = 1
    /// sRGB.
    case rgb = 3
    /// sRGB, the colour not multiplied by the alpha behind it.
    case rgba = 4
  }

  public enum Samples: Sendable {
    case eight([UInt8])
    case sixteen([UInt16])
  }

  public let size: Size
  public let channels: Channels
  /// In row order, `size.width * size.height * channels.rawValue` of them.
  public let samples: Samples

  public init(size: Size, channels: Channels, samples: Samples) {
    let count =
      switch samples {
      case .eight(let codes): codes.count
      case .sixteen(let codes): codes.count
      }
    precondition(count == size.width * size.height * channels.rawValue)
    (self.size, self.channels, self.samples) = (size, channels, samples)
  }

  /// Measurements in 16 bits: 0 is black, `white` is white, and what lies outside is clamped.
  public init(measured plane: Plane<Float>, white: Float) {
    self.init(
      size: plane.size, channels: .grey,
      samples: .sixteen(
        plane.map { value in Self.code(value / white) }.samples))
  }

  /// Colour in 16 bits, encoded, from R, G, B in linear light; w means nothing.
  init(linear plane: Plane<SIMD4<Float>>) {
    self.init(
      size: plane.size, channels: .rgb,
      samples: .sixteen(
        Self.codes(plane, channels: 3) { pixel, encode in
          let encoded = encode(pixel)
          return SIMD4(encoded.x, encoded.y, encoded.z, 1)
        }))
  }

  /// Colour and alpha in 16 bits from premultiplied linear light: what lies outside 0…alpha is
  /// clamped, and where nothing is covered the colour is black.
  init(premultiplied plane: Plane<SIMD4<Float>>) {
    self.init(
      size: plane.size, channels: .rgba,
      samples: .sixteen(
        Self.codes(plane, channels: 4) { pixel, encode in
          guard pixel.w > 0 else { return .zero }
          let encoded = encode(pixel / pixel.w)
          return SIMD4(encoded.x, encoded.y, encoded.z, pixel.w)
        }))
  }

  private static func codes(
    _ plane: Plane<SIMD4<Float>>, channels: Int,
    _ encoded: (SIMD4<Float>, TransferFunction.Encoder) -> SIMD4<Float>
  ) -> [UInt16] {
    let count = plane.width * plane.height
    return TransferFunction.sRGB.withEncoder { encode in
      plane.withUnsafeSamples { pixels in
        [UInt16](unsafeUninitializedCapacity: count * channels) { codes, initialized in
          for index in 0..<count {
            let pixel = encoded(pixels[index], encode)
            for channel in 0..<channels { codes[index * channels + channel] = code(pixel[channel]) }
          }
          initialized = count * channels
        }
      }
    }
  }

  /// What is not a number is black.
  private static func code(_ value: Float) -> UInt16 {
    value > 0 ? UInt16(min(value, 1) * 65535 + 0.5) : 0
  }
}
