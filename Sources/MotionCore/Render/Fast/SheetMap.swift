internal import CVector

/// The map stage of the fast renderer: where the pixels of a frame look into a sheet.
///
/// The projection is inverted at nodes, every eighth pixel of every eighth row. Between these it is
/// taken to be linear, where a check agrees; a block of a strip where it does not is torn, and inverted
/// at every pixel, as the reference does everywhere, which is the plain twin of this stage.
///
/// Points are in photo pixels relative to the principal point.
final class SheetMap {
  /// Pixels from node to node, and those of a block.
  static let pitch = 8
  /// Rows of a strip.
  static let rows = 2
  /// How far from its place a pixel may be seen by the check, in output pixels.
  private static let tolerance = 1.0 / 8
  /// How far from its line a pixel beside a torn block may be seen.
  private static let tear = 1.0 / 2

  private let lookup: SheetLookup
  private let roughness: SheetRoughness
  private let framing: Framing
  private let kernels: InstructionSet
  private let centre: SIMD2<Double>
  /// From a pixel to the next, in photo pixels at the crop.
  private let step: Double
  private let blocks: Int
  /// How far a frame's pixels lie from the principal point at most, in photo pixels.
  private let reach: Float
  /// Places of a row of nodes: as many as are solved at once.
  private let room: Int
  /// x and y of the nodes of a row, of two rows.
  private let nodes: UnsafeMutablePointer<Float>
  /// The row of nodes that the last strip begun lies below, if any.
  private var nodeRow: Int?
  /// Whether δ is so even between those that lines hold.
  private let isEven: UnsafeMutablePointer<Bool>
  /// The current strip, the one before, and the one below, which is begun: what stands in one may reach
  /// into its neighbours.
  private var strip: Strip
  private var above: Strip
  private var below: Strip
  /// The numbers of nodes.
  private let ramp: UnsafeMutablePointer<Float>
  /// Room for what a check says of eight blocks; for the columns of pixels, and where these look.
  private let holds: UnsafeMutablePointer<Bool>
  private let columns: UnsafeMutablePointer<Float>
  private let found: (x: UnsafeMutablePointer<Float>, y: UnsafeMutablePointer<Float>)

  /// What is known of a strip.
  private struct Strip {
    /// Its first row; nil for none.
    var top: Int?
    /// x and y of its blocks' edges in a row, of two rows.
    let edges: UnsafeMutablePointer<Float>
    /// Which blocks may be drawn along lines, and which may not and matter.
    let isLinear: UnsafeMutablePointer<Bool>
    let isTorn: UnsafeMutablePointer<Bool>

    init(room: Int) {
      edges = SheetMap.room(4 * room, 0)
      isLinear = SheetMap.room(room, false)
      // Each block has two neighbours.
      isTorn = SheetMap.room(room + 2, false) + 1
    }

    func deallocate() {
      edges.deallocate()
      isLinear.deallocate()
      (isTorn - 1).deallocate()
    }
  }

