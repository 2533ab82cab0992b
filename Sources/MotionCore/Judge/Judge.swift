/// Draws a scene's move at its farthest pose with each method, and judges the subject's edge there
/// against the photo's, which is the same frame with nothing moved.
public struct Judge: Sendable {
  private let scene: Scene
  private let framing: Framing
  private let format: VideoFormat
  private let contour: [ContourPoint]
  /// Of the resting frame.
  private let rest: Tones

  public init(_ scene: Scene, move: Move, amount: Double = 1, _ format: VideoFormat) async {
    (self.scene, self.format) = (scene, format)
    framing = Framing(scene, move: move, amount: amount, output: format.size)
    contour = await scene.contour()
    let photo = Reference(
      layers: await scene.layers(.oneSheet, for: framing), framing: framing, format: format)
    rest = await Tones(linear: photo.linear(.rest))
  }

  /// The farthest pose; of two the first.
  private var pose: Pose { framing.move.extremes(amount: framing.amountUsed)[0] }

  /// A method's frame and what its edge is worth.
  public struct Verdict: Sendable {
    public let method: Method
    public let figures: EdgeFigures
    let tones: Tones
  }

  public func judge(_ method: Method) async -> Verdict {
    let layers = await scene.layers(method, for: framing)
    let reference = Reference(layers: layers, framing: framing, format: format)
    let tones = await Tones(linear: reference.linear(pose))
    return Verdict(
      method: method,
      figures: figures(
        of: tones, stretched: await reference.inverseMap(pose).stretched,
        bled: method == .layered ? await bled(in: layers[0]) : nil),
      tones: tones)
  }

  func figures(of tones: Tones, stretched: Double, bled: Double?) -> EdgeFigures {
    let (still, moved) = (framing.camera(.rest), framing.camera(pose))
    // The subject's own magnification.
    let scale = pose.zoom / (1 - min(pose.z, Camera.nearest))
    var (ratios, single, doubled) = ([Float](), 0, 0)
    for point in contour {
      let (a, b) = (frame(point, still), frame(point, moved))
      guard let photo = EdgeProfile(rest, at: a, along: point.normal), let edge = photo.edge,
        let frame = EdgeProfile(tones, at: b, along: point.normal * scale)
      else { continue }
      ratios.append(frame.steepness / photo.steepness)
      if photo.count(of: edge) == 1 {
        single += 1
        if frame.count(of: edge) > 1 { doubled += 1 }
      }
    }
    ratios.sort()
    func share(_ part: Int, _ whole: Int) -> Double {
      whole > 0 ? Double(part) / Double(whole) : 0
    }
    return EdgeFigures(
      points: ratios.count, sharpness: ratios.isEmpty ? 1 : Double(ratios[ratios.count / 2]),
      softened: share(ratios.count { $0 < 0.5 }, ratios.count),
      doubled: share(doubled, single), stretched: stretched, bled: bled)
  }

  /// Where a camera shows a point of the outline, which is the subject's.
  private func frame(_ point: ContourPoint, _ camera: Camera) -> SIMD2<Double> {
    framing.window.framePoint(camera.project(point.place, disparity: 1), crop: framing.crop)
  }

