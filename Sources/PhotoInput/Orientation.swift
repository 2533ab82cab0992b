internal import MotionCore

/// How the rows of a stored picture lie, as EXIF numbers it.
enum Orientation: Int, Sendable, CaseIterable {
  case upright = 1
  case mirrored, turnedHalf, flipped, transposed, turnedLeft, transversed, turnedRight

  /// Whether stored rows are upright columns.
  var transposes: Bool { rawValue >= 5 }
  /// Whether stored rows (after an exchange of rows and columns) run backwards.
  var reversesX: Bool { [2, 3, 7, 8].contains(rawValue) }
  var reversesY: Bool { [3, 4, 6, 7].contains(rawValue) }
}

extension Plane {
  /// The picture turned upright; `self` holds it as it is stored.
  func turnedUpright(from orientation: Orientation) -> Plane {
    if orientation == .upright { return self }
    let (reversesX, reversesY) = (orientation.reversesX, orientation.reversesY)
    let (w, h) = (width, height)
    return withUnsafeSamples { stored in
      guard orientation.transposes else {
        return Plane(width: w, height: h) { y, row in
          let source = (reversesY ? h - 1 - y : y) * w
          if reversesX {
            for x in 0..<w { row[x] = stored[source + w - 1 - x] }
          } else {
            for x in 0..<w { row[x] = stored[source + x] }
          }
        }
      }
      // Upright rows are stored columns. Sixteen columns are fetched at a time: a column alone would
      // take one sample of every cache line it touches.
      let columns = 16
      return withUnsafeTemporaryAllocation(of: Sample.self, capacity: columns * h) { band in
        Plane(width: h, height: w) { y, row in
          if y % columns == 0 {
            let count = min(columns, w - y)
            for x in 0..<h {
              let source = (reversesY ? h - 1 - x : x) * w
              for column in 0..<count {
                let sx = reversesX ? w - 1 - y - column : y + column
                band[column * h + x] = stored[source + sx]
              }
            }
          }
          let source = (y % columns) * h
          for x in 0..<h { row[x] = band[source + x] }
        }
      }
    }
  }
}
