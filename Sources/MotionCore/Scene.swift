/// A photo understood: what is the subject, what is behind it, and how far everything is.
///
/// From it the layers are cut at whatever density a shot needs.
public struct Scene: Sendable {
  public private(set) var photo: Photo
  public let optics: Optics
  /// The point of the photo that stays where it is, in photo pixels.
  public let target: SIMD2<Double>
  /// Where the coverage and the depth came from.
  public let matteSource: Source
  public let depthSource: Source
  /// What the user should be told.
  public let notes: [Note]
  /// The subject's disparity in the map's own scale: δ is the map's over this.
  public let subjectDisparity: Double

  let coverage: Coverage
  /// A place of which more than this is covered is the subject's.
  private let half: Float
  private let depth: DisparityMap?
  /// δ of the background, with what the subject hides filled from around it.
  let backgroundDisparity: DisparityField
  /// The raster over the photo of pictures that are as fine as the output shows.
  let pictureGrid: Grid
  /// Bounds of δ in the photo.
  public let disparityBounds: ClosedRange<Float>

  public enum Note: Sendable, Hashable {
    /// The tap named a point of the background.
    case tapOnBackground
    /// The subject leaves no background that is known; what it hides is black.
    case noKnownBackground
    /// The photo's alpha is the coverage, so that nothing is known of what is not covered: it is
    /// black.
    case nothingBehindSubject
    /// By the depth, the subject is farther away than what is around it.
    case subjectBehind
  }

  public enum Problem: Error, Hashable {
    public enum Part: String, Sendable { case matte, depth }
    /// A matte or a depth has another aspect than the photo.
    case aspect(Part, Size, photo: Size)
    /// Neither a matte, a depth nor an alpha channel.
    case nothingToCut
    /// The coverage, which came from there, has no subject, or nothing but subject.
    case emptyMatte(Source)
    case fullMatte(Source)
    /// The depth is flat, or unknown all over.
    case flatDepth
    /// The subject is infinitely far or its depth unknown.
    case noSubjectDistance
  }

  /// δ of the flat background when there is a matte and no depth.
  static let planeDisparity: Float = 0.5
  /// 35 mm equivalent in millimetres where nobody says another.
  public static let defaultFocalLength = 28.0
  /// Aspects may differ by so much.
  private static let aspectTolerance = 0.01
  /// A side this short is the shortest whose rounding excuses another aspect.
  private static let shortestSide = 16
  /// Nothing is taken to be nearer than the subject's distance over this.
  static let largestDisparity: Float = 64
  /// A tap measures the subject's distance within so much of the frame's long side.
  private static let tapReach = 0.1
  /// Depth maps bleed at edges: the background's δ is not trusted within so many of their samples.
  private static let bleed = 3.0
  /// The least samples along the photo's long side that the scene is worked with.
  private static let leastSide = 512.0

