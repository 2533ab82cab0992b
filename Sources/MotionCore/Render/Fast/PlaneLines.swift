/// Where the blocks of a strip look into the planes of a layer.
struct PlaneLines {
  private let base: UnsafeMutablePointer<Float>
  private let room: Int

  /// Room for so many blocks; `deallocate` frees it.
  init(blocks: Int) {
    room = blocks + 1
    base = .allocate(capacity: 4 * room)
    base.initialize(repeating: 0, count: 4 * room)
  }

  func deallocate() { base.deallocate() }

  /// Goes to a strip.
  ///
  /// - Parameter fill: puts the photo points of a row, relative to the principal point `centre`, at the
  ///   first pixel of each block and of the one behind the last.
  @inline(always)
  func move(
    to top: Int, of grid: Grid, centre: SIMD2<Double>,
    fill: (_ row: Int, _ put: (_ node: Int, _ x: Float, _ y: Float) -> Void) -> Void
  ) {
    let density = Float(grid.density)
    let padding = CodePlanes.padding
    let offset = SIMD2<Float>((centre - grid.origin) * grid.density - 0.5 + Double(padding))
    // What a frame shows lies well inside. A block reads up to ten samples behind its places.
    let low: Float = 2
    let highX = Float(grid.size.width + 2 * padding - 14)
    let highY = Float(grid.size.height + 2 * padding - 4)
    for row in 0..<SheetMap.rows {
      let (toX, toY) = (base + 2 * row * room, base + (2 * row + 1) * room)
      fill(row) { node, pointX, pointY in
        let (x, y) = (pointX * density + offset.x, pointY * density + offset.y)
        toX[node] = x > low ? (x < highX ? x : highX) : low
        toY[node] = y > low ? (y < highY ? y : highY) : low
      }
    }
  }

  @inline(always)
  func line(_ block: Int, row: Int) -> BlockLine {
    let x = base + (2 &* row &* room &+ block)
    let y = x + room
    let share = 1 / Float(SheetMap.pitch)
    return BlockLine(x: x[0], y: y[0], stepX: (x[1] - x[0]) * share, stepY: (y[1] - y[0]) * share)
  }
}
