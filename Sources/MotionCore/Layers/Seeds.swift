/// What a depth says of each place, for a search of the subject's edge in the photo's colours. The
/// numbers are GrabCut's in OpenCV.
public enum Seed: Int, Sendable, BitwiseCopyable {
  case background = 0
  case subject = 1
  case perhapsBackground = 2
  case perhapsSubject = 3

  /// How surely it is the subject, 0…1.
  public var sureness: Float {
    switch self {
    case .background: 0
    case .perhapsBackground: 1 / 3
    case .perhapsSubject: 2 / 3
    case .subject: 1
    }
  }
}

extension DisparityMap {
  /// How far inside a cut's edge the subject is sure, as a part of the long side; the background is
  /// twice as far outside. Tunable.
  private static let sureness = 0.012

  /// The cut from this depth as seeds: sure where its edge is far, and open between.
  ///
  /// - Parameters:
  ///   - size: of the result, of the photo's shape.
  ///   - tap: the place that is meant, as fractions of the sides.
  /// - Returns: nil where nothing stands out.
  public func seeds(at size: Size, tap: SIMD2<Double>?) async -> Plane<Seed>? {
    guard let cut = await Cut(disparity, tap: tap) else { return nil }
    let coverage = await cut.coverage(on: Grid(photo: size, density: 1), photo: size)
    let sample = Double(size.width) / Double(disparity.width)
    let reach = Float(max(Self.sureness * Double(size.longSide), 3 * sample))
    let isSubject = await coverage.map { 1 - $0 }.clear(of: 0.5, by: reach)
    let isBackground = await coverage.clear(of: 0.05, by: 2 * reach)
    return await Plane(width: size.width, height: size.height) { y, row in
      for x in row.indices {
        row[x] =
          isSubject[x, y] == 1
          ? .subject
          : isBackground[x, y] == 1
            ? .background : coverage[x, y] > 0.5 ? .perhapsSubject : .perhapsBackground
      }
    }
  }
}
