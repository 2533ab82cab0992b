internal import MotionCore

/// A subsampled chroma plane of 8 bits, for the subsamplings that libyuv does not know.
struct Chroma {
  private let base: UnsafePointer<UInt8>
  private let stride: Int
  private let picture: Size
  private let shiftX: Int
  private let shiftY: Int

  /// - Parameter base: rows of `stride` bytes, as many samples and rows as `picture` has when both
  ///   its sides are divided by 2 to the power of the shifts and rounded up. It must outlive `self`.
  init(
    _ base: UnsafePointer<UInt8>, _ stride: Int, picture: Size, _ shiftX: Int, _ shiftY: Int
  ) {
    (self.base, self.stride, self.picture) = (base, stride, picture)
    (self.shiftX, self.shiftY) = (shiftX, shiftY)
  }

  /// The plane at the picture's size, bilinear between sample centres, without padding.
  func enlarged() -> [UInt8] {
    let (w, h) = (picture.width, picture.height)
    let columns = Self.taps(w, shiftX)
    let rows = Self.taps(h, shiftY)
    let (unitX, unitY) = (2 << shiftX, 2 << shiftY)
    let half = unitX * unitY / 2
    return [UInt8](unsafeUninitializedCapacity: w * h) { target, count in
      for y in 0..<h {
        let row = rows[y]
        let (above, below) = (base + row.first * stride, base + row.second * stride)
        for x in 0..<w {
          let column = columns[x]
          let top =
            Int(above[column.first]) * (unitX - column.weight)
            + Int(above[column.second]) * column.weight
          let bottom =
            Int(below[column.first]) * (unitX - column.weight)
            + Int(below[column.second]) * column.weight
          let sum = top * (unitY - row.weight) + bottom * row.weight
          target[y * w + x] = UInt8(truncatingIfNeeded: (sum + half) / (unitX * unitY))
        }
      }
      count = w * h
    }
  }

  /// Of each sample: the two it lies between and the second one's weight, in units of half a sample
  /// of the picture.
  private static func taps(
    _ count: Int, _ shift: Int
  ) -> [(first: Int, second: Int, weight: Int)] {
    let last = (count + (1 << shift) - 1) >> shift - 1
    let unit = 2 << shift
    return (0..<count).map { x in
      let place = 2 * x + 1 - (1 << shift)  // from the first sample's centre
      let first = place < 0 ? -1 : place / unit
      return (max(first, 0), min(first + 1, last), place - first * unit)
    }
  }
}
