public import CVector

/// Finds which points of a sheet are seen in a row: what `SheetLookup` in MotionCore does, and to the
/// last bit as it does.
///
/// - Parameters:
///   - columns: the number of each point in the row.
///   - count: of points, a multiple of eight.
///   - x, y: filled with the photo points.
public func solvePoints(
  _ sheet: MSSheet, along row: MSPinnedRow, columns: UnsafePointer<Float>, count: Int,
  x: UnsafeMutablePointer<Float>, y: UnsafeMutablePointer<Float>
) {
  // Four vectors are on their way at once, since each round waits for the memory; one that has come to
  // rest makes room for the next.
  let list = Sheet.List(row: row, columns: columns, count: count, x: x, y: y)
  var a = Sheet.Point(sheet, list, first: 0)
  var b = Sheet.Point(sheet, list, first: 8)
  var c = Sheet.Point(sheet, list, first: 16)
  var d = Sheet.Point(sheet, list, first: 24)
  var next = 32
  while a.first < count || b.first < count || c.first < count || d.first < count {
    a.advance(sheet, list, &next)
    b.advance(sheet, list, &next)
    c.advance(sheet, list, &next)
    d.advance(sheet, list, &next)
  }
}

/// Whether the pixels of eight blocks in two rows may be taken to lie on lines between their edges.
///
/// - Parameters:
///   - edges, rows: of the two.
///   - block: the first one's number.
///   - tolerance: how far from its place another round would put a pixel, in photo pixels.
///   - holds: filled, eight blocks.
public func checkLines(
  _ sheet: MSSheet, _ upper: (edges: MSEdges, row: MSPinnedRow),
  _ lower: (edges: MSEdges, row: MSPinnedRow), block: Int, tolerance: Float,
  holds: UnsafeMutablePointer<Bool>
) {
  var astray = SIMD8<Int32>.zero
  // Each column in one of the rows: edges too, which in most rows lie on lines between nodes. Written
  // out, since a loop takes half as long again.
  Sheet.check(sheet, upper, block, column: 0, tolerance, &astray)
  Sheet.check(sheet, lower, block, column: 1, tolerance, &astray)
  Sheet.check(sheet, upper, block, column: 2, tolerance, &astray)
  Sheet.check(sheet, lower, block, column: 3, tolerance, &astray)
  Sheet.check(sheet, upper, block, column: 4, tolerance, &astray)
  Sheet.check(sheet, lower, block, column: 5, tolerance, &astray)
  Sheet.check(sheet, upper, block, column: 6, tolerance, &astray)
  Sheet.check(sheet, lower, block, column: 7, tolerance, &astray)
  for lane in 0..<8 { holds[lane] = astray[lane] == 0 }
}

/// The same point by point.
public func solvePointsPlainly(
  _ sheet: MSSheet, along row: MSPinnedRow, columns: UnsafePointer<Float>, count: Int,
  x: UnsafeMutablePointer<Float>, y: UnsafeMutablePointer<Float>
) {
  for point in 0..<count {
    let pinned = row.left + columns[point] * row.step
    (x[point], y[point]) = Sheet.round(sheet, pinned, row.line, delta: 1)
    for _ in 0..<sheet.rounds {
      let delta = Sheet.delta(sheet, x[point], y[point])
      let next = Sheet.round(sheet, pinned, row.line, delta: delta)
      let moved = (x: next.x - x[point], y: next.y - y[point])
      (x[point], y[point]) = next
      if moved.x * moved.x < sheet.rest && moved.y * moved.y < sheet.rest { break }
    }
  }
}

/// The same block by block.
public func checkLinesPlainly(
  _ sheet: MSSheet, _ upper: (edges: MSEdges, row: MSPinnedRow),
  _ lower: (edges: MSEdges, row: MSPinnedRow), block: Int, tolerance: Float,
  holds: UnsafeMutablePointer<Bool>
) {
  for index in 0..<8 {
    holds[index] = (0..<8).allSatisfy { column in
      let line = column % 2 == 0 ? upper : lower
      func guess(_ edges: UnsafePointer<Float>) -> Float {
        let (from, to) = (edges[block + index], edges[block + index + 1])
        return from + (to - from) * (Float(column) / 8)
      }
      let (x, y) = (guess(line.edges.x), guess(line.edges.y))
      let pinned =
        line.row.left + (Float(8 * index) + Float(8 * block + column)) * line.row.step
      let delta = Sheet.delta(sheet, x, y)
      let next = Sheet.round(sheet, pinned, line.row.line, delta: delta)
      return abs(next.x - x) < tolerance && abs(next.y - y) < tolerance
    }
  }
}

