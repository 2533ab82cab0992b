/// A rough coverage in layers of some density, which waits to be moved onto the photo's edges: what that
/// takes can be measured by itself.
public struct MaskTrial: Sendable {
  private let light: Plane<SIMD4<Float>>
  private let given: Plane<Float>
  private let reach: Float

  /// - Parameters:
  ///   - coverage: of the photo's shape, at the size that a network gave it.
  ///   - density: samples a photo pixel, at most 1.
  public init(_ photo: Photo, _ coverage: Plane<Float>, density: Double) async {
    let grid = Grid(photo: photo.size, density: density)
    light = await photo.linear(onto: grid)
    given = await coverage.resampled(onto: grid, photo: photo.size)
    reach = Float(Double(grid.size.width) / Double(coverage.width))
  }

  /// Of the layers.
  public var size: Size { given.size }

  public func refined() async -> Plane<Float> { await given.refined(by: light, reach: reach) }
}
