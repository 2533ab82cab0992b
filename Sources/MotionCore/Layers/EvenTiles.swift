/// Where a plane has one value for some way around, tile by tile: most of a mask does, and what looks
/// at a neighbourhood then knows its answer.
struct EvenTiles: Sendable {
  private static let side = 16
  private let width: Int
  /// A sample a tile: the value of all samples in it and within reach of it; NaN where they differ.
  private let values: Plane<Float>

  /// - Parameter reach: in samples, along rows and columns; beyond the plane's edge nothing counts.
  init(_ plane: Plane<Float>, reach: Int) async {
    let side = Self.side
    width = plane.width
    let own = await Plane<Float>(
      width: (plane.width + side - 1) / side, height: (plane.height + side - 1) / side
    ) { y, row in
      plane.withUnsafeSamples { samples in
        for x in row.indices {
          let columns = x * side..<min(x * side + side, plane.width)
          let first = samples[y * side * plane.width + columns.lowerBound]
          var difference: UInt32 = 0
          for line in y * side..<min(y * side + side, plane.height) {
            for column in columns {
              difference |= samples[line * plane.width + column].bitPattern ^ first.bitPattern
            }
          }
          row[x] = difference == 0 ? first : .nan
        }
      }
    }
    let near = (reach + side - 1) / side
    values = await Plane(width: own.width, height: own.height) { y, row in
      for x in row.indices {
        let value = own[x, y]
        var isEven = true
        for j in max(y - near, 0)...min(y + near, own.height - 1) where isEven {
          for i in max(x - near, 0)...min(x + near, own.width - 1) where own[i, j] != value {
            isEven = false
          }
        }
        row[x] = isEven ? value : .nan
      }
    }
  }

  /// Gives `body` the columns of a row of samples from left to right, in runs of as many tiles as are
  /// alike, and the value that all their neighbourhoods have; nil where those differ.
  @inline(always)
  func forEachRun(ofRow y: Int, _ body: (_ columns: Range<Int>, _ value: Float?) -> Void) {
    let row = y / Self.side
    var tile = 0
    while tile < values.width {
      let (first, value) = (tile, values[tile, row])
      repeat {
        tile += 1
      } while tile < values.width
        && (values[tile, row] == value || values[tile, row].isNaN && value.isNaN)
      let columns = first * Self.side..<min(tile * Self.side, width)
      body(columns, value.isNaN ? nil : value)
    }
  }
}
