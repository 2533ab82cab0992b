extension Plane<Float> {
  /// The plane with its uncertain samples told by the photo's colours: around each, the values that
  /// are known are regressed linearly on the colours they have (as the guided filter does: He, Sun and
  /// Tang, "Guided Image Filtering", 2013, whose weights are all 1), and so far as that explains them,
  /// the uncertain sample becomes what its own colour says.
  ///
  /// - Parameters:
  ///   - light: the photo in linear light, of the plane's size.
  ///   - known: the samples that are right; NaN where the plane's own are only likely.
  ///   - radius: how far around a sample is looked, in samples, along rows and columns.
  /// - Returns: 0…1 where unknown, if the samples are.
  func predicted(
    by light: Plane<SIMD4<Float>>, known: Plane<Float>, radius: Int
  ) async -> Plane<Float> {
    precondition(light.size == size && known.size == size && radius > 0)
    let regression = ColourRegression(light: light, known: known, radius: radius)
    return await Plane(width: width, height: height) { rows, row in
      withUnsafeSamples { likely in
        known.withUnsafeSamples { known in
          for y in rows {
            let target = row(y)
            for x in 0..<width {
              let value = known[y &* width &+ x]
              target[x] = value.isNaN ? likely[y &* width &+ x] : value
            }
          }
        }
      }
      for left in stride(from: 0, to: width, by: ColourRegression.tile) {
        let columns = left..<min(left + ColourRegression.tile, width)
        if regression.isUncertain(columns, rows) { regression.predict(columns, rows, into: row) }
      }
    }
  }
}

/// One such regression, tile by tile: only those that hold something uncertain cost anything.
///
/// Lines are fitted at nodes, every few samples where windows are large, to the samples that are nodes
/// too, and interpolated between (as in He and Sun, "Fast Guided Filter", 2015).
private struct ColourRegression: Sendable {
  let light: Plane<SIMD4<Float>>
  let known: Plane<Float>
  /// How many samples there are from node to node, and how many nodes in all.
  private let step: Int
  private let nodes: Size
  /// How far a window reaches, and over how far around the lines of windows are averaged, so that the
  /// result has no steps: in nodes.
  private let radius: Int
  private let near: Int

  static let tile = 64
  /// A window reaches over at least so many nodes.
  private static let leastRadius = 6
  /// Colours that vary less than this, squared, tell nothing apart: about a code and a half of 8 bits
  /// each way.
  private static let noise = 1e-4
  /// A regression that explains less than the first share of the values' variance is not believed,
  /// one that explains the second wholly.
  private static let believed: (from: Float, to: Float) = (0.5, 0.9)

  init(light: Plane<SIMD4<Float>>, known: Plane<Float>, radius: Int) {
    (self.light, self.known) = (light, known)
    let step = max(1, radius / Self.leastRadius)
    self.step = step
    nodes = Size(width: (known.width - 1) / step + 1, height: (known.height - 1) / step + 1)
    self.radius = (radius + step / 2) / step
    near = max(1, (radius / 3 + step / 2) / step)
  }

  /// Sums over the known samples of a window, of their values v and colours r, g, b.
  private struct Moments {
    /// 1, r, g, b
    var colour = SIMD4<Float>.zero
    /// v, vr, vg, vb
    var value = SIMD4<Float>.zero
    /// rr, rg, rb, gg
    var products = SIMD4<Float>.zero
    /// gb, bb, vv
    var rest = SIMD4<Float>.zero

    static func += (a: inout Moments, b: Moments) {
      a.colour += b.colour
      a.value += b.value
      a.products += b.products
      a.rest += b.rest
    }

    static func -= (a: inout Moments, b: Moments) {
      a.colour -= b.colour
      a.value -= b.value
      a.products -= b.products
      a.rest -= b.rest
    }
  }

  /// What a window says: the value is `slope` · colour + w of it, and how much of the variance that is.
  private struct Line {
    var slope = SIMD4<Float>.zero
    var explained: Float = 0

    static func += (a: inout Line, b: Line) {
      a.slope += b.slope
      a.explained += b.explained
    }

    static func / (a: Line, b: Float) -> Line {
      Line(slope: a.slope / b, explained: a.explained / b)
    }

    mutating func move(towards other: Line, by share: Float) {
      slope += (other.slope - slope) * share
      explained += (other.explained - explained) * share
    }
  }

