public import MotionCore

/// Reads pictures: photographs, depth pictures and mattes, of every kind in `InputKind.all`.
///
/// The kind is told from the file's content. Pictures come upright (their EXIF orientation is
/// applied). Standard input and pipes work as files do; one input is read whole, up to 1 GiB. A
/// file that is cut short or damaged is an error, never a picture with a grey part. A parameter
/// `content` is handed the file's bytes, all of them, before they are decoded.
public enum PhotoReader {
  /// The largest picture that is decoded unless told otherwise.
  public static let defaultMaxPixels = 120_000_000

  /// A photograph: R, G, B, A with 8 or 16 bits a sample as in the file, and what light they mean.
  ///
  /// - Parameter maxPixels: compared with the header before memory for pixels is taken.
  public static func photo(
    at path: InputPath, maxPixels: Int = defaultMaxPixels
  ) throws(PhotoInputError) -> Photo {
    try read(path) { (bytes) throws(Problem) in
      try picture(bytes, maxPixels: maxPixels).photo()
    }
  }

  /// A photograph with the depth and the matte that its file holds beside it.
  ///
  /// Maps that cannot be used are told in the result and keep nobody from the photo.
  /// - Parameter maps: which of depth and matte are looked for.
  public static func file(
    at path: InputPath, variant: PhotoVariant = .original,
    maps: Set<PhotoInputError.Role> = [.depth, .matte], maxPixels: Int = defaultMaxPixels,
    content: (RawSpan) -> Void = { _ in }
  ) throws(PhotoInputError) -> PhotoFile {
    try read(path, content) { (bytes) throws(Problem) in
      let kind = try kind(of: bytes)
      return try whole(
        kind, bytes, kind.embedded(bytes, wanted(maps, variant), maxPixels), maxPixels)
    }
  }

  /// The same, with a photo whose file says beforehand what it is like still being decoded.
  ///
  /// Its samples are pending then and come from `PhotoFile.decoding`, so that what its maps say can
  /// be worked out meanwhile.
  public static func open(
    at path: InputPath, variant: PhotoVariant = .original,
    maps: Set<PhotoInputError.Role> = [.depth, .matte], maxPixels: Int = defaultMaxPixels,
    content: (RawSpan) -> Void = { _ in }
  ) throws(PhotoInputError) -> PhotoFile {
    do {
      let bytes = try input(path)
      content(bytes.span.bytes)
      let kind = try kind(of: bytes.span.bytes)
      let outline = kind.outline(bytes.span.bytes, maxPixels)
      let decoding = outline.map { _ in
        Task.detached {
          do throws(Problem) {
            return try kind.read(bytes.span.bytes, maxPixels).photo()
          } catch {
            throw PhotoInputError(path: path, problem: error)
          }
        }
      }
      let found = kind.embedded(bytes.span.bytes, wanted(maps, variant), maxPixels)
      if let outline, !found.hasOriginal { return PhotoFile(outline, decoding: decoding, found) }
      return try whole(kind, bytes.span.bytes, found, maxPixels)
    } catch {
      throw PhotoInputError(path: path, problem: error)
    }
  }

  private static func wanted(
    _ maps: Set<PhotoInputError.Role>, _ variant: PhotoVariant
  ) -> Set<PhotoInputError.Role> {
    maps.subtracting([.photo]).union(variant == .original ? [.photo] : [])
  }

  /// The edited photo is not even decoded where it is not wanted.
  private static func whole(
    _ kind: InputKind, _ bytes: RawSpan, _ found: EmbeddedPictures, _ maxPixels: Int
  ) throws(Problem) -> PhotoFile {
    let picture =
      if let original = found.original { original } else { try kind.read(bytes, maxPixels) }
    return PhotoFile(try picture.photo(), found)
  }

  /// A file that was named as a depth: a photograph with its depth in it, or a depth picture.
  ///
  /// - Throws: `embedded` for a photograph whose depth cannot be used, and what `depth` throws.
  public static func depthFile(
    at path: InputPath, maxPixels: Int = defaultMaxPixels, content: (RawSpan) -> Void = { _ in }
  ) throws(PhotoInputError) -> DepthFile {
    try read(path, content) { (bytes) throws(Problem) in
      let kind = try kind(of: bytes)
      let found = kind.embedded(bytes, [.depth], maxPixels)
      if let depth = found.depth { return .embedded(depth) }
      if let problem = found.broken[.depth] { throw .embedded(.depth, problem) }
      return .samples(try kind.read(bytes, maxPixels).depth())
    }
  }

  /// A depth picture: integer samples as a fraction 0…1 of their largest value, floats as they are,
  /// infinities and NaN included; NaN where alpha is 0. What they mean is `DepthKind`'s to say.
  ///
  /// A picture with colour channels is taken if they are equal, to 1/64 of their range.
  public static func depth(
    at path: InputPath, maxPixels: Int = defaultMaxPixels
  ) throws(PhotoInputError) -> Plane<Float> {
    try read(path) { (bytes) throws(Problem) in
      try picture(bytes, maxPixels: maxPixels).depth()
    }
  }

  /// A matte, 0…1 a sample: the one in the file of a photograph, else the picture's alpha where that
  /// varies, else its grey.
  public static func matte(
    at path: InputPath, maxPixels: Int = defaultMaxPixels, content: (RawSpan) -> Void = { _ in }
  ) throws(PhotoInputError) -> Plane<Float> {
    try read(path, content) { (bytes) throws(Problem) in
      let kind = try kind(of: bytes)
      let found = kind.embedded(bytes, [.matte], maxPixels)
      if let matte = found.matte { return matte }
      if let problem = found.broken[.matte] ?? found.untold { throw .embedded(.matte, problem) }
      return try kind.read(bytes, maxPixels).matte()
    }
  }

  private static func read<Result>(
    _ path: InputPath, _ content: (RawSpan) -> Void = { _ in },
    _ make: (RawSpan) throws(Problem) -> Result
  ) throws(PhotoInputError) -> Result {
    do {
      let bytes = try input(path)
      content(bytes.span.bytes)
      return try make(bytes.span.bytes)
    } catch {
      throw PhotoInputError(path: path, problem: error)
    }
  }

  private static func input(_ path: InputPath) throws(Problem) -> [UInt8] {
    try InputBytes.read(path) { (head) throws(Problem) in _ = try kind(of: head) }
  }

  /// Decodes a file that has been read.
  static func picture(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    try kind(of: bytes).read(bytes, maxPixels)
  }

  private static func kind(of head: RawSpan) throws(Problem) -> InputKind {
    if let kind = InputKind.of(head) { return kind }
    throw .notAPicture(head: (0..<min(16, head.byteCount)).compactMap { head.byte(at: $0) })
  }
}
