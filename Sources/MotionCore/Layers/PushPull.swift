/// What can be averaged with weights: a number or a colour.
protocol Blendable: BitwiseCopyable, Sendable {
  static var zero: Self { get }
  static func + (a: Self, b: Self) -> Self
  static func * (a: Self, weight: Float) -> Self
  static func / (a: Self, weight: Float) -> Self
}

extension Float: Blendable {}
extension SIMD4<Float>: Blendable {}

/// Fills what is unknown smoothly from what is known around it (push–pull: Grossman and Dally,
/// "Point Sample Rendering", 1998).
///
/// The picture is halved with its weights until the hole is gone, and enlarged again bilinearly,
/// each level keeping what it knows. (Enlarging by copying would leave blocks.)
///
/// - Parameters:
///   - values: the picture; what stands where the weight is 0 must be finite and is not used.
///   - weights: 1 where the picture is known, 0 where it is not, between where it half is.
///   - finish: what is still done to each row of the result.
/// - Returns: the picture where known, filled elsewhere; nil where nothing at all is known.
func pushPull<Value: Blendable>(
  _ values: Plane<Value>, weights: Plane<Float>, finish: RowFinish<Value>? = nil
) async -> Plane<Value>? {
  var levels = [(values: values, weights: weights)]
  while levels.last!.weights.size.longSide > 1, levels.last!.weights.hasHoles {
    levels.append(await halved(levels.last!.values, levels.last!.weights))
  }
  var filled = levels.removeLast()
  if filled.weights.hasHoles, filled.weights.samples.allSatisfy({ $0 == 0 }) { return nil }
  if levels.isEmpty {
    guard let finish else { return values }
    return await Plane(width: values.width, height: values.height) { y, row in
      for x in row.indices { row[x] = values[x, y] }
      finish(y, row)
    }
  }
  while let level = levels.popLast() {
    filled.values = await merged(
      level.values, level.weights, over: filled.values, finish: levels.isEmpty ? finish : nil)
  }
  return filled.values
}

/// What is done to the row `y` of a picture.
typealias RowFinish<Value> = @Sendable (_ y: Int, UnsafeMutableBufferPointer<Value>) -> Void

extension Plane<Float> {
  fileprivate var hasHoles: Bool { withUnsafeSamples { $0.contains { $0 < 1 } } }
}

/// The next coarser level: the weighted mean of up to four samples, their weights added up to 1.
private func halved<Value: Blendable>(
  _ values: Plane<Value>, _ weights: Plane<Float>
) async -> (values: Plane<Value>, weights: Plane<Float>) {
  let (width, height) = (values.width, values.height)
  let half = Size(width: (width + 1) / 2, height: (height + 1) / 2)

  @Sendable func sum(_ x: Int, _ y: Int) -> (value: Value, weight: Float) {
    var (value, weight) = (Value.zero, Float(0))
    values.withUnsafeSamples { values in
      weights.withUnsafeSamples { weights in
        for row in 2 * y..<min(2 * y + 2, height) {
          for column in 2 * x..<min(2 * x + 2, width) {
            let i = row * width + column
            value = value + values[i] * weights[i]
            weight += weights[i]
          }
        }
      }
    }
    return (value, weight)
  }
  return (
    await Plane(width: half.width, height: half.height) { y, row in
      for x in 0..<half.width {
        let (value, weight) = sum(x, y)
        row[x] = weight > 0 ? value / weight : .zero
      }
    },
    await Plane(width: half.width, height: half.height) { y, row in
      for x in 0..<half.width { row[x] = min(sum(x, y).weight, 1) }
    }
  )
}

/// A level over the coarser one, which is enlarged bilinearly.
private func merged<Value: Blendable>(
  _ values: Plane<Value>, _ weights: Plane<Float>, over coarse: Plane<Value>,
  finish: RowFinish<Value>?
) async -> Plane<Value> {
  let (width, height) = (values.width, values.height)
  return await Plane(width: width, height: height) { y, row in
    // A sample's centre lies a quarter of a coarse sample from the nearer coarse centre.
    let (top, bottom, down) = neighbours(y, coarse.height)
    values.withUnsafeSamples { values in
      weights.withUnsafeSamples { weights in
        coarse.withUnsafeSamples { coarse in
          let (above, below) = (top * ((width + 1) / 2), bottom * ((width + 1) / 2))
          for x in 0..<width {
            let i = y * width + x
            let known = weights[i]
            if known >= 1 {
              row[x] = values[i]
              continue
            }
            let (left, right, across) = neighbours(x, (width + 1) / 2)
            let upper = coarse[above + left] * (1 - across) + coarse[above + right] * across
            let lower = coarse[below + left] * (1 - across) + coarse[below + right] * across
            let up = upper * (1 - down) + lower * down
            row[x] = values[i] * known + up * (1 - known)
          }
        }
      }
    }
    finish?(y, row)
  }
}

@inline(__always)
private func neighbours(_ i: Int, _ count: Int) -> (low: Int, high: Int, fraction: Float) {
  let low = (i + 1) / 2 - 1
  return (max(low, 0), min(low + 1, count - 1), i % 2 == 0 ? 0.75 : 0.25)
}
