import Testing

@testable import MotionCore

@Suite struct PushPullTests {
  @Test func whatIsKnownStaysAndAHoleIsFilledSmoothly() async {
    let (width, height) = (65, 48)
    let ramp = plane(width, height) { x, y in 0.2 + x / 100 + y / 200 }
    let hole = plane(width, height) { x, y in length(SIMD2(x - 30, y - 25)) < 15 ? 0 : 1 }
    let filled = await pushPull(ramp, weights: hole)!
    var steps: [Float] = []
    for y in 0..<height {
      for x in 0..<width {
        if hole[x, y] == 1 { #expect(filled[x, y] == ramp[x, y]) }
        #expect(abs(filled[x, y] - ramp[x, y]) < 0.08)
        if x > 0, hole[x, y] == 0, hole[x - 1, y] == 0 {
          steps.append(abs(filled[x, y] - filled[x - 1, y]))
        }
      }
    }
    // Blocks would show as steps of a coarse level's size: several hundredths.
    #expect(steps.max()! < 0.03)
  }

  @Test func aConstantStaysConstant() async {
    let values = Plane<SIMD4<Float>>(width: 33, height: 7, repeating: SIMD4(0.25, 0.5, 0.75, 1))
    let weights = plane(33, 7) { x, _ in x < 3 ? 1 : 0 }
    let filled = await pushPull(values, weights: weights)!
    for value in filled.samples { #expect(value == SIMD4(0.25, 0.5, 0.75, 1)) }
  }

  @Test func nothingKnownIsNil() async {
    let nothing = Plane<Float>(width: 5, height: 5, repeating: 0)
    #expect(await pushPull(nothing, weights: nothing) == nil)
    #expect(await nothing.map { _ in Float.nan }.filled() == nil)
  }
}

@Suite struct MaskTests {
  private let dot = plane(41, 41) { x, y in x == 20.5 && y == 20.5 ? 1 : 0 }

  @Test(arguments: [1, 2, 3.5] as [Float])
  func dilationGrowsADisc(radius: Float) async {
    let grown = await dot.dilated(by: radius)
    for y in 0..<41 {
      for x in 0..<41 {
        let distance = Float((x - 20) * (x - 20) + (y - 20) * (y - 20)).squareRoot()
        #expect(abs(grown[x, y] - min(max(radius + 1 - distance, 0), 1)) < 1e-6)
      }
    }
  }

  @Test func blurKeepsTheSum() async {
    let blurred = await dot.blurred(sigma: 2)
    #expect(abs(blurred.samples.reduce(0, +) - 1) < 1e-4)
    #expect(abs(blurred[20, 20] - 0.0398) < 0.001)
    let flat = await Plane<Float>(width: 9, height: 4, repeating: 0.5).blurred(sigma: 3)
    for value in flat.samples { #expect(abs(value - 0.5) < 1e-6) }
  }

  @Test(arguments: [0, 1, 4.5, 9] as [Float])
  func clearIsEuclidean(radius: Float) async {
    let clear = await dot.clear(of: 0.02, by: radius)
    for y in 0..<41 {
      for x in 0..<41 {
        let distance = Float((x - 20) * (x - 20) + (y - 20) * (y - 20)).squareRoot()
        #expect(clear[x, y] == (distance > radius ? 1 : 0), "\(x),\(y)")
      }
    }
  }

  /// What is passed over because all is alike there changes no bit.
  @Test(arguments: sizes, [0.4, 2.3, 17.5] as [Float])
  func evenPartsAreAsTheOthers(size: Size, radius: Float) async {
    // Both ends of a mask, a slope, and something lone in the far corner.
    let mask = plane(size.width, size.height) { x, y in
      if x > Double(size.width) - 1, y > Double(size.height) - 1 { return 0.7 }
      return min(max((length(SIMD2(x - 30, y - 20)) - 25) / 3, 0), 1)
    }
    #expect(await mask.dilated(by: radius).samples == mask.plainlyDilated(by: radius).samples)
    #expect(await mask.blurred(sigma: radius).samples == mask.plainlyBlurred(sigma: radius).samples)
    #expect(
      await mask.clear(of: 0.5, by: radius).samples
        == mask.plainlyClear(of: 0.5, by: radius).samples)
  }

  static let sizes = [
    Size(width: 1, height: 1), Size(width: 150, height: 1), Size(width: 1, height: 150),
    Size(width: 16, height: 32), Size(width: 171, height: 133),
  ]
}

extension Plane<Float> {
  /// `dilated(by:)`, sample by sample.
  fileprivate func plainlyDilated(by radius: Float) -> Plane<Float> {
    let reach = Int(radius.rounded(.up))
    return Plane(width: width, height: height) { y, row in
      for x in 0..<width {
        var largest: Float = 0
        for j in Swift.max(y - reach, 0)...Swift.min(y + reach, height - 1) {
          for i in Swift.max(x - reach, 0)...Swift.min(x + reach, width - 1) {
            let distance = Float((i - x) * (i - x) + (j - y) * (j - y)).squareRoot()
            let weight = Swift.min(Swift.max(radius + 1 - distance, 0), 1)
            largest = Swift.max(largest, self[i, j] * weight)
          }
        }
        row[x] = largest
      }
    }
  }

  /// `clear(of:by:)`, sample by sample.
  fileprivate func plainlyClear(of threshold: Float, by radius: Float) -> Plane<Float> {
    let reach = Int(radius)
    return Plane(width: width, height: height) { y, row in
      for x in 0..<width {
        row[x] = 1
        for j in Swift.max(y - reach, 0)...Swift.min(y + reach, height - 1) {
          for i in Swift.max(x - reach, 0)...Swift.min(x + reach, width - 1) {
            let distance = Float((i - x) * (i - x) + (j - y) * (j - y))
            if distance <= (radius * radius).rounded(.down), self[i, j] > threshold { row[x] = 0 }
          }
        }
      }
    }
  }

  /// `blurred(sigma:)`, sample by sample.
  fileprivate func plainlyBlurred(sigma: Float) -> Plane<Float> {
    let reach = Int((3 * sigma).rounded(.up))
    let weights = (-reach...reach).map { offset in
      let x = Double(offset) / Double(sigma)
      return Float((Math.exp(-x * x / 2) * 0x1p24).rounded() / 0x1p24)
    }
    let sum = weights.reduce(0, +)
    func blurred(_ sample: (Int) -> Float, _ at: Int, of count: Int) -> Float {
      (-reach...reach).reduce(0) { value, offset in
        let near = Swift.min(Swift.max(at + offset, 0), count - 1)
        return value + sample(near) * (weights[offset + reach] / sum)
      }
    }
    let across = Plane(width: width, height: height) { y, row in
      for x in 0..<width { row[x] = blurred({ self[$0, y] }, x, of: width) }
    }
    return Plane(width: width, height: height) { y, row in
      for x in 0..<width { row[x] = blurred({ across[x, $0] }, y, of: height) }
    }
  }
}

@Suite struct ResampleTests {
  @Test func aWholeScaleIsACopy() async {
    let photo = paint(13, 7) { x, y in SIMD3(x / 13, y / 7, 0.5) }
    let linear = await photo.linear(onto: Grid(photo: photo.size, density: 1))
    #expect(linear.size == photo.size)
    for y in 0..<7 {
      for x in 0..<13 {
        #expect(abs(Double(linear[x, y].x) - (Double(x) + 0.5) / 13) < 1e-4)
        #expect(linear[x, y].w == 1)
      }
    }
  }

  /// Light is averaged, not codes: half black and half white is half the light.
  @Test func areasAreAveragedInLinearLight() async {
    let photo = paint(64, 64) { x, _ in SIMD3(repeating: Int(x) % 2 == 0 ? 0 : 1) }
    let linear = await photo.linear(onto: Grid(photo: photo.size, density: 0.25))
    #expect(linear.size == Size(width: 16, height: 16))
    for value in linear.samples { #expect(abs(value.x - 0.5) < 1e-4) }
  }

  @Test(arguments: [0.13, 0.37, 0.5, 0.9, 1.0])
  func everyTargetSampleIsAMean(density: Double) {
    let taps = Taps(source: 100, target: Int(100 * density), start: 0, step: 1 / density)
    for i in taps.first.indices {
      let weights = taps.weights[i * taps.count..<(i + 1) * taps.count]
      #expect(abs(weights.reduce(0, +) - 1) < 1e-5)
      #expect(taps.first[i] >= 0 && taps.first[i] + taps.count <= 100)
    }
  }

  @Test func enlargingInterpolates() async {
    let small = plane(4, 3) { x, _ in x }
    let grid = Grid(photo: Size(width: 40, height: 30), density: 1)
    let large = await small.resampled(onto: grid, photo: Size(width: 40, height: 30))
    #expect(abs(large[19, 10] - 1.95) < 1e-4)
    #expect(large[0, 0] == 0.5 && large[39, 29] == 3.5)
  }

  /// Sixteen bits stay sixteen: no two codes of a ramp fall together.
  @Test func sixteenBitsAreKept() async {
    let photo = Photo(
      samples: .sixteen(
        await Plane(width: 512, height: 1) { _, row in
          for x in 0..<512 { row[x] = SIMD4(UInt16(20000 + x), 0, 0, 65535) }
        }), hasAlpha: false)
    let linear = await photo.linear(onto: Grid(photo: photo.size, density: 1))
    for x in 1..<512 { #expect(linear[x, 0].x > linear[x - 1, 0].x) }
  }

  /// Lines that neighbouring rows share are the lines that each would make for itself.
  @Test(
    arguments: [
      Size(width: 1, height: 1), Size(width: 1, height: 300), Size(width: 67, height: 301),
    ], [0.05, 0.29, 0.5, 1, 1.7])
  func sharedLinesChangeNothing(size: Size, density: Double) async {
    let grid = Grid(
      from: .zero, to: SIMD2(Double(size.width), Double(size.height)),
      density: SIMD2(density, 0.8 * density), anchor: SIMD2(0.3, -0.2))
    let taps = Taps.onto(grid, photo: size, source: size)
    @Sendable func code(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: (x * 37 + y * 91 + channel * 53) * (x + 3 * y + 7))
    }

    let values = await Plane<Float>(width: size.width, height: size.height) { y, row in
      for x in row.indices { row[x] = Float(code(x, y, 0)) / 255 }
    }
    let resampled = await values.resampled(onto: grid, photo: size)
    #expect(
      resampled.samples
        == plain(taps) { x, y in
          values[x, y]
        } sum: {
          $0 + $1 * $2
        })

    for hasAlpha in [false, true] {
      let samples = await Plane<SIMD4<UInt8>>(width: size.width, height: size.height) { y, row in
        for x in row.indices {
          row[x] = SIMD4(
            code(x, y, 0), code(x, y, 1), code(x, y, 2), hasAlpha ? code(x, y, 3) : 255)
        }
      }
      let linear = await Photo(samples: .eight(samples), hasAlpha: hasAlpha).linear(onto: grid)
      let light = TransferFunction.sRGB.linear8
      var expected = plain(taps) { x, y in
        let code = samples[x, y]
        return SIMD4(light[Int(code.x)], light[Int(code.y)], light[Int(code.z)], 1)
      } sum: { sum, colour, weight in
        sum + colour * weight
      } weight: { x, y, weight in
        hasAlpha ? weight * (Float(samples[x, y].w) * (1 / Float(255))) : weight
      }
      if !hasAlpha { for i in expected.indices { expected[i].w = 1 } }
      #expect(linear.samples == expected)
    }
  }

  /// Each target sample from all of its own taps, along the rows first.
  private func plain<Value: Blendable>(
    _ taps: (x: Taps, y: Taps), sample: (Int, Int) -> Value,
    sum: (Value, Value, Float) -> Value, weight: (Int, Int, Float) -> Float = { $2 }
  ) -> [Value] {
    taps.y.first.indices.flatMap { y in
      taps.x.first.indices.map { x in
        (0..<taps.y.count).reduce(Value.zero) { total, j in
          let line = taps.y.first[y] + j
          let across = (0..<taps.x.count).reduce(Value.zero) { across, i in
            let column = taps.x.first[x] + i
            return sum(
              across, sample(column, line),
              weight(column, line, taps.x.weights[x * taps.x.count + i]))
          }
          return sum(total, across, taps.y.weights[y * taps.y.count + j])
        }
      }
    }
  }
}

@Suite struct CutTests {
  /// Two blocks before a far wall: the left small and near, the right large and less near.
  private let depth = plane(80, 40) { x, y in
    if x > 8 && x < 20 && y > 10 && y < 22 { return 1 }
    if x > 40 && x < 70 && y > 5 && y < 35 { return 0.8 }
    return 0.2
  }
  private let grid = Grid(photo: Size(width: 80, height: 40), density: 1)

  @Test func theLargestTimesNearestIsTheSubject() async {
    let coverage = await Cut(depth, tap: nil)!.coverage(on: grid, photo: grid.size)
    #expect(coverage[55, 20] == 1 && coverage[14, 16] == 0 && coverage[30, 20] == 0)
  }

  @Test func aTapChoosesThePartUnderIt() async {
    let cut = await Cut(depth, tap: SIMD2(14.0 / 80, 16.0 / 40))!
    let coverage = await cut.coverage(on: grid, photo: grid.size)
    #expect(coverage[14, 16] == 1 && coverage[55, 20] == 0)
  }

  @Test func aFlatDepthHasNoSubject() async {
    #expect(await Cut(plane(20, 20) { _, _ in 0.5 }, tap: nil) == nil)
    #expect(await Cut(plane(20, 20) { _, _ in .nan }, tap: nil) == nil)
  }
}