extension Sheet {
  /// Where δ puts the photo point of a pinned one.
  fileprivate static func round(
    _ sheet: MSSheet, _ pinnedX: Float, _ pinnedY: Float, delta: Float
  ) -> (x: Float, y: Float) {
    let rayX = (pinnedX - sheet.shiftX) * sheet.perZoom
    let rayY = (pinnedY - sheet.shiftY) * sheet.perZoom
    let product = delta * sheet.forward
    let near = 1 - (product > sheet.nearest ? sheet.nearest : product)
    return (rayX * near + delta * sheet.sidewaysX, rayY * near + delta * sheet.sidewaysY)
  }

  fileprivate static func delta(_ sheet: MSSheet, _ pointX: Float, _ pointY: Float) -> Float {
    let column = cell(pointX * sheet.densityX + sheet.offsetX, sheet.lastX, sheet.lastPairX)
    let row = cell(pointY * sheet.densityY + sheet.offsetY, sheet.lastY, sheet.lastPairY)
    let upper = sheet.disparity + (Int(row.lower) * Int(sheet.width) + Int(column.lower))
    let below = upper + Int(sheet.width)
    let top = upper[0] + (upper[1] - upper[0]) * column.share
    let bottom = below[0] + (below[1] - below[0]) * column.share
    return top + (bottom - top) * row.share
  }

  /// The nearest whole number, the even one of two; as in `lower`.
  static func nearest(_ value: Float) -> Float { (value + 0x1.8p23) - 0x1.8p23 }

  /// The lower of the pair of samples that a place lies between, and how far from it; places beyond the
  /// last sample are its own.
  static func cell(_ place: Float, _ last: Float, _ lastPair: Float) -> (lower: Float, share: Float)
  {
    let inside = place > 0 ? (place > last ? last : place) : 0
    let lower = min(Sheet.nearest(inside - 0.5), lastPair)
    return (lower, inside - lower)
  }
}

enum Sheet {
  typealias Lanes = SIMD8<Float>

  /// Points of a row that are to be found.
  struct List {
    let row: MSPinnedRow
    let columns: UnsafePointer<Float>
    let count: Int
    let x: UnsafeMutablePointer<Float>
    let y: UnsafeMutablePointer<Float>
  }

  /// Eight of them on their way.
  struct Point {
    /// Where they stand in the list; behind it for none.
    let first: Int
    private var x: Lanes
    private var y: Lanes
    /// All bits set where a point still moves.
    private var moves: SIMD8<Int32>
    private var rounds: Int32
    /// Where the points were a round before.
    private var beforeX: Lanes
    private var beforeY: Lanes
    private let rayX: Lanes
    private let rayY: Float

    @inline(always)
    init(_ sheet: MSSheet, _ list: List, first: Int) {
      self.first = first
      let place = msLoad(list.columns + (first < list.count ? first : 0))
      (rayX, rayY) = ray(sheet, list.row.left + place * list.row.step, list.row.line)
      (x, y) = advanced(sheet, rayX, rayY, .one)
      moves = SIMD8(repeating: -1)
      rounds = 0
      (beforeX, beforeY) = (x, y)
    }

    /// A round: a point that has come to rest stays. So does one that goes to and fro, as it does for
    /// ever where a sheet is torn, where it would be after the last round.
    @inline(always)
    private mutating func advance(_ sheet: MSSheet) {
      let (nextX, nextY) = advanced(sheet, rayX, rayY, sample(sheet, x, y))
      let (movedX, movedY) = (nextX - x, nextY - y)
      let moving = moves .!= .zero
      let rest = Lanes(repeating: sheet.rest)
      let goes = moving .& ((movedX * movedX .>= rest) .| (movedY * movedY .>= rest))
      let strays = (nextX .!= beforeX) .| (nextY .!= beforeY)
      (beforeX, beforeY) = (x, y)
      x.replace(with: nextX, where: moving)
      y.replace(with: nextY, where: moving)
      rounds &+= 1
      // All bits set where an odd number of rounds is left.
      let isOdd = SIMD8(repeating: 0 &- ((sheet.rounds &- rounds) & 1))
      let going = SIMD8.zero.replacing(with: moves, where: goes)
      moves = SIMD8.zero.replacing(with: going, where: strays) | going & isOdd
    }

