/// The classify stage of the fast renderer: whether a card covers a block of a frame wholly, not at
/// all, or in part.
///
/// What a block may look at is a window of the card's samples. Whether there is any coverage in such
/// a window, and anything open, is worked out once for every place where it can begin.
struct CardCover: Sendable {
  enum Cover: UInt8 {
    case none, all, some
  }

  /// How far beyond its own pixels a block looks for its chroma, in pixels: some more than the filter
  /// does, which is spread over samples that are not quite pixels.
  private static let (before, beyond) = (1.25, 0.25)
  /// The same in samples, to the left and above.
  private let reach: SIMD2<Float>
  /// The samples of a window.
  private let columns: Int
  private let rows: Int
  private let density: SIMD2<Float>
  private let offset: SIMD2<Float>
  /// The cover of the window that begins at each second sample, and before the first.
  private let covers: Plane<UInt8>

  /// The largest step that is worth it.
  static let largestStep = 4.0

  private static let covered: UInt8 = 1
  private static let open: UInt8 = 2

  /// - Parameters:
  ///   - centre: the principal point.
  ///   - step: the most samples that ever lie between two pixels, along each axis.
  ///   - takesRowAbove: whether chroma does.
  init(
    _ layer: Layer, centre: SIMD2<Double>, step: SIMD2<Double>, takesRowAbove: Bool
  ) async {
    let above = takesRowAbove ? Self.before : Self.beyond
    // Interpolation takes a sample on either side.
    func window(_ pixels: Int, _ reach: Double, _ step: Double) -> Int {
      Int((step * (Double(pixels - 1) + reach)).rounded(.up)) + 2
    }
    // One more, since windows begin at each second one.
    let columns = window(SheetMap.pitch, Self.before + Self.beyond, step.x) + 1
    let rows = window(SheetMap.rows, above + Self.beyond, step.y) + 1
    (self.columns, self.rows) = (columns, rows)
    reach = SIMD2(Float(Self.before * step.x), Float(above * step.y))
    density = SIMD2(layer.grid.density)
    offset = SIMD2((centre - layer.grid.origin) * layer.grid.density - 0.5)
    let (width, height) = (layer.grid.size.width, layer.grid.size.height)
    // Beyond the card's edge it repeats.
    let half = (width + columns + 1) / 2
    let across = await Plane<UInt8>(width: half, height: height) { y, row in
      let begins = 2 * half
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * begins + columns) { room in
        let flags = UnsafeMutableBufferPointer(rebasing: room[begins...])
        layer.colour.withUnsafeSamples { colour in
          let line = colour.baseAddress! + y * width
          for x in flags.indices {
            let a = line[min(max(x - columns, 0), width - 1)].w
            flags[x] = (a > 0 ? Self.covered : 0) | (a < 1 ? Self.open : 0)
          }
        }
        let (any, flag) = (room.baseAddress!, flags.baseAddress!)
        any.update(repeating: 0, count: begins)
        for step in 0..<columns {
          for x in 0..<begins { any[x] |= flag[x &+ step] }
        }
        for x in 0..<half { row[x] = any[2 &* x] }
      }
    }
    covers = await Plane<UInt8>(width: half, height: (height + rows + 1) / 2) { y, row in
      row.update(repeating: 0)
      across.withUnsafeSamples { across in
        for step in 0..<rows {
          let line = across.baseAddress! + min(max(2 * y - rows + step, 0), height - 1) * row.count
          for x in 0..<row.count { row[x] |= line[x] }
        }
      }
      for x in 0..<row.count {
        row[x] =
          (row[x] == Self.open ? Cover.none : row[x] == Self.covered ? .all : .some).rawValue
      }
    }
  }

  /// The cover of each block of a strip.
  ///
  /// - Parameter line: where the strip's first row looks into the card.
  @inline(always)
  func eachBlock(
    along line: CardLine, count: Int, _ body: (_ block: Int, _ cover: Cover) -> Void
  ) {
    let y = begin(line.line * density.y + offset.y - reach.y, count: covers.height, window: rows)
    let (first, step) = (
      line.left * density.x + offset.x - reach.x, line.step * density.x
    )
    covers.withUnsafeSamples { covers in
      let row = covers.baseAddress! + y * self.covers.width
      for block in 0..<count {
        let x = begin(
          first + Float(block &* SheetMap.pitch) * step, count: self.covers.width,
          window: columns)
        body(block, Cover(rawValue: row[x])!)
      }
    }
  }

  /// Where the window of a place stands among those of a row or column.
  @inline(always)
  private func begin(_ place: Float, count: Int, window: Int) -> Int {
    let (at, last) = (place + Float(window), Float(2 * count - 1))
    return Int(at > 0 ? (at < last ? at : last) : 0) / 2
  }
}