  func isUncertain(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
    known.withUnsafeSamples { samples in
      rows.contains { y in columns.contains { samples[y &* known.width &+ $0].isNaN } }
    }
  }

  func predict(
    _ columns: Range<Int>, _ rows: Range<Int>,
    into row: (_ y: Int) -> UnsafeMutableBufferPointer<Float>
  ) {
    // The nodes that the tile lies between.
    let across = columns.lowerBound / step..<min((columns.upperBound - 1) / step + 2, nodes.width)
    let down = rows.lowerBound / step..<min((rows.upperBound - 1) / step + 2, nodes.height)
    withUnsafeTemporaryAllocation(of: Line.self, capacity: across.count * down.count) { lines in
      average(across, down, into: lines)
      TransferFunction.sRGB.withEncoder { encode in
        known.withUnsafeSamples { known in
          light.withUnsafeSamples { light in
            for y in rows {
              let target = row(y)
              let above = (y / step - down.lowerBound) * across.count
              let below = above + (y / step + 1 < down.upperBound ? across.count : 0)
              let share = Float(y % step) / Float(step)
              for x in columns where known[y &* target.count &+ x].isNaN {
                let left = x / step - across.lowerBound
                var line = lines[above + left]
                if step > 1 {
                  let right = min(left + 1, across.count - 1)
                  let along = Float(x % step) / Float(step)
                  line.move(towards: lines[above + right], by: along)
                  var lower = lines[below + left]
                  lower.move(towards: lines[below + right], by: along)
                  line.move(towards: lower, by: share)
                }
                var colour = encode(light[y &* target.count &+ x])
                colour.w = 1
                let told = min(max((line.slope * colour).sum(), 0), 1)
                let explained = (line.explained - Self.believed.from)
                let belief = min(max(explained / (Self.believed.to - Self.believed.from), 0), 1)
                target[x] += (told - target[x]) * belief
              }
            }
          }
        }
      }
    }
  }

  /// The mean of the lines around each node of a rectangle, in row order.
  private func average(
    _ columns: Range<Int>, _ rows: Range<Int>, into means: UnsafeMutableBufferPointer<Line>
  ) {
    let (across, down) = (
      columns.grown(by: near, in: nodes.width), rows.grown(by: near, in: nodes.height)
    )
    let width = columns.count
    withUnsafeTemporaryAllocation(of: Line.self, capacity: across.count * down.count) { lines in
      fit(across, down, into: lines)
      withUnsafeTemporaryAllocation(of: Line.self, capacity: width * down.count) { sums in
        for y in 0..<down.count {
          for x in columns {
            var sum = Line()
            for i in (x..<x + 1).grown(by: near, in: nodes.width) {
              sum += lines[y * across.count + i - across.lowerBound]
            }
            sums[y * width + x - columns.lowerBound] = sum
          }
        }
        for y in rows {
          let neighbours = (y..<y + 1).grown(by: near, in: nodes.height)
          for x in columns {
            var sum = Line()
            for j in neighbours {
              sum += sums[(j - down.lowerBound) * width + x - columns.lowerBound]
            }
            let count = (x..<x + 1).grown(by: near, in: nodes.width).count * neighbours.count
            means[(y - rows.lowerBound) * width + x - columns.lowerBound] = sum / Float(count)
          }
        }
      }
    }
  }

  /// The line of the window around each node of a rectangle, in row order.
  private func fit(
    _ columns: Range<Int>, _ rows: Range<Int>, into lines: UnsafeMutableBufferPointer<Line>
  ) {
    let (across, down) = (
      columns.grown(by: radius, in: nodes.width), rows.grown(by: radius, in: nodes.height)
    )
    let width = columns.count
    withUnsafeTemporaryAllocation(of: Moments.self, capacity: across.count) { samples in
      withUnsafeTemporaryAllocation(of: Moments.self, capacity: width * down.count) { sums in
        for y in down {
          measure(across, y, into: samples)
          Self.slide(
            over: columns, radius: radius, samples, across,
            into: UnsafeMutableBufferPointer(
              rebasing: sums[(y - down.lowerBound) * width..<(y - down.lowerBound + 1) * width]))
        }
        withUnsafeTemporaryAllocation(of: Moments.self, capacity: width) { window in
          window.initialize(repeating: Moments())
          func add(_ y: Int) {
            for x in 0..<width { window[x] += sums[(y - down.lowerBound) * width + x] }
          }
          for y in down.lowerBound..<min(rows.lowerBound + radius, down.upperBound) { add(y) }
          for y in rows {
            if y + radius < down.upperBound { add(y + radius) }
            for x in 0..<width {
              lines[(y - rows.lowerBound) * width + x] = Self.line(window[x])
              if y - radius >= down.lowerBound {
                window[x] -= sums[(y - radius - down.lowerBound) * width + x]
              }
            }
          }
        }
      }
    }
  }