    /// A round; after the last one the points are filled in, and become the list's `next` ones.
    @inline(always)
    mutating func advance(_ sheet: MSSheet, _ list: List, _ next: inout Int) {
      if first >= list.count { return }
      advance(sheet)
      if rounds < sheet.rounds && msAny(moves) != 0 { return }
      msStore(x, list.x + first)
      msStore(y, list.y + first)
      self = Point(sheet, list, first: next)
      next &+= 8
    }
  }

  @inline(always)
  static func check(
    _ sheet: MSSheet, _ line: (edges: MSEdges, row: MSPinnedRow), _ block: Int, column: Int,
    _ tolerance: Float, _ astray: inout SIMD8<Int32>
  ) {
    let share = Float(column) / 8
    @inline(always) func guess(_ edges: UnsafePointer<Float>) -> Lanes {
      let (from, to) = (msLoad(edges + block), msLoad(edges + (block &+ 1)))
      return from + (to - from) * share
    }
    let (x, y) = (guess(line.edges.x), guess(line.edges.y))
    let place = Lanes(0, 8, 16, 24, 32, 40, 48, 56) + Float(block &* 8 &+ column)
    let (rayX, rayY) = ray(sheet, line.row.left + place * line.row.step, line.row.line)
    let next = advanced(sheet, rayX, rayY, sample(sheet, x, y))
    let (movedX, movedY) = (next.x - x, next.y - y)
    let (most, least) = (Lanes(repeating: tolerance), Lanes(repeating: -tolerance))
    let holds = (movedX .< most) .& (movedX .> least) .& (movedY .< most) .& (movedY .> least)
    astray.replace(with: SIMD8(repeating: -1), where: .!holds)
  }

  @inline(always)
  private static func ray(_ sheet: MSSheet, _ x: Lanes, _ y: Float) -> (x: Lanes, y: Float) {
    ((x - sheet.shiftX) * sheet.perZoom, (y - sheet.shiftY) * sheet.perZoom)
  }

  /// Where δ puts the photo points of rays.
  @inline(always)
  private static func advanced(
    _ sheet: MSSheet, _ rayX: Lanes, _ rayY: Float, _ delta: Lanes
  ) -> (x: Lanes, y: Lanes) {
    let near = 1 - msAtMost(delta * sheet.forward, sheet.nearest)
    return (rayX * near + delta * sheet.sidewaysX, rayY * near + delta * sheet.sidewaysY)
  }

  /// δ at many points, bilinear, the field's edge repeating.
  @inline(always)
  private static func sample(_ sheet: MSSheet, _ pointX: Lanes, _ pointY: Lanes) -> Lanes {
    let x = msClamped(pointX * sheet.densityX + sheet.offsetX, sheet.lastX)
    let y = msClamped(pointY * sheet.densityY + sheet.offsetY, sheet.lastY)
    let (column, row) = (lower(x, sheet.lastPairX), lower(y, sheet.lastPairY))
    let (across, down) = (x - column, y - row)
    let at = msWhole(row) &* SIMD8(repeating: sheet.width) &+ msWhole(column)
    let upper = msPairs(sheet.disparity, at)
    let lower = msPairs(sheet.disparity + Int(sheet.width), at)
    let top = msFirst(upper) + (msSecond(upper) - msFirst(upper)) * across
    let bottom = msFirst(lower) + (msSecond(lower) - msFirst(lower)) * across
    return top + (bottom - top) * down
  }

  /// The lower of the pair of samples that a place lies between; a whole number may be the upper one
  /// of its pair.
  @inline(always)
  static func lower(_ place: Lanes, _ last: Float) -> Lanes {
    // Beside this number single precision holds whole numbers only.
    let whole = Lanes(repeating: 0x1.8p23)
    return msAtMost((place - 0.5 + whole) - whole, last)
  }
}
