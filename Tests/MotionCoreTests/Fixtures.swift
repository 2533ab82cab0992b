@testable import MotionCore

/// A photo painted by a function of the place: sRGB-encoded 16-bit samples from linear light.
func paint(
  _ width: Int, _ height: Int, _ colour: @escaping (_ x: Double, _ y: Double) -> SIMD3<Double>
) -> Photo {
  Photo(
    samples: .sixteen(
      Plane(width: width, height: height) { y, row in
        for x in 0..<width {
          let linear = colour(Double(x) + 0.5, Double(y) + 0.5)
          row[x] = TransferFunction.sRGB.sixteenBit(
            SIMD4(Float(linear.x), Float(linear.y), Float(linear.z), 1))
        }
      }), hasAlpha: false)
}

func plane(_ width: Int, _ height: Int, _ value: @escaping (Double, Double) -> Double)
  -> Plane<Float>
{
  Plane(width: width, height: height) { y, row in
    for x in 0..<width { row[x] = Float(value(Double(x) + 0.5, Double(y) + 0.5)) }
  }
}

/// A sphere in the middle of the picture before a wall at twice its distance.
struct SphereBeforeWall {
  let width: Int
  let height: Int
  let radius: Double
  /// Colours of the sphere and the wall at a place, in linear light.
  var sphere: (Double, Double) -> SIMD3<Double> = { _, _ in SIMD3(0.6, 0.02, 0.6) }
  var wall: (Double, Double) -> SIMD3<Double> = { x, y in
    let isLight = (Int(x / 12) + Int(y / 12)) % 2 == 0
    return SIMD3(repeating: isLight ? 0.35 : 0.2)
  }

  /// The sphere's coverage, with an edge one pixel wide.
  func coverage(_ x: Double, _ y: Double) -> Double {
    min(max(radius - distance(x, y) + 0.5, 0), 1)
  }

  func distance(_ x: Double, _ y: Double) -> Double {
    let (dx, dy) = (x - Double(width) / 2, y - Double(height) / 2)
    return (dx * dx + dy * dy).squareRoot()
  }

  var photo: Photo {
    paint(width, height) { x, y in
      let a = coverage(x, y)
      return sphere(x, y) * a + wall(x, y) * (1 - a)
    }
  }

  /// 1 in the middle of the sphere, a little less at its rim, ½ at the wall.
  var depth: DisparityMap {
    DisparityMap(
      disparity: plane(width, height) { x, y in
        let d = distance(x, y) / radius
        return d < 1 ? 1 / (1 - 0.08 * (1 - d * d).squareRoot()) : 0.5
      })
  }

  var matte: Matte { Matte(coverage: plane(width, height, coverage)) }

  func scene(tap: SIMD2<Double>? = nil, output: Size? = nil) async throws -> Scene {
    try await Scene(
      photo: photo, depth: depth, matte: matte, tap: tap,
      output: output ?? Size(width: width, height: height))
  }
}

extension Scene {
  /// A shot of the scene, of 8-bit R'G'B' at 30 frames a second.
  func shot(
    _ move: Move, amount: Double = 1, period: Int = 120, output: Size? = nil,
    pixelFormat: PixelFormat = .rgb24, method: MotionCore.Method = .layered,
    layers: LayerSelection = .all, siting: ChromaSiting = .mpeg2, renderer: Renderer = .fast,
    instructions: InstructionSet = .best
  ) async throws -> Shot {
    let size = output ?? photo.size
    let framing = Framing(self, move: move, amount: amount, output: size)
    return await Shot(
      self, framing, Loop(period: period, move: move, amount: framing.amountUsed),
      try VideoFormat(
        size: size, rate: FrameRate(30)!, pixelFormat: pixelFormat, matrix: .bt709,
        range: .limited, siting: siting),
      method, layers: layers, renderer: renderer, instructions: instructions)
  }

  /// A shot of one pose within the framing of a move at an amount of 1.
  func shot(
    at pose: Pose, _ move: Move, pixelFormat: PixelFormat = .rgb24, isPinned: Bool = true
  ) async throws -> Shot {
    let framing = Framing(
      self, move: move, amount: 1, output: photo.size, extra: pose, isPinned: isPinned)
    return await Shot(
      self, framing, Loop(fixedPose: pose, move: move, amount: framing.amountUsed),
      try VideoFormat(
        size: photo.size, rate: FrameRate(30)!, pixelFormat: pixelFormat, matrix: .bt709,
        range: .limited))
  }
}

extension Plane<SIMD4<Float>> {
  /// The middle of all weight, in pixels.
  func centroid(_ weight: (SIMD4<Float>) -> Float) -> SIMD2<Double> {
    centroid(columns: 0..<width, rows: 0..<height, weight)
  }

  func centroid(
    columns: Range<Int>, rows: Range<Int>, _ weight: (SIMD4<Float>) -> Float
  ) -> SIMD2<Double> {
    var (sum, total) = (SIMD2<Double>.zero, 0.0)
    for y in rows {
      for x in columns {
        let w = Double(weight(self[x, y]))
        sum += SIMD2(Double(x) + 0.5, Double(y) + 0.5) * w
        total += w
      }
    }
    return sum / total
  }
}

func length(_ v: SIMD2<Double>) -> Double { (v * v).sum().squareRoot() }
