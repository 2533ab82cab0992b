public import MotionCore

/// Reads pictures: photographs, depth pictures and mattes, of every kind in `InputKind.all`.
///
/// The kind is told from the file's content. Pictures come upright (their EXIF orientation is
/// applied). Standard input and pipes work as files do; one input is read whole, up to 1 GiB. A
/// file that is cut short or damaged is an error, never a picture with a grey part.
public enum PhotoReader {
  /// The largest picture that is decoded unless told otherwise.
  public static let defaultMaxPixels = 120_000_000

  /// A photograph: R, G, B, A with 8 or 16 bits a sample as in the file, taken to be sRGB.
  ///
  /// - Parameter maxPixels: compared with the header before memory for pixels is taken.
  public static func photo(
    at path: InputPath, maxPixels: Int = defaultMaxPixels
  ) throws(PhotoInputError) -> Photo {
    try read(path, maxPixels) { (picture) throws(Problem) in try picture.photo() }
  }

  /// A depth picture: integer samples as a fraction 0…1 of their largest value, floats as they are,
  /// infinities and NaN included; NaN where alpha is 0. What they mean is `DepthKind`'s to say.
  ///
  /// A picture with colour channels is taken if they are equal, to 1/64 of their range.
  public static func depth(
    at path: InputPath, maxPixels: Int = defaultMaxPixels
  ) throws(PhotoInputError) -> Plane<Float> {
    try read(path, maxPixels) { (picture) throws(Problem) in try picture.depth() }
  }

  /// A matte, 0…1 a sample: the picture's alpha where that varies, else its grey.
  public static func matte(
    at path: InputPath, maxPixels: Int = defaultMaxPixels
  ) throws(PhotoInputError) -> Plane<Float> {
    try read(path, maxPixels) { (picture) throws(Problem) in try picture.matte() }
  }

  private static func read<Result>(
    _ path: InputPath, _ maxPixels: Int, _ make: (Picture) throws(Problem) -> Result
  ) throws(PhotoInputError) -> Result {
    do {
      let bytes = try InputBytes.read(path) { (head) throws(Problem) in _ = try kind(of: head) }
      return try make(try picture(bytes.span.bytes, maxPixels: maxPixels))
    } catch {
      throw PhotoInputError(path: path, problem: error)
    }
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
