/// What of a picture's EXIF block matters here, wherever the file keeps the block.
///
/// Source: CIPA DC-008 (Exif 2.32); the block is a TIFF file of its own. A block that makes no sense
/// says nothing: it is never a reason to refuse a picture.
struct EXIF: Sendable, Hashable {
  /// How the stored rows lie; 1 where it is not said.
  var orientation = Orientation.upright
  /// The 35 mm equivalent of the focal length in millimetres, when known.
  var focalLength35: Double?

  init() {}

  /// - Parameter block: from the byte order mark (`II` or `MM`) on.
  init(_ block: borrowing RawSpan) {
    guard let (bigEndian, main) = TIFF.header(block) else { return }

    func value(_ tag: Int, in directory: Int) -> Int? {
      TIFF.value(tag, in: directory, of: block, bigEndian: bigEndian)
    }

    if let stored = value(Tag.orientation, in: main), let known = Orientation(rawValue: stored) {
      orientation = known
    }
    // 0 stands for "unknown" there.
    if let details = value(Tag.exifDirectory, in: main),
      let focal = value(Tag.focalLengthIn35mmFilm, in: details), focal > 0
    {
      focalLength35 = Double(focal)
    }
  }

  private enum Tag {
    static let orientation = 0x0112
    static let exifDirectory = 0x8769
    static let focalLengthIn35mmFilm = 0xA405
  }
}
