/// What a scene was made of, as pictures that a person can judge. All but `heights` are of the size of
/// `grid`, which spans the whole photo.
public struct LayerPictures: Sendable {
  /// Where the pictures' samples lie on the photo.
  public let grid: Grid
  /// What was taken for the subject, feather included: 16-bit grey.
  public let coverage: Raster
  /// How that came about, where its contour was looked for in the photo: as it was given or cut, and
  /// then. 16-bit grey.
  public let coverageAsGiven: Raster?
  public let coverageAsRefined: Raster?
  /// What stands out of the ground, of which the subject was cut: 16-bit grey, white is the highest, at
  /// the depth's size. Nil where it was not cut.
  public let heights: Raster?
  /// The subject alone: 16-bit R'G'B'A. Laid over the background in linear light it is the photo
  /// (to within what a clamped colour leaves out, where the coverage was known exactly).
  public let subject: Raster
  /// The photo with what the subject hides filled in: 16-bit R'G'B'.
  public let background: Raster
  /// δ of the photo and of the background, filled: 16-bit grey, proportional, near is white.
  public let photoDisparity: Raster
  public let backgroundDisparity: Raster
  /// The δ that white stands for.
  public let whiteDisparity: Float
}

extension Scene {
  /// The layers as pictures, as fine as the scene was worked for its output.
  public func layerPictures() async -> LayerPictures {
    let grid = pictureGrid
    let layers = await layers(.layered, on: grid)
    let (background, card) = (layers[0], layers[1])
    let (left, top) = grid.samples(to: card.grid)
    let subject = await Plane<SIMD4<Float>>(
      width: grid.size.width, height: grid.size.height
    ) { y, row in
      row.initialize(repeating: .zero)
      guard (0..<card.colour.height).contains(y - top) else { return }
      for x in 0..<card.colour.width { row[left + x] = card.colour[x, y - top] }
    }
    let photoDisparity = await photoDisparity().plane
    let field = self.backgroundDisparity
    let backgroundDisparity =
      field.grid == grid
      ? field.plane : await field.plane.resampled(onto: grid, photo: photo.size)
    let white = [photoDisparity, backgroundDisparity].map { plane in
      plane.withUnsafeSamples { $0.max()! }
    }.max()!
    let given = await coverage.unfeathered(on: grid)
    let refined = await coverage.refined(given, by: photo.linear(onto: grid), on: grid)
    func stage(_ plane: Plane<Float>) -> Raster? {
      coverage.isUncertain ? Raster(measured: plane, white: 1) : nil
    }
    return LayerPictures(
      grid: grid,
      coverage: Raster(measured: await coverage.feathered(refined, on: grid), white: 1),
      coverageAsGiven: stage(given), coverageAsRefined: stage(refined),
      heights: coverage.heights.map { heights in
        Raster(measured: heights, white: heights.withUnsafeSamples { $0.max()! })
      },
      subject: Raster(premultiplied: subject),
      background: Raster(linear: background.colour),
      photoDisparity: Raster(measured: photoDisparity, white: white),
      backgroundDisparity: Raster(measured: backgroundDisparity, white: white),
      whiteDisparity: white)
  }
}
