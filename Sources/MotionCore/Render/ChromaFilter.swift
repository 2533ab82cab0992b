/// Brings R'G'B' from the pixels to the sites of subsampled chroma. Chroma is linear in R'G'B', so
/// filtering these is filtering it.
struct ChromaFilter: Sendable {
  /// How much of the row or column before, of its own and of the one behind a site takes.
  typealias Weights = SIMD3<Float>

  let rows: Weights
  let columns: Weights
  private let shiftX: Int

  /// The filter of a plane, nil where every pixel is a site.
  init?(_ plane: PlaneLayout, _ siting: ChromaSiting) {
    if plane.shiftX == 0 && plane.shiftY == 0 { return nil }
    let (on, between) = (Weights(0.25, 0.5, 0.25), Weights(0, 0.5, 0.5))
    let isBoth = plane.shiftX > 0 && plane.shiftY > 0
    columns = isBoth && siting == .jpeg ? between : on
    rows = plane.shiftY == 0 ? Weights(0, 1, 0) : siting == .paldv ? on : between
    shiftX = plane.shiftX
  }

  /// Whether a site takes anything from the row above its own.
  var takesRowAbove: Bool { rows.x != 0 }

  /// Fills `sites` of `target` from `columns` of pixels, and from the one before them where there is
  /// one; `blend` is room for a row of pixels.
  func callAsFunction(
    _ above: ColourRow, _ own: ColourRow, _ below: ColourRow, blend: ColourRow,
    into target: ColourRow, sites: Range<Int>, columns pixels: Range<Int>, width: Int
  ) {
    for channel in 0..<ColourRow.colours {
      let (above, own, below) = (above[channel], own[channel], below[channel])
      let mixed = shiftX > 0 ? blend[channel] : target[channel]
      for x in max(pixels.lowerBound &- 1, 0)..<pixels.upperBound {
        mixed[x] = above[x] * rows.x + own[x] * rows.y + below[x] * rows.z
      }
      guard shiftX > 0 else { continue }
      let target = target[channel]
      var left = mixed[max(2 &* sites.lowerBound &- 1, 0)]
      for x in sites {
        let right = mixed[min(2 &* x &+ 1, width &- 1)]
        target[x] = left * columns.x + mixed[2 &* x] * columns.y + right * columns.z
        left = right
      }
    }
  }
}

/// A row of R', G', B' and alpha, each on its own, with room for whole `Lanes`.
struct ColourRow {
  /// The channels of colour, and the one behind them.
  static let colours = 3
  static let alpha = 3
  private static let channels = 4
  private let base: UnsafeMutablePointer<Float>
  private let room: Int

  /// Gives `body` that many rows, all zero.
  static func withRows<Result>(
    _ count: Int, width: Int, _ body: ([ColourRow]) -> Result
  ) -> Result {
    let room = (width + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: channels * room * count) {
      $0.initialize(repeating: 0)
      let base = $0.baseAddress!
      return body(
        (0..<count).map { ColourRow(base: base + channels * room * $0, room: room) })
    }
  }

  @inline(always)
  subscript(channel: Int) -> UnsafeMutablePointer<Float> { base + channel &* room }
}
