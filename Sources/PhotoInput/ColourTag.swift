internal import MotionCore

/// What a picture's file says of its samples' colour. A reader hands on what it finds; what follows
/// from it is worked out here.
enum ColourTag: Hashable, Sendable {
  /// Nothing.
  case untagged
  /// That they are sRGB.
  case sRGB
  /// An ICC profile, as it lies in the file.
  case icc([UInt8])
  /// That there is a profile, which is not whole.
  case brokenICC(String)
  /// The code points of ITU-T H.273, as in the `nclx` of HEIC and AVIF.
  case codePoints(primaries: Int, transfer: Int)
  /// The exponent of the encoding, sRGB's curve where there is none, and primaries, sRGB's where there
  /// are none: gAMA and cHRM of PNG.
  case gamma(Double?, Primaries?)
  /// Four inks, which the reader has made `InkProfile.colours` of, and their profile's name.
  case inks(profile: String)

  /// What light samples mean.
  func photoColour(of samples: Picture.Samples) -> PhotoColour {
    let bits = if case .sixteen = samples { 16 } else { 8 }
    switch self {
    case .untagged: return .untagged
    case .sRGB: return .sRGB(name: "sRGB")
    case .icc(let bytes): return ICCProfile.photoColour(bytes, of: samples, bits: bits)
    case .brokenICC(let detail): return .ignored(name: nil, .broken(detail))
    case .codePoints(let primaries, let transfer):
      return CodePoints.photoColour(primaries: primaries, transfer: transfer, bits: bits)
    case .gamma(let gamma, let primaries):
      return Self.photoColour(gamma: gamma, primaries, bits: bits)
    case .inks(let profile):
      return .curves(name: profile, ToneCurve.sRGB.curves(bits: bits), Primaries.bt2020.toSRGB)
    }
  }

  private static func photoColour(
    gamma: Double?, _ primaries: Primaries?, bits: Int
  ) -> PhotoColour {
    let name = (gamma.map { ["gAMA \($0)"] } ?? []) + (primaries == nil ? [] : ["cHRM"])
    let label = name.joined(separator: ", ")
    if let gamma, !(0.1...10 ~= gamma) { return .ignored(name: label, .broken("gAMA")) }
    guard let matrix = (primaries ?? .sRGB).toSRGB else {
      return .ignored(name: label, .broken("cHRM"))
    }
    let curve = gamma.map { ToneCurve.power(1 / $0) } ?? .sRGB
    return .curves(name: label, curve.curves(bits: bits), matrix)
  }
}

/// The code points of ITU-T H.273 that a still picture may have.
private enum CodePoints {
  private static let primaries: [(codes: [Int], name: String, value: Primaries)] = [
    ([1, 2], "BT.709", .sRGB), ([9], "BT.2020", .bt2020), ([12], "Display P3", .displayP3),
  ]
  /// Code 2 is "unspecified".
  private static let transfers: [(codes: [Int], name: String, value: ToneCurve)] = [
    ([1, 6, 14, 15], "BT.709", .bt709), ([2, 13], "sRGB", .sRGB), ([4], "gamma 2.2", .power(2.2)),
    ([5], "gamma 2.8", .power(2.8)), ([8], "linear", .power(1)),
  ]

  static func photoColour(primaries: Int, transfer: Int, bits: Int) -> PhotoColour {
    // Both unspecified: nothing is said.
    if primaries == 2 && transfer == 2 { return .untagged }
    let name = "nclx \(primaries)/\(transfer)"
    guard let colours = Self.primaries.first(where: { $0.codes.contains(primaries) }) else {
      return .ignored(name: name, .primaries(primaries))
    }
    guard let curve = transfers.first(where: { $0.codes.contains(transfer) }) else {
      return .ignored(name: name, .transfer(transfer))
    }
    return .curves(
      name: "\(name) (\(colours.name), \(curve.name))", curve.value.curves(bits: bits),
      colours.value.toSRGB)
  }
}
