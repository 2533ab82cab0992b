// Pictures at the sizes that estimators and other programs take them.

extension Photo {
  /// The photo scaled in linear light to any size, each axis by itself: R, G, B as sRGB codes 0…1,
  /// black where it is transparent, and alpha in w.
  ///
  /// The samples must not be pending.
  public func encoded(at target: Size) async -> Plane<SIMD4<Float>> {
    let linear = await linear(Taps.between(size, and: target))
    return await Plane(width: target.width, height: target.height) { y, row in
      linear.withUnsafeSamples { samples in
        TransferFunction.sRGB.withEncoder { encode in
          for x in row.indices {
            let pixel = samples[y * row.count + x]
            row[x] = encode(pixel)
            row[x].w = pixel.w
          }
        }
      }
    }
  }

  /// The photo as it is, in 8-bit codes of its own colours, without its alpha.
  public func raster() -> Raster {
    let count = size.width * size.height
    let codes = [UInt8](unsafeUninitializedCapacity: 3 * count) { codes, initialized in
      switch samples {
      case .eight(let plane):
        plane.withUnsafeSamples { pixels in
          for i in 0..<count {
            for channel in 0..<3 { codes[3 &* i &+ channel] = pixels[i][channel] }
          }
        }
      case .sixteen(let plane):
        plane.withUnsafeSamples { pixels in
          for i in 0..<count {
            for channel in 0..<3 {
              codes[3 &* i &+ channel] = UInt8(truncatingIfNeeded: pixels[i][channel] >> 8)
            }
          }
        }
      }
      initialized = 3 * count
    }
    return Raster(size: size, channels: .rgb, samples: .eight(codes))
  }
}

extension Plane<Float> {
  /// The plane at another size, each axis by itself: averaged where that is smaller, interpolated
  /// where it is larger.
  public func scaled(to target: Size) async -> Plane<Float> {
    await resampled(Taps.between(size, and: target))
  }
}

extension Size {
  /// The size with the given long side, or as near to it as whole sides of its shape come.
  public func scaled(toLongSide longSide: Int) -> Size {
    let scale = Double(longSide) / Double(self.longSide)
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
    return Size(width: side(width), height: side(height))
  }
}
