/// The map stage of the fast renderer: where the pixels of a frame look into a sheet.
///
/// The projection is inverted at nodes, every eighth pixel of every eighth row. Between these it is
/// taken to be linear, where a check agrees; a block of a strip where it does not is inverted at every
/// pixel, as the reference does everywhere, which is the plain twin of this stage.
///
/// Points are in photo pixels relative to the principal point.
final class SheetMap {
  /// Pixels from node to node, and those of a block.
  static let pitch = 8
  /// Rows of a strip.
  static let rows = 2
  /// How far from its place a pixel may be seen by the check, in output pixels.
  private static let tolerance = 1.0 / 8
  /// The pixels of a block that are checked. Nodes are where they should be.
  private static let sites: [(column: Int, row: Int)] = [(2, 1), (4, 0), (6, 1), (7, 0)]

  private let lookup: SheetLookup
  private let framing: Framing
  private let centre: SIMD2<Double>
  /// From a pixel to the next, in photo pixels at the crop.
  private let step: Double
  private let blocks: Int
  /// Points of a row of nodes, of whole `Lanes` and one node more.
  private let room: Int
  private let base: UnsafeMutablePointer<Float>
  private let nodes: UnsafeMutablePointer<SIMD2<Float>>
  private let isLinear: UnsafeMutablePointer<Bool>
  /// The row of nodes that the current strip lies below, if any.
  private var nodeRow: Int?
  private var top = 0

  init(_ lookup: SheetLookup, framing: Framing) {
    self.lookup = lookup
    self.framing = framing
    centre = framing.optics.centre
    step = 1 / (framing.window.scale * framing.crop)
    blocks = (framing.window.output.width + Self.pitch - 1) / Self.pitch
    let lanes = Lanes.scalarCount
    room = (blocks + 1 + lanes) / lanes * lanes + lanes
    base = .allocate(capacity: 4 * room)
    base.initialize(repeating: 0, count: 4 * room)
    nodes = .allocate(capacity: 2 * room)
    nodes.initialize(repeating: .zero, count: 2 * room)
    isLinear = .allocate(capacity: room)
    isLinear.initialize(repeating: false, count: room)
  }

  deinit {
    base.deallocate()
    nodes.deallocate()
    isLinear.deallocate()
  }

  /// The points of a row of the current strip at the first pixel of each block, and of the one
  /// behind the last.
  @inline(always)
  func edges(row: Int) -> (x: UnsafePointer<Float>, y: UnsafePointer<Float>) {
    let first = base + row &* 2 &* room
    return (UnsafePointer(first), UnsafePointer(first + room))
  }

  /// Whether a block of the current strip may be drawn along lines between its edges.
  @inline(always)
  func isLinear(_ block: Int) -> Bool { isLinear[block] }

  /// Goes to the strip that begins at the row `top`, an even one.
  ///
  /// - Parameter isWanted: whether it matters where a block looks.
  @inline(always)
  func move(to top: Int, isWanted: (_ block: Int) -> Bool) {
    self.top = top
    let above = top / Self.pitch * Self.pitch
    if nodeRow != above {
      // What was below the last strips is above the next.
      if nodeRow == above - Self.pitch {
        (nodes + 0).update(from: nodes + room, count: room)
      } else {
        solveNodes(row: above, into: nodes)
      }
      solveNodes(row: above + Self.pitch, into: nodes + room)
      nodeRow = above
    }
    for row in 0..<Self.rows {
      let share = Float(top - above + row) / Float(Self.pitch)
      let (x, y) = (base + 2 * row * room, base + (2 * row + 1) * room)
      for node in 0...blocks {
        let (upper, lower) = (nodes[node], nodes[room + node])
        let point = upper + (lower - upper) * share
        (x[node], y[node]) = (point.x, point.y)
      }
    }
    for first in stride(from: 0, to: blocks, by: Lanes.scalarCount) {
      var anyIsWanted = false
      for block in first..<min(first + Lanes.scalarCount, blocks) where isWanted(block) {
        anyIsWanted = true
      }
      if anyIsWanted { check(from: first) }
    }
  }

  /// Checks eight blocks.
  private func check(from first: Int) {
    let tolerance = Lanes(repeating: Float(Self.tolerance * step))
    let block = Lanes(0, 1, 2, 3, 4, 5, 6, 7) + Float(first)
    var holds = SIMDMask<Lanes.MaskStorage>(repeating: true)
    for row in 0..<Self.rows {
      let edges = edges(row: row)
      let pinned = pinnedPoint(row: top + row)
      let (left, across) = (Float(pinned.x), Float(step))
      let (x0, x1) = (load(edges.x + first), load(edges.x + first + 1))
      let (y0, y1) = (load(edges.y + first), load(edges.y + first + 1))
      for site in Self.sites where site.row == row {
        let share = Float(site.column) / Float(Self.pitch)
        let guess = (x: x0 + (x1 - x0) * share, y: y0 + (y1 - y0) * share)
        let point = left + (block * Float(Self.pitch) + Float(site.column)) * across
        let (x, y) = lookup.remainder(of: guess, at: (point, Float(pinned.y)))
        holds .&= (x .< tolerance) .& (x .> -tolerance) .& (y .< tolerance) .& (y .> -tolerance)
      }
    }
    for lane in 0..<Lanes.scalarCount { isLinear[first + lane] = holds[lane] }
  }

  /// The points of a block's pixels in a row: one of the current strip, or another, which is then
  /// inverted at every pixel.
  @inline(always)
  func points(row y: Int, block: Int) -> (x: Lanes, y: Lanes) {
    guard y >= top, y < top + Self.rows, isLinear[block] else {
      return lookup.photoPoints(
        from: pinnedPoint(row: y), step: step, column: block * Self.pitch)
    }
    let edges = edges(row: y - top)
    let share = Lanes(0, 1, 2, 3, 4, 5, 6, 7) / Float(Self.pitch)
    let (x, y) = (edges.x + block, edges.y + block)
    return (x[0] + (x[1] - x[0]) * share, y[0] + (y[1] - y[0]) * share)
  }

  /// The pinned photo point of a row's first pixel, relative to the principal point.
  private func pinnedPoint(row y: Int) -> SIMD2<Double> {
    framing.window.photoPoint(SIMD2(0.5, Double(y) + 0.5), crop: framing.crop) - centre
  }

  private func solveNodes(row y: Int, into nodes: UnsafeMutablePointer<SIMD2<Float>>) {
    lookup.photoPoints(
      from: pinnedPoint(row: y), step: step * Double(Self.pitch),
      into: UnsafeMutableBufferPointer(start: nodes, count: room))
  }

  @inline(always)
  private func load(_ from: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(from).loadUnaligned(as: Lanes.self)
  }
}
