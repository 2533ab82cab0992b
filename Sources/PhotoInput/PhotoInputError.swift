public import MotionCore

/// Why a picture could not be had, as data: the sentence is made where it is said.
public struct PhotoInputError: Error, Hashable, Sendable {
  public let path: InputPath
  public let problem: Problem

  public init(path: InputPath, problem: Problem) {
    (self.path, self.problem) = (path, problem)
  }

  /// Why, without which file.
  public enum Problem: Error, Hashable, Sendable {
    /// `open` failed with this `errno`.
    case cannotOpen(errno: Int32)
    /// `read` failed with this `errno`.
    case cannotRead(errno: Int32)
    case isDirectory
    case empty
    /// The file holds more bytes than are read.
    case tooManyBytes(limit: Int)
    /// No row of `InputKind.all` knows it; `head` is its first bytes, at most 16.
    case notAPicture(head: [UInt8])
    /// The file ends before the picture does.
    case truncated(kind: String)
    /// The file contradicts its format; `detail` is the decoder's own text.
    case damaged(kind: String, detail: String)
    /// A sound file of a sort that is not read.
    case unsupported(kind: String, feature: Feature)
    /// A kind that this build reads nothing of, since a trait of the package was left out.
    case leftOut(kind: String, trait: String)
    /// A sound file that the version of a library that is `found` here refuses.
    case needsLibrary(kind: String, Library, found: String)
    /// The header names a picture of more than `maxPixels` pixels.
    case tooLarge(size: Size, maxPixels: Int)
    /// The header names a picture without pixels.
    case zeroSize(size: Size)
    /// A depth picture or a matte must be grey.
    case coloured(role: Role)
    /// The kind holds measurements, not a photograph.
    case notAPhoto(kind: String)
    /// The photo is sound and a map in its file is not.
    indirect case embedded(Role, Problem)
  }

  /// What a picture was to be.
  public enum Role: String, Hashable, Sendable, CaseIterable { case photo, depth, matte }

  /// A library that would read a file.
  public struct Library: Hashable, Sendable {
    public let name: String
    /// The first that does.
    public let version: String
    /// What older ones stumble over.
    public let reason: String
  }

  /// What of a format is not read.
  public enum Feature: Hashable, Sendable {
    /// Four inks, or four channels that could be, without a profile that says their colours.
    case cmyk
    /// Four inks, in a build that knows no profiles.
    case cmykProfile
    case bitsPerSample(Int)
    /// Channels that differ, in a kind that holds measurements.
    case colour
    /// A coding of the format by its name there, as "SOF9".
    case coding(String)
    /// A pixel format by its name in libavutil, or in words.
    case pixelFormat(String)
    /// An array of numbers of another type, by NumPy's name of it.
    case arrayType(String)
    /// An array of another shape than a picture's.
    case arrayShape([Int])
    /// An array by columns.
    case fortranOrder
  }
}

typealias Problem = PhotoInputError.Problem

extension Size {
  /// The size that a header names.
  /// - Throws: `zeroSize`, or `tooLarge` for more than `maxPixels` pixels.
  init(header width: Int, _ height: Int, maxPixels: Int) throws(Problem) {
    let size = Size(width: width, height: height)
    guard width > 0, height > 0 else { throw .zeroSize(size: size) }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= maxPixels else { throw .tooLarge(size: size, maxPixels: maxPixels) }
    self = size
  }
}
