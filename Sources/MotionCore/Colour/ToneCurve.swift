/// From an encoded value, 0…1, to linear light, by a formula.
public struct ToneCurve: Hashable, Sendable {
  /// Light is ((v + offset) / (1 + offset))^exponent, and v / slope up to `knee`.
  let exponent: Double
  let offset: Double
  let knee: Double
  let slope: Double

  /// v^exponent.
  public static func power(_ exponent: Double) -> ToneCurve {
    ToneCurve(exponent: exponent, offset: 0, knee: 0, slope: 1)
  }

  /// IEC 61966-2-1.
  public static let sRGB = ToneCurve(exponent: 2.4, offset: 0.055, knee: 0.04045, slope: 12.92)
  /// ITU-T H.273 for the transfer functions of BT.601, BT.709 and BT.2020.
  public static let bt709 = ToneCurve(exponent: 1 / 0.45, offset: 0.099, knee: 0.081, slope: 4.5)

  func light(_ value: Double) -> Double {
    value <= knee ? value / slope : Math.pow((value + offset) / (1 + offset), exponent)
  }

  /// The light of each code of 8 or 16 bits, for all three channels.
  public func curves(bits: Int) -> CodeCurves {
    let largest = Double(1 << bits - 1)
    // Rounded as in `TransferFunction`.
    return CodeCurves([
      (0...Int(largest)).map { Float((light(Double($0) / largest) * 0x1p30).rounded() / 0x1p30) }
    ])
  }
}
