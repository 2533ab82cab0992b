/// How near the subject is and how near is what stands around it, by a depth of any scale: whether
/// the two agree can be seen from that.
struct Relief: Sendable {
  /// The middle sample on the subject.
  let subject: Float
  /// The middle sample around it.
  let surroundings: Float
  /// Half the difference between the largest and the smallest sample of all.
  let halfRange: Float

  /// A picture this long shows it as well as a larger one.
  private static let longSide = 256.0
  /// What is around the subject, as parts of the long side: not so near that an edge bleeds into it,
  /// and not so far that another distance begins.
  private static let ring = (from: 0.015, to: 0.1)
  /// Differences less than this part of the range, or of the subject's nearness, say nothing.
  private static let significance: Float = 0.02

  /// - Parameter depth: samples of the whole photo; those that are not finite count for nothing.
  /// - Returns: nil where nothing is known of the subject or of what is around it.
  init?(_ depth: Plane<Float>, _ coverage: Coverage, photo: Size) async {
    let grid = Grid(photo: photo, density: min(1, Self.longSide / Double(photo.longSide)))
    let covered = await coverage.unfeathered(on: grid)
    let samples = await depth.resampled(onto: grid, photo: photo)
    let length = Double(grid.size.longSide)
    let clear = await covered.clear(of: 0.5, by: Float(max(Self.ring.from * length, 1)))
    let far = await covered.clear(of: 0.5, by: Float(max(Self.ring.to * length, 3)))
    var (inside, around) = ([Float](), [Float]())
    var (low, high) = (Float.infinity, -Float.infinity)
    for y in 0..<samples.height {
      for x in 0..<samples.width where samples[x, y].isFinite {
        let value = samples[x, y]
        (low, high) = (min(low, value), max(high, value))
        if covered[x, y] > 0.5 {
          inside.append(value)
        } else if clear[x, y] == 1, far[x, y] == 0 {
          around.append(value)
        }
      }
    }
    guard let subject = inside.median, let surroundings = around.median else { return nil }
    (self.subject, self.surroundings, halfRange) = (subject, surroundings, high / 2 - low / 2)
  }

  /// Whether larger samples are nearer, if the subject stands before what is around it; nil where
  /// the difference says nothing.
  var largerIsNearer: Bool? {
    // Halves, since the difference of two floats may be larger than any float.
    let difference = subject / 2 - surroundings / 2
    return abs(difference) > Self.significance * halfRange ? difference > 0 : nil
  }

  /// Whether, of inverse depths, the subject's is clearly less than that of what is around it.
  var isBehind: Bool { surroundings > subject * (1 + Self.significance) }
}

extension DisparityMap {
  /// Whether the samples of a relative depth are larger where the photo is nearer, as they are if the
  /// subject stands before what is around it.
  ///
  /// - Parameter matte: what the subject is; nil for the photo's alpha.
  /// - Returns: nil where nobody says what the subject is, or the depth does not tell it apart.
  public static func nearIsWhite(
    _ samples: Plane<Float>, matte: Matte?, photo: Photo
  ) async -> Bool? {
    guard matte != nil || photo.hasAlpha else { return nil }
    let coverage = matte.map { Coverage($0, photo: photo.size) } ?? Coverage(alphaOf: photo)
    return await Relief(samples, coverage, photo: photo.size)?.largerIsNearer
  }
}

extension [Float] {
  /// The middle value, the upper one of two; nil where there is none.
  var median: Float? {
    isEmpty ? nil : withUnsafeBufferPointer { $0.value(rank: count / 2) { _ in true } }
  }
}
