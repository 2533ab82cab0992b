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
  /// Where it comes from.
  let source: Source

  /// Masks stop a pixel or two inside the photo's own edge, where the last pixels are already
  /// blended: they are grown by so much of the photo's long side, a cut from depth by twice that.
  private static let featherShare = 2.0 / 1920

  init(_ matte: Matte, photo: Size) {
    origin = .matte(matte.coverage)
    self.photo = photo
    feather = matte.isExact ? 0 : Self.featherShare * Double(photo.longSide)
    source = matte.source
  }

  /// The photo's own alpha.
  init(alphaOf photo: Photo) {
    origin = .alpha(photo)
    self.photo = photo.size
    feather = Self.featherShare * Double(photo.size.longSide)
    source = .alpha
  }

  init(_ cut: Cut, photo: Size) {
    origin = .cut(cut)
    self.photo = photo
    feather = 2 * Self.featherShare * Double(photo.longSide)
    source = .cut
  }

  /// The coverage as it was given.
  func unfeathered(on grid: Grid) async -> Plane<Float> {
    switch origin {
    case .matte(let matte): await matte.resampled(onto: grid, photo: photo)
    case .alpha(let photo): await photo.linear(onto: grid).map { $0.w }
    case .cut(let cut): await cut.coverage(on: grid, photo: photo)
    }
  }

  /// The coverage grown by the feather, blurred by half of it, and nowhere less than given.
  func feathered(on grid: Grid) async -> Plane<Float> {
    await feathered(await unfeathered(on: grid), on: grid)
  }

  /// The same of the coverage as it was given, on the grid.
  func feathered(_ given: Plane<Float>, on grid: Grid) async -> Plane<Float> {
    let radius = Float(feather * grid.density)
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
    let distance = max(2 * feather, margin) * grid.density
    return await coverage.clear(of: feather == 0 ? 0 : 0.02, by: Float(distance))
  }
}
