/// How well the still life's vase is cut out of its depth alone, degraded as phones hand theirs over.
public struct CutTrial: Sendable, Hashable {
  /// Distances from the true outline to the one that was found, in photo pixels.
  public struct Miss: Sendable, Hashable {
    public let mean: Double
    /// Nine of ten are no larger.
    public let most: Double
  }

  /// Of the outline as the depth tells it, and after it was looked for in the photo.
  public let asCut: Miss
  public let refined: Miss
  /// The mean error of δ within 8 px of the outline: the depth enlarged linearly, and after it was
  /// refined by the photo.
  public let depthEnlarged: Double
  public let depthRefined: Double

  /// The depth's size, over what its edges are blurred (in its samples), and its steps.
  private static let depthSize = Size(width: 768, height: 576)
  private static let blur: Float = 1.5
  private static let codes: Float = 255

  /// The outline is compared below the vase's mouth, where no strands stand before it.
  ///
  /// - Parameter size: of the photo; 4:3, as the depth is.
  public init(size: Size) async throws(Scene.Problem) {
    let stillLife = StillLife(size: size)
    let (photo, exact, matte) = await stillLife.render()
    let depth = DisparityMap(disparity: await Self.degraded(exact.disparity, of: photo))
    let scene = try await Scene(photo: photo, depth: depth, matte: nil, output: size)
    let truth = try await Scene(photo: photo, depth: exact, matte: matte, output: size)
      .contour(refined: false).filter { $0.place.y > stillLife.clearOfStrands }
    asCut = Self.miss(of: await scene.contour(refined: false), from: truth)
    refined = Self.miss(of: await scene.contour(), from: truth)

    let grid = Grid(photo: size, density: 1)
    let enlarged = await depth.disparity.resampled(onto: grid, photo: size)
    let mended = await depth.refined(by: photo).disparity.resampled(onto: grid, photo: size)
    var (before, after, count) = (0.0, 0.0, 0.0)
    for point in truth {
      for offset in stride(from: -8.0, through: 8, by: 1) {
        let at = point.place + point.normal * offset
        let (x, y) = (Int(at.x), Int(at.y))
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { continue }
        let right = exact.disparity[x, y]
        before += Double(abs(enlarged[x, y] - right))
        after += Double(abs(mended[x, y] - right))
        count += 1
      }
    }
    (depthEnlarged, depthRefined) = (before / count, after / count)
  }

  private static func degraded(_ depth: Plane<Float>, of photo: Photo) async -> Plane<Float> {
    let grid = Grid(
      photo: photo.size, density: Double(depthSize.width) / Double(photo.size.width))
    let small = await depth.resampled(onto: grid, photo: photo.size).blurred(sigma: blur)
    let far = small.withUnsafeSamples { $0.min()! }
    let near = small.withUnsafeSamples { $0.max()! }
    return small.map { far + (($0 - far) / (near - far) * codes).rounded() / codes * (near - far) }
  }

  private static func miss(of found: [ContourPoint], from truth: [ContourPoint]) -> Miss {
    let distances = truth.map { point in
      found.map { other in
        let offset = other.place - point.place
        return (offset * offset).sum()
      }.min()!.squareRoot()
    }.sorted()
    return Miss(
      mean: distances.reduce(0, +) / Double(distances.count),
      most: distances[distances.count * 9 / 10])
  }
}

extension StillLife {
  /// The row of the photo below which only the vase is of the subject.
  fileprivate var clearOfStrands: Double {
    let below = composition.mouth + 0.05 * composition.height
    return Double(size.height) / 2 + optics.focal
      * Double(below / (composition.axis.y - composition.radius))
  }
}
