/// Which source samples make one target sample along an axis, and with which weights.
///
/// Where the target is the coarser, a sample is the mean over the area it covers; where it is the
/// finer, it is interpolated linearly. What lies outside the source repeats its edge.
struct Taps: Sendable {
  /// The first source index of each target sample.
  let first: [Int]
  /// `count` weights a target sample, summing to 1; the unused ones are 0.
  let weights: [Float]
  let count: Int

  /// - Parameters:
  ///   - source: number of source samples.
  ///   - target: number of target samples.
  ///   - start: where the first target sample begins, in source samples.
  ///   - step: source samples a target sample.
  init(source: Int, target: Int, start: Double, step: Double) {
    let averages = step > 1
    let count = min(source, averages ? Int(step.rounded(.up)) + 1 : 2)
    var first = [Int](repeating: 0, count: target)
    var weights = [Float](repeating: 0, count: target * count)
    for i in 0..<target {
      var taps: [(index: Int, weight: Double)] = []
      let low = start + Double(i) * step
      if averages {
        let (from, to) = (max(low, 0), min(low + step, Double(source)))
        for index in Int(from)..<max(Int(to.rounded(.up)), Int(from) + 1) {
          taps.append((index, min(to, Double(index + 1)) - max(from, Double(index))))
        }
      } else {
        let position = low + step / 2 - 0.5
        let index = position.rounded(.down)
        taps = [(Int(index), 1 - (position - index)), (Int(index) + 1, position - index)]
      }
      taps = taps.map { (min(max($0.index, 0), source - 1), max($0.weight, 0)) }
      first[i] = min(taps[0].index, source - count)
      let sum = taps.reduce(0) { $0 + $1.weight }
      for tap in taps {
        let weight = sum > 0 ? tap.weight / sum : 1 / Double(taps.count)
        weights[i * count + tap.index - first[i]] += Float(weight)
      }
    }
    (self.first, self.weights, self.count) = (first, weights, count)
  }

  /// The taps of both axes from a picture that spans the whole photo, at any size, onto a grid.
  static func onto(_ grid: Grid, photo: Size, source: Size) -> (x: Taps, y: Taps) {
    let perPixel = SIMD2(
      Double(source.width) / Double(photo.width), Double(source.height) / Double(photo.height))
    let (start, step) = (grid.origin * perPixel, perPixel / grid.density)
    return (
      Taps(source: source.width, target: grid.size.width, start: start.x, step: step.x),
      Taps(source: source.height, target: grid.size.height, start: start.y, step: step.y)
    )
  }
}

extension Taps {
  /// The taps of both axes from one size to another, each axis scaled by itself.
  static func between(_ source: Size, and target: Size) -> (x: Taps, y: Taps) {
    func axis(_ source: Int, _ target: Int) -> Taps {
      Taps(source: source, target: target, start: 0, step: Double(source) / Double(target))
    }
    return (axis(source.width, target.width), axis(source.height, target.height))
  }

  /// Gives `body` each target sample from the first with the first source index and the weights.
  @inline(always)
  func eachSample(_ body: (_ i: Int, _ first: Int, UnsafePointer<Float>) -> Void) {
    first.withUnsafeBufferPointer { first in
      weights.withUnsafeBufferPointer { weights in
        for i in first.indices { body(i, first[i], weights.baseAddress! + i &* count) }
      }
    }
  }
}