  private static func room<Value>(_ count: Int, _ value: Value) -> UnsafeMutablePointer<Value> {
    let room: UnsafeMutablePointer<Value> = .allocate(capacity: count)
    room.initialize(repeating: value, count: count)
    return room
  }

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
    nodes = Self.room(4 * room, 0)
    isEven = Self.room(room, false)
    (strip, above, below) = (Strip(room: room), Strip(room: room), Strip(room: room))
    ramp = Self.room(room, 0)
    for node in 0..<room { ramp[node] = Float(node) }
    holds = Self.room(Lanes.scalarCount, false)
    let pixels = Self.pixels(blocks: blocks)
    (columns, found) = (Self.room(pixels, 0), (Self.room(pixels, 0), Self.room(pixels, 0)))
  }

  deinit {
    nodes.deallocate()
    isEven.deallocate()
    strip.deallocate()
    above.deallocate()
    below.deallocate()
    ramp.deallocate()
    holds.deallocate()
    columns.deallocate()
    found.x.deallocate()
    found.y.deallocate()
  }

  /// The points of a row of the current strip at the first pixel of each block, and of the one
  /// behind the last.
  @inline(always)
  func edges(row: Int) -> MSEdges {
    let first = strip.edges + row &* 2 &* room
    return MSEdges(x: first, y: first + room)
  }

  /// Whether a block of the current strip may be drawn along lines between its edges.
  @inline(always)
  func isLinear(_ block: Int) -> Bool { strip.isLinear[block] }

  /// Goes to the strip that begins at the row `top`, an even one.
  ///
  /// - Parameter isWanted: whether it matters where a block looks: of that strip, and of the one below
  ///   unless it is the last.
  @inline(always)
  func move(to top: Int, isWanted: (_ top: Int, _ block: Int) -> Bool) {
    let next = top + Self.rows
    if below.top != top { begin(top) { isWanted(top, $0) } }
    (above, strip, below) = (strip, below, above)
    if next < framing.window.output.height {
      begin(next) { isWanted(next, $0) }
    } else {
      below.top = nil
    }
    // The row beside a neighbour.
    func spread(from neighbour: Strip, row: Int) -> Bool {
      var count = 0
      for first in stride(from: 0, to: blocks, by: Lanes.scalarCount)
      where eight(neighbour.isTorn, first) != 0 {
        for block in first..<min(first + Lanes.scalarCount, blocks)
        where neighbour.isTorn[block] && !strip.isTorn[block] && isWanted(top, block) {
          for column in block * Self.pitch..<(block + 1) * Self.pitch { ask(column, &count) }
        }
      }
      return tearOff(count, of: strip, row: row)
    }
    var isMore = above.top == top - Self.rows && spread(from: above, row: 0)
    if below.top == next, spread(from: below, row: Self.rows - 1) { isMore = true }
    if isMore { spreadSideways(strip) { isWanted(top, $0) } }
  }

  /// Finds the torn blocks of a strip, as far as it tells them alone.
  @inline(always)
  private func begin(_ top: Int, isWanted: (_ block: Int) -> Bool) {
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
    below.top = top
    for row in 0..<Self.rows {
      let share = Float(top - above + row) / Float(Self.pitch)
      // Places in x, and then those in y.
      let (line, upper, lower) = (below.edges + 2 * row * room, nodes, nodes + 2 * room)
      for place in 0..<2 &* room {
        line[place] = upper[place] + (lower[place] - upper[place]) * share
      }
    }
    let (isLinear, isTorn) = (below.isLinear, below.isTorn)
    isLinear.update(from: isEven, count: room)
    func isInDoubt(_ first: Int) -> Bool {
      if eight(isEven, first) == Self.all { return false }
      for block in first..<min(first + Lanes.scalarCount, blocks)
      where !isEven[block] && isWanted(block) { return true }
      return false
    }
    for first in stride(from: 0, to: blocks, by: Lanes.scalarCount) where isInDoubt(first) {
      check(below, from: first)
      let agrees = eight(isEven, first) | eight(holds, 0)
      UnsafeMutableRawPointer(isLinear + first).storeBytes(of: agrees, as: UInt64.self)
    }
    isTorn.update(repeating: false, count: blocks)
    for first in stride(from: 0, to: blocks, by: Lanes.scalarCount)
    where eight(isLinear, first) != Self.all {
      for block in first..<min(first + Lanes.scalarCount, blocks) {
        isTorn[block] = !isLinear[block] && isWanted(block)
      }
    }
    spreadSideways(below, isWanted)
  }

  /// Finds the other torn blocks of a strip on either side of torn ones.
  @inline(always)
  private func spreadSideways(_ strip: Strip, _ isWanted: (_ block: Int) -> Bool) {
    let isTorn = strip.isTorn
    var isMore = true
    while isMore {
      var count = 0
      for first in stride(from: 0, to: blocks, by: Lanes.scalarCount)
      where eight(isTorn, first - 1) | eight(isTorn, first + 1) != 0 {
        for block in first..<min(first + Lanes.scalarCount, blocks)
        where !isTorn[block] && isWanted(block) {
          if isTorn[block - 1] { ask(block * Self.pitch, &count) }
          if isTorn[block + 1] { ask((block + 1) * Self.pitch - 1, &count) }
        }
      }
      isMore = false
      for row in 0..<Self.rows where tearOff(count, of: strip, row: row) { isMore = true }
    }
  }

  @inline(always)
  private func ask(_ column: Int, _ count: inout Int) {
    columns[count] = Float(column)
    count += 1
  }

  /// Calls the blocks of pixels beside torn ones torn, where they are not on their line. What stands
  /// before a tear may reach a pixel or two into the next block, where the line is still right for what
  /// is behind it, and no check of the line sees it.
  ///
  /// - Parameter count: of the pixels, which stand in `columns`.
  /// - Returns: whether there are any.
  private func tearOff(_ count: Int, of strip: Strip, row: Int) -> Bool {
    if count == 0 { return false }
    let (edges, pinned) = line(strip, row)
    let whole = (count + 7) / 8 * 8
    lookup.withSheet { kernels.solve($0, pinned, columns, whole, found.x, found.y) }
    let tear = Float(Self.tear * step)
    var isAny = false
    for pixel in 0..<count {
      let column = Int(columns[pixel])
      let (block, share) = (column / Self.pitch, Float(column % Self.pitch) / Float(Self.pitch))
      func isOff(_ edges: UnsafePointer<Float>, _ found: Float) -> Bool {
        abs(edges[block] + (edges[block + 1] - edges[block]) * share - found) > tear
      }
      if isOff(edges.x, found.x[pixel]) || isOff(edges.y, found.y[pixel]) {
        (strip.isTorn[block], strip.isLinear[block], isAny) = (true, false, true)
      }
    }
    return isAny
  }

  /// Fills in whether lines hold in eight blocks.
  private func check(_ strip: Strip, from first: Int) {
    lookup.withSheet {
      kernels.check(
        $0, line(strip, 0), line(strip, 1), first, Float(Self.tolerance * step), holds)
    }
  }

  /// A row of a strip: where its blocks' edges look, and from where.
  private func line(_ strip: Strip, _ row: Int) -> (edges: MSEdges, row: MSPinnedRow) {
    let x = strip.edges + 2 * row * room
    return (MSEdges(x: x, y: x + room), pinnedRow(strip.top! + row, step: step))
  }

  /// The flags of eight blocks at once, one in a byte, and as all set are.
  @inline(always)
  private func eight(_ flags: UnsafeMutablePointer<Bool>, _ first: Int) -> UInt64 {
    UnsafeRawPointer(flags + first).loadUnaligned(as: UInt64.self)
  }
  private static var all: UInt64 { 0x0101_0101_0101_0101 }

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

  /// The points of a block's pixels in a row: one of the current strip, or another, which is then
  /// inverted at every pixel.
  @inline(always)
  func points(row y: Int, block: Int) -> (x: Lanes, y: Lanes) {
    guard let top = strip.top, y >= top, y < top + Self.rows, isLinear(block) else {
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
      let pinned = line(strip, row).row
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
