/// A thin thing in space: a curve of points, each with its half width and its colour.
struct Strand: Sendable {
  struct Point: Sendable {
    var place: SIMD3<Float>
    /// Half the width across, in the scene's unit.
    var halfWidth: Float
    /// The light that leaves it, the same towards every side.
    var colour: SIMD4<Float>
  }

  let points: [Point]
}

/// What stands in the vase: soft plumes, arching grasses, blades and sprigs with buds.
///
/// Every strand stays within the vase's radius of its axis in depth, so the subject is one card as
/// nearly as a real bouquet is.
struct Bouquet: Sendable {
  private(set) var strands: [Strand] = []
  /// How far the bouquet reaches to either side of the axis, and above the mouth.
  let spread: Float
  let rise: Float

  private let composition: Composition
  private let daylight: Daylight
  private var random = RandomSequence(seed: 20_240_229)

  init(composition: Composition, daylight: Daylight) {
    self.composition = composition
    self.daylight = daylight
    rise = min(composition.mouth + 0.80 * composition.halfHeight, 2.0 * composition.height)
    spread = min(0.80 * composition.halfWidth, 0.34 * composition.scale)
    // Leaning (−1…1 of the spread), tip's height (of the rise), length of the plume (of the stem).
    let plumes: [(Float, Float, Float)] = [
      (-0.94, 0.60, 0.40), (-0.62, 0.80, 0.46), (-0.26, 0.94, 0.44), (0.04, 0.80, 0.38),
      (0.18, 1.0, 0.42), (0.54, 0.82, 0.46), (0.90, 0.58, 0.46),
    ]
    for (lean, height, plume) in plumes { addPlume(lean: lean, height: height, share: plume) }
    for index in 0..<26 { addGrass(lean: (Float(index) + random.next(-0.5...0.5)) / 12.5 - 1) }
    for lean: Float in [-0.78, -0.42, 0.20, 0.64] { addBlade(lean: lean) }
    let sprigs: [(Float, Float)] = [(-0.86, 0.40), (-0.16, 0.72), (0.26, 0.62), (0.66, 0.80)]
    for (lean, height) in sprigs { addSprig(lean: lean, height: height) }
  }

  // MARK: The kinds

  /// A stem whose upper part carries a cloud of hairs.
  private mutating func addPlume(lean: Float, height: Float, share: Float) {
    let stem = arc(lean: lean, height: height, droop: 0.10)
    add(stem, count: 20, colour: light(0.36, 0.29, 0.13)) { 0.0013 * (1 - 0.8 * $0) }
    let hairs = 420
    for index in 0..<hairs {
      let along = (Float(index) + random.next()) / Float(hairs)
      let at = 1 - share * (1 - along)
      let root = stem(at)
      let forward = unit(stem(min(at + 0.02, 1)) - stem(at - 0.02))
      let outward = random.direction()
      // Longest a third of the way up, short at the tip: the shape of a flame.
      let swell = 2.6 * along.squareRoot() * (1 - along) + 0.16
      let length = 0.076 * composition.scale * swell * random.next(0.7...1.15)
      var way = forward * random.next(0.75...1.0) + outward * random.next(0.25...0.75)
      way.z *= 0.55
      let middle = root + way * (length * 0.55)
      let tip = root + way * length + SIMD3(lean * 0.15, random.next(0.10...0.45), 0) * length
      let warm = random.next()
      let colour = mix(light(0.74, 0.56, 0.29), light(0.92, 0.80, 0.56), warm)
      add(Curve(root, middle, tip), count: 6, colour: colour * (0.62 + 0.38 * along)) {
        0.00031 * (1 - $0) * (1.25 - 0.25 * $0) + 0.00002
      }
    }
  }

  /// A long thin arc.
  private mutating func addGrass(lean: Float) {
    let height = random.next(0.42...0.98) * (1 - 0.35 * abs(lean))
    let stem = arc(lean: lean * random.next(0.75...1.0), height: height, droop: 0.22)
    let colour = mix(light(0.135, 0.185, 0.060), light(0.33, 0.33, 0.115), random.next())
    let width = random.next(0.0005...0.0010)
    add(stem, count: 24, colour: colour) { width * (1 - 0.92 * $0) }
  }

