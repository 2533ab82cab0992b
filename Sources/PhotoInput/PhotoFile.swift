public import MotionCore

/// A photograph with what its file holds beside it.
public struct PhotoFile: Sendable {
  public let photo: Photo
  /// Where the samples of `photo` are pending: gives it whole, or throws the `PhotoInputError` that
  /// keeps it from being read.
  public var decoding: Task<Photo, any Error>?
  /// Which of its two the photo is; nil where the file holds only one.
  public let variant: PhotoVariant?
  public let depth: EmbeddedDepth?
  /// The subject's matte, 0…1 a sample, upright as the photo is.
  public let matte: Plane<Float>?
  /// What was asked for and is there, but cannot be used, and why; `photo` is the original.
  public let broken: [PhotoInputError.Role: PhotoInputError.Problem]
  /// Why a further picture cannot be told, where it may be a map that was asked for and is not found.
  public let untold: PhotoInputError.Problem?
}

extension PhotoFile {
  init(_ photo: Photo, decoding: Task<Photo, any Error>? = nil, _ found: EmbeddedPictures) {
    (self.photo, self.decoding) = (photo, decoding)
    variant = found.original != nil ? .original : found.hasOriginal ? .edited : nil
    (depth, matte) = (found.depth, found.matte)
    (broken, untold) = (found.broken, found.untold)
  }
}

/// Which photograph of a file that holds two: phones blur the background and keep what they saw.
public enum PhotoVariant: String, Sendable, CaseIterable {
  /// As the camera saw it, where the file keeps that in the shape of the other.
  case original
  /// As other programs show it.
  case edited
}

/// The depth that a photo's file holds, upright as the photo is.
public struct EmbeddedDepth: Sendable {
  public let map: DisparityMap
  /// What the stored samples mean: `.disparity` or `.metric`, or `.relative` where the file does not
  /// say it.
  public let kind: DepthKind
  /// Whether larger stored samples are nearer.
  public let nearIsWhite: Bool
  /// The samples, 0…1, where the file does not say what they mean: `map` is then only what depth
  /// pictures mostly are, near in white and the farthest four times as far away as the nearest.
  public let unexplained: Plane<Float>?

  /// - Throws: `damaged` for samples that no distance follows from.
  init(
    _ samples: Plane<Float>, kind: DepthKind, nearIsWhite: Bool, format: String,
    isExplained: Bool = true
  ) throws(Problem) {
    do throws(DisparityMap.Unusable) {
      map = try DisparityMap(samples: samples, kind: kind, source: .embedded)
    } catch {
      switch error {
      case .nothingKnown: throw .damaged(kind: format, detail: "no distance is known")
      case .everythingInfinitelyFar: throw .damaged(kind: format, detail: "no distance is finite")
      }
    }
    (self.kind, self.nearIsWhite) = (kind, nearIsWhite)
    unexplained = isExplained ? nil : samples
  }
}

/// A file that was named as a depth.
public enum DepthFile: Sendable {
  /// A photograph with its depth in it.
  case embedded(EmbeddedDepth)
  /// A depth picture, as `PhotoReader.depth` reads it.
  case samples(Plane<Float>)
}

/// What a reader finds in a file beside its main picture.
struct EmbeddedPictures: Sendable {
  /// Whether there is an unedited photograph, sound or not.
  var hasOriginal = false
  /// The unedited photograph.
  var original: Picture?
  var depth: EmbeddedDepth?
  var matte: Plane<Float>?
  var broken: [PhotoInputError.Role: Problem] = [:]
  /// Why a further picture cannot be told.
  var untold: Problem?
}

extension Picture {
  /// A picture from inside a photo's file, turned as the photo: it lies as the photo is stored unless
  /// it has its own word on that.
  func turned(as photo: EXIF) -> Picture {
    var own = exif
    guard own.orientation == .upright else { return self }
    own.orientation = photo.orientation
    own.focalLength35 = own.focalLength35 ?? photo.focalLength35
    return Picture(
      stored: samples, kind: kind, hasAlpha: hasAlpha, exif: own, colour: colour)
  }

  var size: Size {
    switch samples {
    case .eight(let plane): plane.size
    case .sixteen(let plane): plane.size
    case .float(let plane): plane.size
    }
  }
}
