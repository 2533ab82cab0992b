internal import MotionCore

/// A kind of picture file: a row of the table below.
public struct InputKind: Sendable {
  /// The name that messages and help use.
  public let name: String
  /// Whether a file that begins with these bytes, `headBytes` of them or the whole file, is of this
  /// kind.
  let matches: @Sendable (RawSpan) -> Bool
  /// Decodes a whole file.
  let read: @Sendable (_ bytes: RawSpan, _ maxPixels: Int) throws(Problem) -> Picture
  /// What a whole file says of its photo before that is decoded, samples pending; nil where that is
  /// not certain.
  var outline: @Sendable (_ bytes: RawSpan, _ maxPixels: Int) -> Photo? = { _, _ in nil }
  /// Finds what a whole file holds beside that picture. Of the roles, `photo` stands for the photo
  /// before it was edited.
  var embedded:
    @Sendable (_ bytes: RawSpan, _ wanted: Set<PhotoInputError.Role>, _ maxPixels: Int) ->
      EmbeddedPictures = { _, _, _ in EmbeddedPictures() }

  /// THE TABLE of input kinds: a new one is a new row, and a file with its reader.
  public static let all: [InputKind] = [
    InputKind(name: PNGReader.name, matches: PNGReader.matches, read: PNGReader.read),
    InputKind(
      name: JPEGReader.name, matches: JPEGReader.matches, read: JPEGReader.read,
      outline: JPEGReader.outline, embedded: JPEGReader.embedded),
    HEICReader.avif, HEICReader.heic,
    InputKind(name: WebPReader.name, matches: WebPReader.matches, read: WebPReader.read),
    InputKind(name: TIFFReader.name, matches: TIFFReader.matches, read: TIFFReader.read),
    InputKind(name: BMPReader.name, matches: BMPReader.matches, read: BMPReader.read),
    InputKind(name: GIFReader.name, matches: GIFReader.matches, read: GIFReader.read),
    InputKind(name: PNMReader.name, matches: PNMReader.matches, read: PNMReader.read),
    InputKind(name: PFMReader.name, matches: PFMReader.matches, read: PFMReader.read),
    InputKind(name: NPYReader.name, matches: NPYReader.matches, read: NPYReader.read),
  ]

  /// How many bytes are enough to tell any kind.
  static let headBytes = 64

  /// The kind of a file by its first bytes; its name is never asked.
  static func of(_ head: RawSpan) -> InputKind? { all.first { $0.matches(head) } }
}
