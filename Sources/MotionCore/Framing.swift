/// What a whole loop shows: the window, one crop for all frames, and the amount that fits.
public struct Framing: Sendable, Hashable {
  public let window: Window
  public let optics: Optics
  public let target: SIMD2<Double>
  public let move: Move
  /// The amount that was asked for, and the one that the photo has room for.
  public let amountAsked: Double
  public let amountUsed: Double
  /// How much the whole loop is enlarged, so that no pose looks beyond the photo's edge.
  public let crop: Double
  /// Whether the target stays in place.
  public let isPinned: Bool
  /// Whether the extra pose looks beyond the photo's edge, which is repeated there.
  public let looksBeyond: Bool
  /// The raster that the layers are cut on.
  let layerGrid: Grid

  /// The crop of an amount that has room: a little, for grace.
  static func leastCrop(amount: Double) -> Double { 1 + 0.04 * amount }
  /// Beyond this crop the amount is reduced instead.
  static let largestCrop = 1.15
  /// Crops beyond the least, and reduced amounts, are multiples of these.
  private static let cropStep = 1.0 / 1024
  private static let amountStep = 1.0 / 256
  /// Layers are not cut finer than this asks for: what comes nearer to the camera is left softer.
  private static let largestMagnification = 1.5
  /// Along an axis in which a layer's pixels do not stay where they are among its samples, these are
  /// by so much finer than the pixels that show them largest. Were they as fine, whole areas would at
  /// times lie on samples and at times between, and look sharper or softer than the moment before.
  private static let oversampling = 1.125
  /// What the layers keep around what the border of the frame was seen to need, in output pixels.
  private static let margin = 16.0

  /// - Parameters:
  ///   - extra: a pose beside those of the move. It is drawn with their crop.
  ///   - isPinned: whether the target stays in place in the extra pose.
  public init(
    _ scene: Scene, move: Move, amount: Double, output: Size, extra: Pose? = nil,
    isPinned: Bool = true
  ) {
    precondition(Move.amounts.contains(amount))
    let window = Window(photo: scene.photo.size, output: output, target: scene.target)
    let border = Border(scene: scene, window: window, move: move)
    var used = amount
    var crop = border.crop(amount: used)
    if crop == nil {
      // The largest step of the amount that fits, by bisection; 0 always fits.
      var (low, high) = (0, Int((amount / Self.amountStep).rounded(.up)))
      while high - low > 1 {
        let middle = (low + high) / 2
        let fits = border.crop(amount: Double(middle) * Self.amountStep) != nil
        (low, high) = fits ? (middle, high) : (low, middle)
      }
      used = Double(low) * Self.amountStep
      crop = border.crop(amount: used)
    }
    self.window = window
    self.move = move
    optics = scene.optics
    target = scene.target
    amountAsked = amount
    amountUsed = used
    self.crop = crop ?? 1
    self.isPinned = isPinned
    let poses = [.rest] + move.extremes(amount: used) + (extra.map { [$0] } ?? [])
    let cameras =
      border.cameras(amount: used)
      + (extra.map { [border.camera($0, isPinned: isPinned)] } ?? [])
    looksBeyond = extra != nil && !border.isInside(cameras.suffix(1), crop: crop ?? 1)

    let scale = window.scale * self.crop
    let background = scene.backgroundDisparity.plane.withUnsafeSamples {
      [Double($0.min()!), 1, Double($0.max()!)]
    }
    func magnification(_ pose: Pose, at disparity: Double) -> Double {
      pose.zoom / (1 - min(disparity * pose.z, Camera.nearest))
    }
    let largest = poses.flatMap { pose in background.map { magnification(pose, at: $0) } }.max()!
    let ofSubject = poses.map { magnification($0, at: 1) }
    let grows = ofSubject.max()! - ofSubject.min()! >= 1e-6
    func density(_ sideways: (Pose) -> Double) -> Double {
      let moves = grows || poses.contains { sideways($0) != 0 }
      return min(
        1,
        scale * min(largest, Self.largestMagnification) * (moves ? Self.oversampling : 1))
    }
    let densities = SIMD2(density { $0.x }, density { $0.y })
    // A photo that is shown finer than it is keeps its own pixels; otherwise the samples lie where
    // the resting frame's pixels do, as far as their density is the same.
    let anchor = window.photoPoint(.zero, crop: self.crop).replacing(
      with: SIMD2<Double>.zero, where: densities .== SIMD2.one)
    let seen = border.seen(cameras, crop: self.crop)
    let size = SIMD2(Double(scene.photo.size.width), Double(scene.photo.size.height))
    let margin = SIMD2(repeating: Self.margin / scale)
    layerGrid = Grid(
      from: pointwiseMax(seen.low - margin, .zero), to: pointwiseMin(seen.high + margin, size),
      density: densities, anchor: anchor)
  }

  public func camera(_ pose: Pose) -> Camera {
    Camera(optics: optics, pose: pose, target: isPinned ? target : nil)
  }

  /// The frame's border at a move's extremes: what the crop is measured on.
  private struct Border {
    let scene: Scene
    let window: Window
    let move: Move

    /// The smallest crop that keeps the border inside the photo, nil where none does.
    func crop(amount: Double) -> Double? {
      if amount == 0 { return 1 }
      let least = Framing.leastCrop(amount: amount)
      if fits(amount, least) { return least }
      let last = Int(Framing.largestCrop / Framing.cropStep)
      for step in Int(
        (least / Framing.cropStep).rounded(.up))...max(
          last, Int((least / Framing.cropStep).rounded(.up)))
      where step <= last && fits(amount, Double(step) * Framing.cropStep) {
        return Double(step) * Framing.cropStep
      }
      return nil
    }

    private func fits(_ amount: Double, _ crop: Double) -> Bool {
      isInside(cameras(amount: amount), crop: crop)
    }

    /// Those of a move at rest and at its extremes.
    func cameras(amount: Double) -> [Camera] {
      ([.rest] + move.extremes(amount: amount)).map { camera($0, isPinned: true) }
    }

    func camera(_ pose: Pose, isPinned: Bool) -> Camera {
      Camera(optics: scene.optics, pose: pose, target: isPinned ? scene.target : nil)
    }

    /// Whether cameras see nothing beyond the photo's edge.
    func isInside(_ cameras: [Camera], crop: Double) -> Bool {
      let bounds = seen(cameras, crop: crop)
      return bounds.low.min() >= 0 && bounds.high.x <= Double(window.photo.width)
        && bounds.high.y <= Double(window.photo.height)
    }

    /// The rectangle of the photo that the border's pixels look into.
    func seen(_ cameras: [Camera], crop: Double) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
      var low = SIMD2<Double>(repeating: .infinity)
      var high = -low
      let (w, h) = (window.output.width, window.output.height)
      for camera in cameras {
        let lookup = SheetLookup(
          scene.backgroundDisparity, rounds: Method.sheetRounds, camera: camera)
        func look(_ x: Int, _ y: Int) {
          let q = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
          let p = lookup.photoPoint(window.photoPoint(q, crop: crop))
          low = pointwiseMin(low, p)
          high = pointwiseMax(high, p)
        }
        for x in 0..<w {
          look(x, 0)
          look(x, h - 1)
        }
        for y in 0..<h {
          look(0, y)
          look(w - 1, y)
        }
      }
      return (low, high)
    }
  }
}