  /// A leaf, a few pixels wide in its middle.
  private mutating func addBlade(lean: Float) {
    let stem = arc(lean: lean, height: random.next(0.40...0.62), droop: 0.34)
    let colour = mix(light(0.080, 0.145, 0.060), light(0.150, 0.220, 0.085), random.next())
    add(stem, count: 28, colour: colour) { 0.0010 + 0.0125 * $0 * (1 - $0) * (1.1 - $0) }
  }

  /// A dark thin stem with buds on short stalks.
  private mutating func addSprig(lean: Float, height: Float) {
    let stem = arc(lean: lean, height: height, droop: 0.06)
    let bark = light(0.125, 0.075, 0.045)
    add(stem, count: 20, colour: bark) { 0.0012 * (1 - 0.7 * $0) }
    for index in 0..<15 {
      let at = 0.42 + 0.58 * (Float(index) + random.next(0...0.6)) / 14.8
      let root = stem(min(at, 1))
      var way = random.direction()
      way.y = -abs(way.y) - 0.3
      way.z *= 0.4
      let length = 0.020 * composition.scale * (1.25 - at) * random.next(0.8...1.4)
      let end = root + unit(way) * length
      add(Curve(root, (root + end) / 2, end), count: 3, colour: bark) { _ in 0.0005 }
      let size = 0.0052 * composition.scale * (1.35 - 0.7 * at) * random.next(0.8...1.1)
      let bud = Curve(end, end + unit(way) * size, end + unit(way) * size * 2)
      let colour = mix(light(0.40, 0.105, 0.045), light(0.56, 0.20, 0.085), random.next())
      let half = size * 0.72 / composition.scale
      add(bud, count: 7, colour: colour) { part in
        let x = 2 * part - 1
        return half * max(1 - x * x, 0.02).squareRoot()
      }
    }
  }

  // MARK: Drawing

  /// A quadratic curve in space.
  private struct Curve {
    let (a, b, c): (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    init(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>) {
      (self.a, self.b, self.c) = (a, b, c)
    }

    func callAsFunction(_ t: Float) -> SIMD3<Float> {
      let (ab, bc) = (a + (b - a) * t, b + (c - b) * t)
      return ab + (bc - ab) * t
    }
  }

  /// A curve from inside the mouth that rises and then leans over.
  private mutating func arc(lean: Float, height: Float, droop: Float) -> Curve {
    let neck = composition.radius * 0.30
    let depth = composition.radius * 0.62
    let foot = SIMD3(
      composition.axis.x + lean * neck, composition.mouth + 0.03 * composition.scale,
      composition.axis.y + random.next(-0.6...0.6) * neck)
    let tip = SIMD3(
      composition.axis.x + lean * spread, composition.mouth - height * rise,
      composition.axis.y + random.next(-1...1) * depth)
    var knee = mix(foot, tip, 0.62)
    knee.x = composition.axis.x + lean * spread * random.next(0.26...0.36)
    knee.y -= (0.10 + droop * abs(lean) * 2.4) * rise
    return Curve(foot, knee, tip)
  }

  /// Adds a curve, lit at each of its points.
  private mutating func add(
    _ curve: Curve, count: Int, colour: SIMD4<Float>, halfWidth: (Float) -> Float
  ) {
    let tone = random.next(0.82...1.08)
    let points = (0...count).map { index in
      let part = Float(index) / Float(count)
      let place = curve(part)
      return Strand.Point(
        place: place, halfWidth: halfWidth(part) * composition.scale,
        colour: lit(colour * tone, at: place))
    }
    strands.append(Strand(points: points))
  }

  /// Dry grass scatters light through: it is lit from everywhere, less in the thick of the bouquet.
  private func lit(_ albedo: SIMD4<Float>, at place: SIMD3<Float>) -> SIMD4<Float> {
    let behind = (place.z - composition.axis.y) / composition.radius
    let low = smoothStep(0.35, -0.05, (composition.mouth - place.y) / rise)
    let open = (1 - 0.22 * behind) * (1 - 0.55 * low)
    let direct = Daylight.sun * (0.88 * daylight.window(place))
    var colour = albedo * ((light(0.27, 0.28, 0.30) + direct) * open)
    colour.w = 1
    return colour
  }

  private func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ part: Float) -> SIMD3<Float> {
    a + (b - a) * part
  }

  private func mix(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ part: Float) -> SIMD4<Float> {
    a + (b - a) * part
  }
}
