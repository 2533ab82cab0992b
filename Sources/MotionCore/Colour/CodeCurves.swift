/// The linear light of each code of the red, green and blue channels.
public struct CodeCurves: Sendable {
  /// Channel after channel, or one for all three.
  let light: [Float]
  /// Where each channel's begins.
  let offsets: (green: Int, blue: Int)

  /// - Parameter light: of one channel for all three, or of R, G and B; each 256 values for a photo
  ///   of 8 bits or 65536 for one of 16, from 0 to 1.
  public init(_ light: [[Float]]) {
    precondition(light.count == 1 || light.count == 3)
    let count = light[0].count
    precondition((count == 256 || count == 65536) && light.allSatisfy { $0.count == count })
    self.light = Array(light.joined())
    offsets = light.count == 1 ? (0, 0) : (count, 2 * count)
  }

  static let sRGB8 = CodeCurves([TransferFunction.sRGB.linear8])
  static let sRGB16 = CodeCurves([TransferFunction.sRGB.linear16])

  /// How many codes a channel has.
  var count: Int { offsets.green > 0 ? offsets.green : light.count }

  /// Whether no code is farther from sRGB's than a quarter of an 8-bit code.
  var areNearSRGB: Bool {
    let sRGB = TransferFunction.sRGB
    let steps = count == 256 ? 1 : 257
    return light.indices.allSatisfy { index in
      index % count % steps != 0
        || sRGB.isNear(light[index], code: index % count / steps, within: 0.25)
    }
  }
}

extension TransferFunction {
  /// Whether light is within a fraction of an 8-bit code of that code's.
  fileprivate func isNear(_ light: Float, code: Int, within share: Float) -> Bool {
    let own = linear8[code]
    let below = code > 0 ? linear8[code - 1] : -linear8[1]
    let above = code < 255 ? linear8[code + 1] : 2 * own - below
    return light >= own - (own - below) * share && light <= own + (above - own) * share
  }
}
