/// A photograph as a reader hands it over: upright, encoded as in the file, four channels.
///
/// Samples are R, G, B, A interleaved in row order from the top left, colour not multiplied by alpha;
/// `colour` says what they mean. They stay as the file has them, 8 or 16 bits, until the layers are
/// cut: a photograph of 12 megapixels is 48 MB here and would be 192 MB in linear light.
public struct Photo: Sendable {
  public enum Samples: Sendable {
    case eight(Plane<SIMD4<UInt8>>)
    case sixteen(Plane<SIMD4<UInt16>>)
  }

  private enum Content: Sendable {
    case samples(Samples)
    case pending(Size)
  }

  private let content: Content
  /// Whether alpha means anything; when false every alpha sample is the largest value.
  public let hasAlpha: Bool
  /// The focal length as a 35 mm equivalent in millimetres, when the file says it.
  public let focalLength35: Double?
  /// The EXIF orientation (1…8) that the reader has already applied.
  public let orientation: Int
  /// What light the samples stand for.
  public let colour: PhotoColour

  /// - Parameter colour: one that was made for samples of this many bits.
  public init(
    samples: Samples, hasAlpha: Bool, focalLength35: Double? = nil, orientation: Int = 1,
    colour: PhotoColour = .untagged
  ) {
    content = .samples(samples)
    self.hasAlpha = hasAlpha
    self.focalLength35 = focalLength35
    self.orientation = orientation
    self.colour = colour
  }

  /// A photo without alpha that is not decoded yet: its size is enough to understand it, and no layer
  /// can be cut from it.
  public init(pending size: Size, focalLength35: Double?, orientation: Int) {
    content = .pending(size)
    hasAlpha = false
    self.focalLength35 = focalLength35
    self.orientation = orientation
    colour = .untagged
  }

  public var isPending: Bool { if case .pending = content { true } else { false } }

  /// The samples, which must not be pending.
  public var samples: Samples {
    guard case .samples(let samples) = content else { preconditionFailure("not decoded yet") }
    return samples
  }

  public var size: Size {
    switch content {
    case .samples(.eight(let plane)): plane.size
    case .samples(.sixteen(let plane)): plane.size
    case .pending(let size): size
    }
  }
}

/// Which part of the photo is the subject, 0…1 a sample, at any size of the photo's aspect.
public struct Matte: Sendable {
  public let coverage: Plane<Float>
  /// True when the coverage is known exactly, as a rendered scene's is: it is then not feathered.
  public let isExact: Bool
  /// True when the contour lies only somewhere near the photo's edge, as a network's does: it is then
  /// looked for in the photo.
  public let isRough: Bool
  public let source: Source

  public init(
    coverage: Plane<Float>, isExact: Bool = false, isRough: Bool = false, source: Source = .file
  ) {
    precondition(!isExact || !isRough)
    self.coverage = coverage
    self.isExact = isExact
    self.isRough = isRough
    self.source = source
  }
}

/// Where a matte or a depth came from.
public enum Source: String, Sendable {
  /// A file the user named.
  case file
  /// The photo's own file.
  case embedded
  /// The photo's alpha channel.
  case alpha
  /// A file found beside the photo.
  case sidecar
  /// A subject found by a network.
  case lift
  /// A depth guessed by a network.
  case estimated
  /// A program that the user named.
  case command
  /// What stands out of the depth.
  case cut
  /// What stands out of the depth, its edge found by the photo's colours.
  case grabCut = "grabcut"
  /// No depth at all: a flat background behind a flat subject.
  case plane
  /// The built-in scene, which knows both exactly.
  case stillLife = "still-life"

  /// Whether it was worked out here, of the photo itself.
  var isEstimate: Bool { [.lift, .estimated, .cut, .grabCut].contains(self) }
}