  /// - Parameters:
  ///   - depth: how near everything is; nil for a flat background.
  ///   - matte: what the subject is; nil to take the photo's alpha or a cut from the depth.
  ///   - tap: the target as fractions of the photo's sides; nil for the subject's centre.
  ///   - focalLength35: 35 mm equivalent in millimetres; nil for the photo's own.
  ///   - output: the size it is to be shown at, which bounds how finely it is worked.
  public init(
    photo: Photo, depth: DisparityMap?, matte: Matte?, tap: SIMD2<Double>? = nil,
    focalLength35: Double? = nil, output: Size
  ) async throws(Problem) {
    let size = photo.size
    for (part, other, source) in [
      (Problem.Part.matte, matte?.coverage.size, matte?.source),
      (.depth, depth?.disparity.size, depth?.source),
    ] {
      // What was made of this photo is of its shape, as far as whole sides come to it.
      guard let other, let source, !source.isEstimate else { continue }
      if !Self.hasAspect(other, of: size) { throw .aspect(part, other, photo: size) }
    }
    self.photo = photo
    optics = Optics(
      photo: size,
      focalLength35: focalLength35 ?? photo.focalLength35 ?? Self.defaultFocalLength)

    let coverage: Coverage =
      if let matte {
        Coverage(matte, photo: size)
      } else if photo.hasAlpha {
        Coverage(alphaOf: photo)
      } else if let depth {
        if let cut = await Cut(depth.disparity, tap: tap) {
          Coverage(cut, photo: size)
        } else {
          throw .flatDepth
        }
      } else {
        throw .nothingToCut
      }
    self.coverage = coverage
    matteSource = coverage.source
    depthSource = depth?.source ?? .plane

    self.depth = depth
    pictureGrid = Grid(photo: size, density: Self.density(photo: size, output: output))
    let tapped = tap.map { $0 * SIMD2(Double(size.width), Double(size.height)) }
    let (grid, given) = await Self.given(
      coverage, tapped: tapped, fine: pictureGrid,
      coarse: Self.grid(photo: size, depth: depth?.disparity.size, most: pictureGrid))
    async let feathered = coverage.feathered(given, on: grid)
    let (centre, least, peak) = Self.centreOfCoverage(given, on: grid)
    guard let centre else { throw .emptyMatte(coverage.source) }
    guard least < 1 - Self.leastCoverage else { throw .fullMatte(coverage.source) }
    // In a tiny picture nothing may be covered by half.
    half = min(0.5, peak / 2)

    target = tapped ?? centre
    let tapIsOnSubject =
      tapped.map { [half] in given[Self.sample(of: $0, on: grid)] > half } ?? false

    let raw = await Self.disparity(depth, given, half: half, on: grid, photo: size)
    let reach =
      tapIsOnSubject
      ? max(Self.tapReach * Double(size.longSide), 1 / grid.density.min()) : .infinity
    var onSubject: [Float] = []
    for y in 0..<raw.height {
      for x in 0..<raw.width where given[x, y] > half && !raw[x, y].isNaN {
        if reach < .infinity {
          let offset = grid.photoPoint(x, y) - target
          if (offset * offset).sum() > reach * reach { continue }
        }
        onSubject.append(raw[x, y])
      }
    }
    guard let median = onSubject.median, median > 0 else { throw .noSubjectDistance }
    subjectDisparity = Double(median)
    let delta = Self.relative(raw, to: median)
    disparityBounds = delta.withUnsafeSamples { samples in
      let known = samples.lazy.filter { !$0.isNaN }
      return known.min()!...known.max()!
    }

    var bleed = 0.0
    if let depth {
      let map = depth.disparity.size
      bleed =
        Self.bleed
        * min(Double(size.width) / Double(map.width), Double(size.height) / Double(map.height))
    }
    let known = await coverage.background(feathered, on: grid, margin: bleed)
    var notes: [Note] = tap != nil && !tapIsOnSubject ? [.tapOnBackground] : []
    // A cut is nearer by its nature, an exact coverage is not the depth's to doubt, and of a guess there
    // is nothing that the user said wrong.
    if let depth, depth.source != .estimated, coverage.source != .cut, matte?.isExact != true,
      let relief = await Relief(depth.disparity, coverage, photo: size), relief.isBehind
    {
      notes.append(.subjectBehind)
    }
    var filled = await delta.filled(weights: known)
    if filled == nil {
      // A coarse map may leave nothing beyond its bleed.
      filled = await delta.filled(weights: await coverage.background(feathered, on: grid))
    }
    if let filled {
      backgroundDisparity = DisparityField(grid: grid, plane: filled)
    } else {
      // An exact coverage can be no tighter.
      if matte?.isExact != true { notes.append(.noKnownBackground) }
      backgroundDisparity = DisparityField(
        grid: grid,
        plane: Plane(width: raw.width, height: raw.height, repeating: Self.planeDisparity))
    }
    if matteSource == .alpha { notes.append(.nothingBehindSubject) }
    self.notes = notes
  }

  /// δ of the photo as it is, unknown samples filled, as fine as the output shows.
  func photoDisparity() async -> DisparityField {
    let given = await coverage.unfeathered(on: pictureGrid)
    let raw = await Self.disparity(depth, given, half: half, on: pictureGrid, photo: photo.size)
    let delta = Self.relative(raw, to: Float(subjectDisparity))
    // Some of it is known, since the subject's is.
    return DisparityField(grid: pictureGrid, plane: await delta.filled()!)
  }

  /// The depth on a grid in the map's own scale, NaN where unknown; without one a plane behind the
  /// subject.
  ///
  /// - Parameter given: the coverage on the grid, of which more than `half` is the subject.
  private static func disparity(
    _ depth: DisparityMap?, _ given: Plane<Float>, half: Float, on grid: Grid, photo: Size
  ) async -> Plane<Float> {
    if let depth { return await depth.resampled(onto: grid, photo: photo, coverage: given) }
    return given.map { $0 > half ? 1 : planeDisparity }
  }

