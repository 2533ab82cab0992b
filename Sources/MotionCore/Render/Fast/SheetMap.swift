internal import CVector

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

  private let lookup: SheetLookup
  private let framing: Framing
  private let centre: SIMD2<Double>
  /// From a pixel to the next, in photo pixels at the crop.
  private let step: Double
  private let blocks: Int
  /// How far a frame's pixels lie from the principal point at most, in photo pixels.
  private let reach: Float
  private let kernels: InstructionSet
  /// Places of a row of nodes: as many as are solved at once.
  private let room: Int
  /// x and y of the nodes of a row, of two rows; and the same of the current strip's rows.
  private let nodes: UnsafeMutablePointer<Float>
  private let base: UnsafeMutablePointer<Float>
  /// The numbers of nodes; and room for those of the pixels of torn blocks in a row.
  private let ramp: UnsafeMutablePointer<Float>
  private let columns: UnsafeMutablePointer<Float>
  private let isLinear: UnsafeMutablePointer<Bool>
  /// Whether δ is so even between a block's nodes that lines hold.
  private let isEven: UnsafeMutablePointer<Bool>
  private let roughness: SheetRoughness
  /// The row of nodes that the current strip lies below, if any.
  private var nodeRow: Int?
  private var top = 0

  init(
    _ lookup: SheetLookup, roughness: SheetRoughness, framing: Framing,
    kernels: InstructionSet = .best
  ) {
    self.lookup = lookup
    self.roughness = roughness
    self.framing = framing
    self.kernels = kernels
    centre = framing.optics.centre
    step = 1 / (framing.window.scale * framing.crop)
    blocks = (framing.window.output.width + Self.pitch - 1) / Self.pitch
    let frame = SIMD2(
      Double(framing.window.output.width), Double(framing.window.output.height))
    let corners = [.zero, frame].map {
      framing.window.photoPoint($0, crop: framing.crop) - framing.optics.centre
    }
    reach = corners.map { Float(max(abs($0.x), abs($0.y))) }.max()!
    // One more than there are blocks, and room for whole vectors from any node on.
    room = (blocks + 1 + Lanes.scalarCount + 31) / 32 * 32
    base = .allocate(capacity: 4 * room)
    base.initialize(repeating: 0, count: 4 * room)
    nodes = .allocate(capacity: 4 * room)
    nodes.initialize(repeating: 0, count: 4 * room)
    ramp = .allocate(capacity: room)
    for node in 0..<room { (ramp + node).initialize(to: Float(node)) }
    columns = .allocate(capacity: Self.pixels(blocks: blocks))
    columns.initialize(repeating: 0, count: Self.pixels(blocks: blocks))
    isLinear = .allocate(capacity: room)
    isLinear.initialize(repeating: false, count: room)
    isEven = .allocate(capacity: room)
    isEven.initialize(repeating: false, count: room)
  }

  deinit {
    base.deallocate()
    nodes.deallocate()
    ramp.deallocate()
    columns.deallocate()
    isLinear.deallocate()
    isEven.deallocate()
  }

  /// The points of a row of the current strip at the first pixel of each block, and of the one
  /// behind the last.
  @inline(always)
  func edges(row: Int) -> MSEdges {
    let first = base + row &* 2 &* room
    return MSEdges(x: first, y: first + room)
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
        nodes.update(from: nodes + 2 * room, count: 2 * room)
      } else {
        solveNodes(row: above, into: nodes)
      }
      solveNodes(row: above + Self.pitch, into: nodes + 2 * room)
      nodeRow = above
      findEven()
    }
    for row in 0..<Self.rows {
      let share = Float(top - above + row) / Float(Self.pitch)
      // Places in x, and then those in y.
      let (line, upper, lower) = (base + 2 * row * room, nodes, nodes + 2 * room)
      for place in 0..<2 &* room {
        line[place] = upper[place] + (lower[place] - upper[place]) * share
      }
    }
    for first in stride(from: 0, to: blocks, by: Lanes.scalarCount) {
      let eight = UnsafeRawPointer(isEven + first).loadUnaligned(as: SIMD8<UInt8>.self)
      if eight == .one {
        UnsafeMutableRawPointer(isLinear + first).storeBytes(of: eight, as: SIMD8<UInt8>.self)
        continue
      }
      var isInDoubt = false
      for block in first..<min(first + Lanes.scalarCount, blocks) where !isEven[block] {
        if isWanted(block) { isInDoubt = true }
      }
      if isInDoubt { check(from: first) }
      for block in first..<first + Lanes.scalarCount {
        isLinear[block] = isEven[block] || isInDoubt && isLinear[block]
      }
    }
  }

  /// Finds the blocks between the rows of nodes for which δ's roughness alone says that lines hold.
  private func findEven() {
    lookup.withSheet { sheet in
      let evenness = SheetRoughness.Evenness(
        sheet, reach: reach,
        tolerance: Float(Self.tolerance * step))
      let (x, y) = (nodes, nodes + room)
      roughness.windows.withUnsafeSamples { windows in
        for block in 0..<blocks {
          func corners(_ of: UnsafeMutablePointer<Float>) -> SIMD4<Float> {
            SIMD4(of[block], of[block &+ 1], of[2 &* room &+ block], of[2 &* room &+ block &+ 1])
          }
          isEven[block] = evenness.holds(
            windows, width: roughness.windows.width, corners(x), corners(y))
        }
      }
    }
  }

  /// Checks eight blocks.
  private func check(from first: Int) {
    func row(_ row: Int) -> (edges: MSEdges, row: MSPinnedRow) {
      (edges(row: row), pinnedRow(top + row, step: step))
    }
    lookup.withSheet {
      kernels.check(
        $0, row(0), row(1), first, Float(Self.tolerance * step), isLinear + first)
    }
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

  /// Room for the pixels of a list of blocks, a pixel before each among them, in whole vectors of any
  /// kernel.
  static func pixels(blocks: Int) -> Int { (pitch + 1) * blocks + 64 }

  /// Fills in where the pixels of blocks look in a row of the current strip: eight of each, and then
  /// for each the one before its first. The first `torn` of them are inverted at every pixel.
  func place(
    row: Int, _ blocks: MSBlocks, torn: Int, x: UnsafeMutablePointer<Float>,
    y: UnsafeMutablePointer<Float>
  ) {
    if torn > 0 {
      let pinned = pinnedRow(top + row, step: step)
      lookup.withSheet { sheet in
        // Whole vectors run over into what is filled in later.
        func solve(_ count: Int, into first: Int) {
          let whole = (count + 7) / 8 * 8
          kernels.solve(sheet, pinned, columns, whole, x + first, y + first)
        }
        for index in 0..<torn {
          let column = Int(blocks.numbers[index]) * Self.pitch
          for pixel in 0..<Self.pitch {
            columns[index * Self.pitch + pixel] = Float(column + pixel)
          }
        }
        solve(torn * Self.pitch, into: 0)
        for index in 0..<torn {
          columns[index] = Float(max(Int(blocks.numbers[index]) * Self.pitch - 1, 0))
        }
        solve(torn, into: blocks.count * Self.pitch)
      }
    }
    kernels.placePixels(edges(row: row), blocks, torn, x, y)
  }

  /// The pinned photo point of a row's first pixel, relative to the principal point.
  private func pinnedPoint(row y: Int) -> SIMD2<Double> {
    framing.window.photoPoint(SIMD2(0.5, Double(y) + 0.5), crop: framing.crop) - centre
  }

  private func pinnedRow(_ y: Int, step: Double) -> MSPinnedRow {
    let first = pinnedPoint(row: y)
    return MSPinnedRow(left: Float(first.x), step: Float(step), line: Float(first.y))
  }

  private func solveNodes(row y: Int, into nodes: UnsafeMutablePointer<Float>) {
    let row = pinnedRow(y, step: step * Double(Self.pitch))
    lookup.withSheet { kernels.solve($0, row, ramp, room, nodes, nodes + room) }
  }
}
