/// The colours of a picture's red, green, blue and white, as chromaticities x, y (CIE 1931).
public struct Primaries: Hashable, Sendable {
  public struct Chromaticity: Hashable, Sendable {
    public let x: Double
    public let y: Double

    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    fileprivate var isColour: Bool { x >= 0 && y > 0 && x + y <= 1 }

    /// X, Y, Z with Y = 1; y must not be 0.
    fileprivate var xyz: [Double] { [x / y, 1, (1 - x - y) / y] }
  }

  public let red, green, blue, white: Chromaticity

  public init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  private static let d65 = Chromaticity(0.3127, 0.3290)
  /// IEC 61966-2-1; those of BT.709 too.
  public static let sRGB = Primaries(
    red: Chromaticity(0.64, 0.33), green: Chromaticity(0.30, 0.60),
    blue: Chromaticity(0.15, 0.06), white: d65)
  /// SMPTE EG 432-1: those of Display P3.
  public static let displayP3 = Primaries(
    red: Chromaticity(0.680, 0.320), green: Chromaticity(0.265, 0.690),
    blue: Chromaticity(0.150, 0.060), white: d65)
  public static let bt2020 = Primaries(
    red: Chromaticity(0.708, 0.292), green: Chromaticity(0.170, 0.797),
    blue: Chromaticity(0.131, 0.046), white: d65)

  /// From light with these primaries to light with sRGB's, white to white; nil for primaries that
  /// span no colours.
  public var toSRGB: ColourMatrix? {
    guard let own = toXYZ else { return nil }
    return Self.sRGBFromXYZ * own
  }

  /// From X, Y, Z relative to D50, the connection space of ICC profiles, to light with sRGB's
  /// primaries.
  public static let sRGBFromXYZ = Primaries.sRGB.toXYZ!.inverse!

  /// To X, Y, Z relative to D50.
  private var toXYZ: ColourMatrix? {
    guard red.isColour, green.isColour, blue.isColour, white.isColour else { return nil }
    let columns = [red.xyz, green.xyz, blue.xyz]
    guard let inverse = ColourMatrix(columns: columns).inverse else { return nil }
    // How much of each primary makes white.
    let amounts = inverse(white.xyz[0], white.xyz[1], white.xyz[2])
    guard amounts.allSatisfy({ $0 > 0 }) else { return nil }
    let scaled = ColourMatrix(
      columns: zip(columns, amounts).map { column, amount in column.map { $0 * amount } })
    return Self.adaptation(from: white.xyz) * scaled
  }

  /// ICC.1's D50.
  private static let d50 = [0.9642, 1, 0.8249]

  /// Bradford's adaptation to D50, as ICC.1 has it (annex E).
  private static func adaptation(from white: [Double]) -> ColourMatrix {
    let cones = ColourMatrix(columns: [
      [0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296],
    ])
    let (from, to) = (cones(white[0], white[1], white[2]), cones(d50[0], d50[1], d50[2]))
    let scale = ColourMatrix(columns: [
      [to[0] / from[0], 0, 0], [0, to[1] / from[1], 0], [0, 0, to[2] / from[2]],
    ])
    return cones.inverse! * scale * cones
  }
}