  private static func relative(_ raw: Plane<Float>, to subject: Float) -> Plane<Float> {
    raw.map { $0.isNaN ? $0 : min($0 / subject, largestDisparity) }
  }

  /// Where the scene is worked: on the depth's own samples, so that what is interpolated between them
  /// is the depth. There are more in whole multiples where these are few, and none closer than in
  /// `most`.
  private static func grid(photo: Size, depth: Size?, most: Grid) -> Grid {
    let sides = SIMD2(Double(photo.width), Double(photo.height))
    let least = leastSide / Double(photo.longSide)
    var density = SIMD2(repeating: least)
    if let depth {
      density = SIMD2(Double(depth.width), Double(depth.height)) / sides
      // A side that was rounded is as long.
      density *= max(1, (least / density[photo.width >= photo.height ? 0 : 1] - 0.01).rounded(.up))
    }
    return Grid(
      from: .zero, to: sides, density: pointwiseMin(density, most.density), anchor: .zero)
  }

  /// The coverage, and the raster it is on: the coarse one, unless something is thinner than its
  /// samples, and is all there is of the subject or around it, or what the tap names.
  private static func given(
    _ coverage: Coverage, tapped: SIMD2<Double>?, fine: Grid, coarse: Grid
  ) async -> (Grid, Plane<Float>) {
    let given = await coverage.unfeathered(on: coarse)
    if coarse == fine { return (coarse, given) }
    let (centre, least, _) = centreOfCoverage(given, on: coarse)
    let isTold = centre != nil && least < 1 - leastCoverage
    if isTold && tapped == nil { return (coarse, given) }
    let finer = await coverage.unfeathered(on: fine)
    func isSubject(_ given: Plane<Float>, _ grid: Grid) -> Bool? {
      tapped.map { given[sample(of: $0, on: grid)] > 0.5 }
    }
    return isTold && isSubject(given, coarse) == isSubject(finer, fine)
      ? (coarse, given) : (fine, finer)
  }

  /// The scene with the samples of its photo, which it was made before.
  public func with(_ photo: Photo) -> Scene {
    precondition(photo.size == self.photo.size && photo.hasAlpha == self.photo.hasAlpha)
    var scene = self
    scene.photo = photo
    return scene
  }

  /// Whether a depth or a matte of one size has the shape of a photo of another.
  public static func hasAspect(_ map: Size, of photo: Size) -> Bool {
    let ratio = Double(map.width * photo.height) / Double(map.height * photo.width)
    // A small picture's aspect is only known to within a pixel of its sides.
    let side = min(map.width, map.height, photo.width, photo.height)
    let rounding = 1 / Double(max(side, shortestSide))
    return abs(ratio - 1) <= max(aspectTolerance, rounding)
  }

  /// Samples a photo pixel that a picture of `output` size can show: at most the photo's own.
  static func density(photo: Size, output: Size) -> Double {
    min(
      1,
      max(
        Double(output.width) / Double(photo.width), Double(output.height) / Double(photo.height)))
  }

  /// Less than a code of eight bits is black, and more than all but one is white.
  private static let leastCoverage: Float = 1 / 255.5

  /// The middle of the coverage in photo pixels, nil where there is none, the least and the largest
  /// coverage.
  private static func centreOfCoverage(_ coverage: Plane<Float>, on grid: Grid)
    -> (centre: SIMD2<Double>?, least: Float, peak: Float)
  {
    var (sum, weight, least, peak) = (SIMD2<Double>.zero, 0.0, Float.infinity, Float(0))
    for y in 0..<coverage.height {
      for x in 0..<coverage.width {
        least = min(least, coverage[x, y])
        guard coverage[x, y] > 0 else { continue }
        let a = Double(coverage[x, y])
        sum += grid.photoPoint(x, y) * a
        weight += a
        peak = max(peak, coverage[x, y])
      }
    }
    return (peak > leastCoverage ? sum / weight : nil, least, peak)
  }

  private static func sample(of p: SIMD2<Double>, on grid: Grid) -> (x: Int, y: Int) {
    let at = (p - grid.origin) * grid.density
    return (
      min(max(Int(at.x), 0), grid.size.width - 1), min(max(Int(at.y), 0), grid.size.height - 1)
    )
  }
}

extension Plane {
  fileprivate subscript(at: (x: Int, y: Int)) -> Sample { self[at.x, at.y] }
}