  /// The moments of each node of a row alone.
  private func measure(
    _ columns: Range<Int>, _ y: Int, into moments: UnsafeMutableBufferPointer<Moments>
  ) {
    TransferFunction.sRGB.withEncoder { encode in
      known.withUnsafeSamples { known in
        light.withUnsafeSamples { light in
          for x in columns {
            let place = y &* step &* self.known.width &+ x &* step
            var moment = Moments()
            let value = known[place]
            if !value.isNaN {
              var colour = encode(light[place])
              colour.w = 0
              moment.colour = SIMD4(1, colour.x, colour.y, colour.z)
              moment.value = moment.colour * value
              moment.products = SIMD4(
                colour.x * colour.x, colour.x * colour.y, colour.x * colour.z,
                colour.y * colour.y)
              moment.rest = SIMD4(colour.y * colour.z, colour.z * colour.z, value * value, 0)
            }
            moments[x - columns.lowerBound] = moment
          }
        }
      }
    }
  }

  /// Sums over windows of a row, each from the one before it.
  private static func slide(
    over columns: Range<Int>, radius: Int, _ samples: UnsafeMutableBufferPointer<Moments>,
    _ across: Range<Int>, into sums: UnsafeMutableBufferPointer<Moments>
  ) {
    var window = Moments()
    for x in across.lowerBound..<min(columns.lowerBound + radius, across.upperBound) {
      window += samples[x - across.lowerBound]
    }
    for x in columns {
      if x + radius < across.upperBound { window += samples[x + radius - across.lowerBound] }
      sums[x - columns.lowerBound] = window
      if x - radius >= across.lowerBound { window -= samples[x - radius - across.lowerBound] }
    }
  }

  /// The regression of the values on the colours, by their covariances.
  private static func line(_ sums: Moments) -> Line {
    let count = Double(sums.colour.x)
    guard count >= 1 else { return Line() }
    let (r, g, b) = (
      Double(sums.colour.y) / count, Double(sums.colour.z) / count, Double(sums.colour.w) / count
    )
    let v = Double(sums.value.x) / count
    let variance = Double(sums.rest.z) / count - v * v
    guard variance > 1e-6 else { return Line() }
    let (cr, cg, cb) = (
      Double(sums.value.y) / count - v * r, Double(sums.value.z) / count - v * g,
      Double(sums.value.w) / count - v * b
    )
    let (rr, rg, rb) = (
      Double(sums.products.x) / count - r * r + noise, Double(sums.products.y) / count - r * g,
      Double(sums.products.z) / count - r * b
    )
    let (gg, gb, bb) = (
      Double(sums.products.w) / count - g * g + noise, Double(sums.rest.x) / count - g * b,
      Double(sums.rest.y) / count - b * b + noise
    )
    // The inverse of a symmetric matrix, by its cofactors.
    let (irr, irg, irb) = (gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg)
    let determinant = rr * irr + rg * irg + rb * irb
    guard determinant > 0 else { return Line() }
    let (igg, igb, ibb) = (rr * bb - rb * rb, rb * rg - rr * gb, rr * gg - rg * rg)
    let slope = SIMD3(
      (irr * cr + irg * cg + irb * cb) / determinant,
      (irg * cr + igg * cg + igb * cb) / determinant,
      (irb * cr + igb * cg + ibb * cb) / determinant)
    let explained = (slope.x * cr + slope.y * cg + slope.z * cb) / variance
    let offset = v - slope.x * r - slope.y * g - slope.z * b
    return Line(
      slope: SIMD4(Float(slope.x), Float(slope.y), Float(slope.z), Float(offset)),
      explained: Float(min(max(explained, 0), 1)))
  }
}

extension Range<Int> {
  /// The range with `margin` more on both sides, as far as `0..<count` goes.
  fileprivate func grown(by margin: Int, in count: Int) -> Range<Int> {
    Swift.max(lowerBound - margin, 0)..<Swift.min(upperBound + margin, count)
  }
}
