/// How a photo's samples become linear light with sRGB primaries, and what is known of them.
///
/// Colours outside sRGB's gamut come out below 0 or above 1; they stay so until a frame is encoded,
/// so that mixing and laying over is right.
public struct PhotoColour: Sendable {
  /// What the file calls its colour, a profile's description for example; nil where it says nothing.
  public let name: String?
  public let treatment: Treatment
  let conversion: ColourConversion

  /// What is done with the samples.
  public enum Treatment: Hashable, Sendable {
    /// The file says nothing: sRGB is assumed.
    case assumed
    /// They are sRGB.
    case kept
    /// They are converted.
    case converted
    /// What the file says cannot be used: sRGB is assumed.
    case ignored(Reason)
  }

  /// Why what a file says of its colour is not used.
  public enum Reason: Hashable, Sendable {
    /// The profile is damaged, in these words.
    case broken(String)
    /// The profile is for another number or kind of channels, named as ICC.1 does: "GRAY", "CMYK".
    case otherChannels(String)
    /// Primaries or a transfer function that are not known, by their number in ITU-T H.273.
    case primaries(Int)
    case transfer(Int)
    /// This build knows no profiles.
    case noProfiles
  }

  /// Converts a row in place: R, G, B from encoded values 0…1 to linear light with sRGB primaries; w
  /// is left alone. It is called on many threads at once.
  public typealias RowConversion = @Sendable (UnsafeMutableBufferPointer<SIMD4<Float>>) -> Void

  private init(_ name: String?, _ treatment: Treatment, _ conversion: ColourConversion) {
    (self.name, self.treatment, self.conversion) = (name, treatment, conversion)
  }

  /// A photo whose file says nothing of its colour, which is taken to be sRGB.
  public static let untagged = PhotoColour(nil, .assumed, .sRGB)

  /// A photo that says it is sRGB.
  public static func sRGB(name: String) -> PhotoColour { PhotoColour(name, .kept, .sRGB) }

  /// A photo that is taken to be sRGB for want of better.
  public static func ignored(name: String?, _ reason: Reason) -> PhotoColour {
    PhotoColour(name, .ignored(reason), .sRGB)
  }

  /// A photo of curves and a matrix to light with sRGB primaries; nothing is done to one that is sRGB
  /// to within what nobody sees.
  public static func curves(
    name: String, _ curves: CodeCurves, _ matrix: ColourMatrix? = nil
  ) -> PhotoColour {
    let needsMatrix = matrix.map { !$0.isNearIdentity } ?? false
    if !needsMatrix, curves.areNearSRGB { return sRGB(name: name) }
    return PhotoColour(name, .converted, .curves(curves, needsMatrix ? matrix : nil))
  }

  /// A photo that neither curves nor a matrix describe.
  public static func function(
    name: String, _ convert: @escaping RowConversion
  ) -> PhotoColour { PhotoColour(name, .converted, .function(convert)) }
}