  /// See `EdgeFigures.bled`; the mean over the points where subject and background differ.
  private func bled(in background: Layer) async -> Double {
    let fill = await Tones(linear: background.colour)
    let light = await scene.photo.linear(onto: background.grid)
    let photo = await Tones(linear: light)
    let coverage = await scene.coverage.finished(light, on: background.grid)
    let density = background.grid.density
    // Beyond the feather and its margin the background is the photo.
    let outside = 4 * scene.coverage.feather + 2
    var (sum, count) = (0.0, 0)
    for point in contour {
      /// The mean from one distance to another, outwards, in photo pixels.
      func mean(_ tones: Tones, from: Double, to: Double) -> SIMD4<Float>? {
        var sum = SIMD4<Float>.zero
        for index in 0..<5 {
          let s = from + (to - from) * Double(index) / 4
          let q = (point.place + point.normal * s - background.grid.origin) * density
          guard tones.holds(q) else { return nil }
          sum += tones.sample(q)
        }
        return sum / 5
      }
      let far = (point.place + point.normal * (outside + 6) - background.grid.origin) * density
      guard let subject = mean(photo, from: -12, to: -6),
        let ground = mean(photo, from: outside, to: outside + 6),
        let filled = mean(fill, from: -6, to: 0), coverage[Int(far.x), Int(far.y)] == 0
      else { continue }
      let difference = subject - ground
      let contrast = (difference * difference).sum()
      guard contrast >= 0.15 * 0.15 else { continue }
      sum += Double(((filled - ground) * difference).sum() / contrast)
      count += 1
    }
    return count > 0 ? sum / Double(count) : 0
  }
}

extension Judge {
  /// The photo and each method in a row: first every moved frame whole, then the photo at rest and
  /// every frame where they differ most along the outline, enlarged.
  ///
  /// - Parameter times: how much the parts are enlarged.
  public func strip(
    _ verdicts: [Verdict], cell: Size = Size(width: 288, height: 216), times: Int = 3
  ) async -> Raster {
    let (gap, place) = (8, stressed(verdicts.map(\.tones)))
    let part = Size(width: cell.width / times, height: cell.height / times)
    var pictures: [Thumbnail] = []
    for verdict in verdicts {
      let whole = verdict.tones.thumbnail
      let ratio = Double(cell.height) * Double(whole.size.longSide) / Double(whole.size.height)
      pictures.append(await whole.reduced(toLongSide: min(Int(ratio), cell.width)))
    }
    let rested = frame(place, framing.camera(.rest))
    let moved = frame(place, framing.camera(pose))
    for (tones, q) in [(rest, rested)] + verdicts.map({ ($0.tones, moved) }) {
      pictures.append(
        tones.thumbnail.enlarged(
          left: Int(q.x) - part.width / 2, top: Int(q.y) - part.height / 2, part, times: times))
    }
    var montage = Montage(
      size: Size(
        width: pictures.count * (cell.width + gap) + gap, height: cell.height + 2 * gap))
    for (index, picture) in pictures.enumerated() {
      montage.lay(
        picture, left: gap + index * (cell.width + gap) + (cell.width - picture.size.width) / 2,
        top: gap + (cell.height - picture.size.height) / 2)
    }
    return montage.raster
  }

  /// The point of the outline around which the frames differ most.
  private func stressed(_ frames: [Tones]) -> ContourPoint {
    let camera = framing.camera(pose)
    var (worst, most) = (contour.first, -Float.infinity)
    // A point in so many is near enough to every other.
    for point in contour.indices.filter({ $0 % 7 == 0 }).map({ contour[$0] }) {
      let q = frame(point, camera)
      var difference: Float = 0
      for dy in stride(from: -14.0, through: 14, by: 4) {
        for dx in stride(from: -14.0, through: 14, by: 4) {
          let at = q + SIMD2(dx, dy)
          guard frames.allSatisfy({ $0.holds(at) }) else { continue }
          let values = frames.map { $0.sample(at) }
          for value in values.dropFirst() {
            let change = value - values[0]
            difference += (change * change).sum()
          }
        }
      }
      if difference > most { (worst, most) = (point, difference) }
    }
    return worst ?? ContourPoint(place: scene.target, normal: SIMD2(1, 0))
  }
}

extension Tones {
  fileprivate var thumbnail: Thumbnail {
    Thumbnail(
      size: plane.size,
      codes: plane.withUnsafeSamples { pixels in
        [UInt8](unsafeUninitializedCapacity: 3 * pixels.count) { codes, initialized in
          for (index, pixel) in pixels.enumerated() {
            for channel in 0..<3 {
              codes[3 * index + channel] = UInt8(pixel[channel] * 255 + 0.5)
            }
          }
          initialized = 3 * pixels.count
        }
      })
  }
}
