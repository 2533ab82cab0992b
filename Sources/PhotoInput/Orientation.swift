package import MotionCore

/// How the rows of a stored picture lie, as EXIF numbers it.
enum Orientation: Int, Sendable, CaseIterable {
  case upright = 1
  case mirrored, turnedHalf, flipped, transposed, turnedLeft, transversed, turnedRight

  /// Whether stored rows are upright columns.
  var transposes: Bool { rawValue >= 5 }
  /// Whether stored rows (after an exchange of rows and columns) run backwards.
  var reversesX: Bool { [2, 3, 7, 8].contains(rawValue) }
  var reversesY: Bool { [3, 4, 6, 7].contains(rawValue) }

  /// How rows lie that are turned upright from `self` and then from `next`.
  func followed(by next: Orientation) -> Orientation {
    let (nextX, nextY) =
      transposes ? (next.reversesY, next.reversesX) : (next.reversesX, next.reversesY)
    // All eight combinations of the three are cases.
    return Self.allCases.first {
      $0.transposes == (transposes != next.transposes) && $0.reversesX == (reversesX != nextX)
        && $0.reversesY == (reversesY != nextY)
    }!
  }
}

extension Plane {
  /// The plane turned as a photo of that EXIF orientation, 1…8, is to be upright.
  package func turnedUpright(fromEXIF orientation: Int) -> Plane {
    turnedUpright(from: Orientation(rawValue: orientation) ?? .upright)
  }

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
      // Upright rows are stored columns. Going by tiles uses the whole of every cache line that is
      // touched while it is still near.
      let tile = 32
      return Plane(width: h, height: w) { upright in
        for top in stride(from: 0, to: w, by: tile) {
          for left in stride(from: 0, to: h, by: tile) {
            for y in top..<min(top + tile, w) {
              let column = reversesX ? w - 1 - y : y
              // A step to the right there is a step down, or up, here.
              var source = (reversesY ? h - 1 - left : left) * w + column
              let step = reversesY ? -w : w
              for x in left..<min(left + tile, h) {
                upright[y * h + x] = stored[source]
                source += step
              }
            }
          }
        }
      }
    }
  }
}
