internal import MotionCore

/// A decoded picture file of any kind: upright, values as the file has them.
///
/// Every reader returns one, and a photo, a depth plane or a matte is made from it here: a reader
/// does not know what the picture is for.
struct Picture: Sendable {
  /// Integers are R, G, B, A interleaved, not multiplied by alpha; a grey picture has R = G = B, one
  /// without alpha has the largest value there. Floats are one channel of measurements.
  enum Samples: Sendable {
    case eight(Plane<SIMD4<UInt8>>)
    case sixteen(Plane<SIMD4<UInt16>>)
    case float(Plane<Float>)

    /// Whether R, G and B are equal everywhere.
    func hasEqualChannels() -> Bool {
      switch self {
      case .eight(let plane): plane.hasEqualChannels()
      case .sixteen(let plane): plane.hasEqualChannels()
      case .float: true
      }
    }
  }

  let samples: Samples
  /// The kind's name.
  let kind: String
  /// Whether the file has alpha; it may still be opaque everywhere.
  let hasAlpha: Bool
  /// What the file's EXIF says; its orientation has been applied.
  let exif: EXIF
  /// What the file says of the samples' colour; it matters to a photo alone.
  var colour: ColourTag

  /// - Parameter stored: the samples as they lie in the file.
  init(
    stored: consuming Samples, kind: String, hasAlpha: Bool = false, exif: EXIF = EXIF(),
    colour: ColourTag = .untagged
  ) {
    switch consume stored {
    case .eight(let plane): samples = .eight(plane.turnedUpright(from: exif.orientation))
    case .sixteen(let plane): samples = .sixteen(plane.turnedUpright(from: exif.orientation))
    case .float(let plane): samples = .float(plane.turnedUpright(from: exif.orientation))
    }
    (self.kind, self.hasAlpha, self.exif, self.colour) = (kind, hasAlpha, exif, colour)
  }

  /// - Parameters:
  ///   - upright: samples whose orientation has been applied.
  ///   - exif: with that orientation.
  init(
    upright samples: Samples, kind: String, hasAlpha: Bool, exif: EXIF,
    colour: ColourTag = .untagged
  ) {
    (self.samples, self.kind, self.hasAlpha, self.exif) = (samples, kind, hasAlpha, exif)
    self.colour = colour
  }
}

extension Picture {
  /// The picture as a photograph. Alpha that is opaque everywhere counts as none.
  func photo() throws(Problem) -> Photo {
    let (pixels, isOpaque): (Photo.Samples, Bool) =
      switch samples {
      case .eight(let plane): (.eight(plane), !hasAlpha || plane.isOpaque())
      case .sixteen(let plane): (.sixteen(plane), !hasAlpha || plane.isOpaque())
      case .float: throw .notAPhoto(kind: kind)
      }
    return Photo(
      samples: pixels, hasAlpha: !isOpaque, focalLength35: exif.focalLength35,
      orientation: exif.orientation.rawValue, colour: colour.photoColour(of: samples))
  }

  /// The picture as depth: integers as a fraction of their largest value, floats as they are. Where
  /// alpha is 0 there is no measurement: NaN.
  func depth() throws(Problem) -> Plane<Float> {
    try refuseInks()
    return switch samples {
    case .eight(let plane): try plane.grey(role: .depth)
    case .sixteen(let plane): try plane.grey(role: .depth)
    case .float(let plane): plane
    }
  }

  /// The picture as coverage, 0…1: alpha where it varies, else grey. NaN covers nothing.
  func matte() throws(Problem) -> Plane<Float> {
    try refuseInks()
    return switch samples {
    case .eight(let plane): try plane.coverage(hasAlpha: hasAlpha)
    case .sixteen(let plane): try plane.coverage(hasAlpha: hasAlpha)
    case .float(let plane): plane.map { $0.isNaN ? 0 : min(max($0, 0), 1) }
    }
  }

  /// Inks have been converted to colours, and nothing else than a photo may be.
  private func refuseInks() throws(Problem) {
    if case .inks = colour { throw .unsupported(kind: kind, feature: .cmyk) }
  }
}

extension Plane {
  fileprivate func hasEqualChannels() -> Bool where Sample: SIMD, Sample.Scalar: FixedWidthInteger {
    withUnsafeSamples { pixels in pixels.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] } }
  }

  fileprivate func isOpaque() -> Bool where Sample: SIMD, Sample.Scalar: FixedWidthInteger {
    alphaRange().lowerBound == .max
  }

  fileprivate func alphaRange() -> ClosedRange<Sample.Scalar>
  where Sample: SIMD, Sample.Scalar: FixedWidthInteger {
    withUnsafeSamples { pixels in
      var (low, high) = (Sample.Scalar.max, Sample.Scalar.min)
      for pixel in pixels { (low, high) = (min(low, pixel[3]), max(high, pixel[3])) }
      return min(low, high)...high
    }
  }

  /// Green as a fraction of its largest value. Channels may differ by 1/64 of that, as a lossy file's
  /// do.
  fileprivate func grey(role: PhotoInputError.Role) throws(Problem) -> Plane<Float>
  where Sample: SIMD, Sample.Scalar: FixedWidthInteger {
    let tolerance = Int(Sample.Scalar.max) / 64
    let isGrey = withUnsafeSamples { pixels in
      pixels.allSatisfy { pixel in
        let (r, g, b) = (Int(pixel[0]), Int(pixel[1]), Int(pixel[2]))
        return max(r, g, b) - min(r, g, b) <= tolerance
      }
    }
    guard isGrey else { throw .coloured(role: role) }
    let largest = Float(Sample.Scalar.max)
    return map { pixel in
      pixel[3] == 0 && role == .depth ? .nan : Float(pixel[1]) / largest
    }
  }

  fileprivate func coverage(hasAlpha: Bool) throws(Problem) -> Plane<Float>
  where Sample: SIMD, Sample.Scalar: FixedWidthInteger {
    let alpha = hasAlpha ? alphaRange() : 0...0
    guard alpha.lowerBound < alpha.upperBound else { return try grey(role: .matte) }
    let largest = Float(Sample.Scalar.max)
    return map { Float($0[3]) / largest }
  }
}
