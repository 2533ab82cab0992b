/// How much of each place the subject covers, 0…1, for any grid.
struct Coverage: Sendable {
  private enum Origin: Sendable {
    case matte(Plane<Float>)
    case alpha(Photo)
    case cut(Cut)
  }

  private let origin: Origin
  private let photo: Size
  /// By how much the coverage is grown beyond its edge, in photo pixels; 0 for an exact one.
  let feather: Double
  /// By how much its contour may miss the photo's edge, in photo pixels; nil where it is taken as it
  /// is.
  private let uncertainty: Double?
  /// Where it comes from.
  let source: Source

  /// Masks stop a pixel or two inside the photo's own edge, where the last pixels are already
  /// blended: they are grown by so much of the photo's long side.
  private static let featherShare = 2.0 / 1920

  init(_ matte: Matte, photo: Size) {
    origin = .matte(matte.coverage)
    self.photo = photo
    feather = matte.isExact ? 0 : Self.featherShare * Double(photo.longSide)
    uncertainty =
      matte.isRough ? Double(photo.width) / Double(matte.coverage.width) : nil
    source = matte.source
  }

  /// The photo's own alpha.
  init(alphaOf photo: Photo) {
    origin = .alpha(photo)
    self.photo = photo.size
    feather = Self.featherShare * Double(photo.size.longSide)
    uncertainty = nil
    source = .alpha
  }

  init(_ cut: Cut, photo: Size) {
    origin = .cut(cut)
    self.photo = photo
    feather = Self.featherShare * Double(photo.longSide)
    uncertainty = cut.sampleWidth(photo: photo)
    source = .cut
  }

  /// What the depth is without the ground, of which it was cut; nil where it was not.
  var heights: Plane<Float>? { if case .cut(let cut) = origin { cut.heights } else { nil } }

  /// Whether its contour is looked for in the photo.
  var isUncertain: Bool { uncertainty != nil }

  /// The coverage as it was given.
  func unfeathered(on grid: Grid) async -> Plane<Float> {
    switch origin {
    case .matte(let matte): await matte.resampled(onto: grid, photo: photo)
    case .alpha(let photo): await photo.linear(onto: grid).map { $0.w }
    case .cut(let cut): await cut.coverage(on: grid, photo: photo)
    }
  }

  /// A coverage on the grid with its contour on the photo's edge, where it is not certain.
  ///
  /// - Parameter light: the photo in linear light, on the grid.
  func refined(_ given: Plane<Float>, by light: Plane<SIMD4<Float>>, on grid: Grid) async
    -> Plane<Float>
  {
    guard let uncertainty else { return given }
    return await given.refined(by: light, reach: Float(grid.samples(uncertainty)))
  }

  /// The coverage on a grid, refined and feathered.
  ///
  /// - Parameter light: the photo in linear light, on the grid.
  func finished(_ light: Plane<SIMD4<Float>>, on grid: Grid) async -> Plane<Float> {
    await feathered(await refined(await unfeathered(on: grid), by: light, on: grid), on: grid)
  }

  /// A coverage on the grid grown by the feather, blurred by half of it, and nowhere less than given.
  func feathered(_ given: Plane<Float>, on grid: Grid) async -> Plane<Float> {
    // A contour that was found in the photo stops short of its edge by less.
    let radius = Float(grid.samples(uncertainty == nil ? feather : feather / 2))
    guard radius > 0 else { return given }
    let grown = await given.dilated(by: radius).blurred(sigma: radius / 2)
    return await Plane(width: given.width, height: given.height) { y, row in
      for x in 0..<row.count {
        // The blur's last tail is cut off, so that what it does not reach is exactly the photo.
        let soft = grown[x, y] < 1 / 512 ? 0 : min(grown[x, y], 1)
        row[x] = max(given[x, y], soft)
      }
    }
  }

  /// 1 where the background is known: farther than two feathers, and `margin` photo pixels, from the
  /// subject; 0 elsewhere.
  func background(_ coverage: Plane<Float>, on grid: Grid, margin: Double = 0) async
    -> Plane<Float>
  {
    let distance = grid.samples(max(2 * feather, margin))
    return await coverage.clear(of: feather == 0 ? 0 : 0.02, by: Float(distance))
  }
}
