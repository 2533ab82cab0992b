/// Linear light to 16-bit sRGB samples.
enum StillLifeEncoding {
  /// The encoded value over the square root of the linear one, in steps of 1/4096.
  private static let table: [Float] = (0...4097).map { step in
    let root = Double(step) / 4096
    let value = root * root
    let encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * Math.pow(value, 1 / 2.4) - 0.055
    return Float((encoded * 0x1p20).rounded() * 0x1p-20)
  }

  /// Encodes x, y and z; the fourth sample is the largest value.
  static func encode(_ colour: SIMD4<Float>) -> SIMD4<UInt16> {
    table.withUnsafeBufferPointer { table in
      func encode(_ linear: Float) -> UInt16 {
        let place = min(max(linear, 0), 1).squareRoot() * 4096
        let index = Int(place)
        let value = table[index] + (table[index + 1] - table[index]) * (place - Float(index))
        return UInt16(truncatingIfNeeded: Int(value * 65535 + 0.5))
      }
      return SIMD4(encode(colour.x), encode(colour.y), encode(colour.z), .max)
    }
  }
}
