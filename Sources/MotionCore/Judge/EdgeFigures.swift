/// How the subject's edge stands in a moved frame, in numbers.
public struct EdgeFigures: Sendable, Hashable {
  /// Points of the subject's outline that were looked at: inside the frame, where the photo has an
  /// edge.
  public let points: Int
  /// The steepest step at the edge over the photo's own there, the median: 1 is as sharp as the photo.
  public let sharpness: Double
  /// The share of points at which less than half of the photo's step is left.
  public let softened: Double
  /// The share of points at which the photo's step stands twice within 12 px along the normal, and
  /// in the photo does not.
  public let doubled: Double
  /// The share of the frame's pixels in which the photo is drawn out to more than twice its width,
  /// or turned over.
  public let stretched: Double
  /// How far the fill just inside the outline has gone from the background's colour outside to the
  /// subject's: 0 not at all, 1 all the way. Nil where nothing is filled.
  public let bled: Double?
}

/// R'G'B' of a picture as floats, looked at along the outline.
struct Tones: Sendable {
  /// 0…1 in x, y and z.
  let plane: Plane<SIMD4<Float>>

  init(linear: Plane<SIMD4<Float>>) async {
    let transfer = TransferFunction.sRGB
    plane = await Plane(width: linear.width, height: linear.height) { y, row in
      transfer.withEncoder { encode in
        for x in 0..<row.count {
          row[x] = encode(linear[x, y])
          row[x].w = 0
        }
      }
    }
  }

  func holds(_ q: SIMD2<Double>) -> Bool {
    q.x >= 1 && q.y >= 1 && q.x < Double(plane.width - 1) && q.y < Double(plane.height - 1)
  }

  /// Bilinear, at a place that `holds`.
  func sample(_ q: SIMD2<Double>) -> SIMD4<Float> {
    let (x, y) = (Float(q.x - 0.5), Float(q.y - 0.5))
    let (i, j) = (min(Int(x), plane.width - 2), min(Int(y), plane.height - 2))
    let (across, down) = (x - Float(i), y - Float(j))
    let top = plane[i, j] + (plane[i + 1, j] - plane[i, j]) * across
    let bottom = plane[i, j + 1] + (plane[i + 1, j + 1] - plane[i, j + 1]) * across
    return top + (bottom - top) * down
  }
}

/// The steps of colour along the outline's normal, a value every half pixel of the resting frame.
struct EdgeProfile {
  /// The outline lies in the middle.
  let steps: [SIMD4<Float>]

  /// How far it reaches to either side, in pixels of the resting frame.
  static let reach = 12
  private static let perPixel = 2
  /// The edge itself is looked for so near to the outline.
  private static let near = 4
  /// Steps below this, of 1 a pixel, are no edge.
  private static let leastStep: Float = 0.04

  /// - Parameters:
  ///   - q: the outline's place in the frame.
  ///   - normal: along which it is cut; as long as a pixel of the resting frame is in this one.
  /// - Returns: nil where the frame does not hold all of it.
  init?(_ tones: Tones, at q: SIMD2<Double>, along normal: SIMD2<Double>) {
    let last = Self.reach * Self.perPixel
    let end = Double(Self.reach) + 0.5
    guard tones.holds(q + normal * end), tones.holds(q - normal * end) else { return nil }
    steps = (-last...last).map { index in
      let s = Double(index) / Double(Self.perPixel)
      return tones.sample(q + normal * (s + 0.5)) - tones.sample(q + normal * (s - 0.5))
    }
  }

  /// The steepest step beside the outline; nil where there is none worth the name.
  var edge: SIMD4<Float>? {
    let (middle, near) = (steps.count / 2, Self.near * Self.perPixel)
    let steepest = steps[middle - near...middle + near].max { length($0) < length($1) }!
    return length(steepest) >= Self.leastStep ? steepest : nil
  }

  /// How steep it is beside the outline.
  var steepness: Float {
    let (middle, near) = (steps.count / 2, Self.near * Self.perPixel)
    return steps[middle - near...middle + near].map { length($0) }.max()!
  }

  /// How often a step stands in the profile: it has to rise to half of its height each time, and to
  /// fall below a quarter between.
  func count(of step: SIMD4<Float>) -> Int {
    let height = length(step)
    var (count, stands) = (0, false)
    for value in steps.map({ ($0 * step).sum() / height }) {
      if !stands, value >= height / 2 { (count, stands) = (count + 1, true) }
      if value < height / 4 { stands = false }
    }
    return count
  }
}

private func length(_ v: SIMD4<Float>) -> Float { (v * v).sum().squareRoot() }