extension Plane where Sample: Blendable {
  /// A picture scaled along its rows first, by `line`, and then down its columns.
  ///
  /// - Parameters:
  ///   - rows: of the columns.
  ///   - line: fills a line of the new width from the given row of the source.
  ///   - finish: what is still done to each row of the result.
  fileprivate init(
    width: Int, rows: Taps,
    line: @Sendable @escaping (_ row: Int, UnsafeMutableBufferPointer<Sample>) -> Void,
    finish: @Sendable @escaping (UnsafeMutableBufferPointer<Sample>) -> Void = { _ in }
  ) async {
    await self.init(width: width, height: rows.first.count) { band, target in
      // Neighbouring rows are made of some of the same lines: those of one row never share a slot.
      let slots = rows.count
      withUnsafeTemporaryAllocation(of: Sample.self, capacity: slots * width) { lines in
        var held = [Int?](repeating: nil, count: slots)
        for y in band {
          let row = target(y)
          row.initialize(repeating: .zero)
          for source in rows.first[y]..<rows.first[y] + slots {
            let slot = source % slots
            let scaled = UnsafeMutableBufferPointer(
              rebasing: lines[slot * width..<(slot + 1) * width])
            if held[slot] != source {
              line(source, scaled)
              held[slot] = source
            }
            let weight = rows.weights[y * slots + source - rows.first[y]]
            for x in 0..<width { row[x] = row[x] + scaled[x] * weight }
          }
          finish(row)
        }
      }
    }
  }
}

extension Plane<Float> {
  /// The plane, which spans the whole photo, resampled onto a grid.
  func resampled(onto grid: Grid, photo: Size) async -> Plane<Float> {
    await resampled(Taps.onto(grid, photo: photo, source: size))
  }

  /// The same by the taps of both axes.
  func resampled(_ taps: (x: Taps, y: Taps)) async -> Plane<Float> {
    await Plane(width: taps.x.first.count, rows: taps.y) { y, line in
      withUnsafeSamples { samples in
        let source = samples.baseAddress! + y * width
        taps.x.eachSample { x, first, weights in
          var sum: Float = 0
          for i in 0..<taps.x.count { sum += source[first &+ i] * weights[i] }
          line[x] = sum
        }
      }
    }
  }
}

extension Photo {
  /// The photo in linear light on a grid: R, G, B multiplied by alpha, and alpha.
  func linear(onto grid: Grid) async -> Plane<SIMD4<Float>> {
    await linear(Taps.onto(grid, photo: size, source: size))
  }

  /// The same by the taps of both axes.
  func linear(_ taps: (x: Taps, y: Taps)) async -> Plane<SIMD4<Float>> {
    switch samples {
    case .eight(let plane): await linear(plane, taps, bits: 8)
    case .sixteen(let plane): await linear(plane, taps, bits: 16)
    }
  }

  /// Scales the light of each sample, and converts what comes out.
  private func linear<Code: FixedWidthInteger & UnsignedInteger & SIMDScalar>(
    _ plane: Plane<SIMD4<Code>>, _ taps: (x: Taps, y: Taps), bits: Int
  ) async -> Plane<SIMD4<Float>> where SIMD4<Code>: BitwiseCopyable & Sendable {
    let (width, opaque, alphaScale) = (plane.width, !hasAlpha, 1 / Float(Code.max))
    let conversion = colour.conversion
    let curves = conversion.curves(bits: bits)
    let (light, green, blue) = (curves.light, curves.offsets.green, curves.offsets.blue)
    precondition(curves.count == 1 << bits)
    return await Plane(width: taps.x.first.count, rows: taps.y) { y, line in
      plane.withUnsafeSamples { samples in
        light.withUnsafeBufferPointer { light in
          // A pixel is four codes, one behind the other: to load them alone is the faster.
          let source = UnsafeRawPointer(samples.baseAddress! + y * width)
            .assumingMemoryBound(to: Code.self)
          let (red, green, blue) = (
            light.baseAddress!, light.baseAddress! + green, light.baseAddress! + blue
          )
          taps.x.eachSample { x, first, weights in
            var sum = SIMD4<Float>.zero
            for i in 0..<taps.x.count {
              let code = source + 4 &* (first &+ i)
              let colour = SIMD4(red[Int(code[0])], green[Int(code[1])], blue[Int(code[2])], 1)
              sum += colour * (opaque ? weights[i] : weights[i] * (Float(code[3]) * alphaScale))
            }
            line[x] = sum
          }
        }
      }
    } finish: { row in
      // The weights of an opaque photo add up to 1 only to within rounding.
      if opaque { for x in 0..<row.count { row[x].w = 1 } }
      conversion.finish(row)
    }
  }
}
