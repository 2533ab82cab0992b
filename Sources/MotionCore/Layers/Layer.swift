/// One of the pictures that a frame is laid together from, farthest first.
struct Layer: Sendable {
  /// Where the samples of `colour` lie.
  let grid: Grid
  /// R, G, B in linear light, premultiplied by the coverage in w.
  let colour: Plane<SIMD4<Float>>
  let shape: Shape

  enum Shape: Sendable {
    /// A sheet with a δ of its own at every place, and how many rounds its lookup may take.
    case sheet(DisparityField, rounds: Int)
    /// A flat card that faces the camera, at one δ.
    case card(disparity: Double)
  }
}

/// How the photo is turned into layers.
public enum Method: String, Sendable, CaseIterable {
  /// The subject as a card before the filled background.
  case layered
  /// The photo as one sheet over its depth. It tears at the subject's edge; every comparison has it
  /// as its control.
  case oneSheet = "one-sheet"

  /// Rounds of the lookup on a sheet.
  static let sheetRounds = 32
  static let oneSheetRounds = 6
}

extension Scene {
  /// The layers that a framing needs, as fine as it needs them.
  func layers(_ method: Method, for framing: Framing) async -> [Layer] {
    await layers(method, on: framing.layerGrid)
  }

  /// The layers on a grid.
  func layers(_ method: Method, on grid: Grid) async -> [Layer] {
    async let light = photo.linear(onto: grid)
    switch method {
    case .oneSheet:
      return [
        Layer(
          grid: grid, colour: await light,
          shape: .sheet(await photoDisparity(), rounds: Method.oneSheetRounds))
      ]
    case .layered:
      let photo = await light
      let coverage = await coverage.finished(photo, on: grid)
      let clear = await self.coverage.background(coverage, on: grid)
      let background = await background(photo, coverage, clear: clear)
      return [
        Layer(
          grid: grid, colour: background,
          shape: .sheet(backgroundDisparity, rounds: Method.sheetRounds)),
        await card(photo, coverage, background, on: grid),
      ]
    }
  }

  /// The photo where nothing covers it, filled from what is surely background elsewhere.
  private func background(
    _ photo: Plane<SIMD4<Float>>, _ coverage: Plane<Float>, clear: Plane<Float>
  ) async -> Plane<SIMD4<Float>> {
    var (opaque, known) = (photo, clear)
    if self.photo.hasAlpha {
      // Where the photo is transparent its colour is unknown.
      opaque = photo.map { $0.w > 0 ? $0 / $0.w : .zero }
      known = await Plane<Float>(width: clear.width, height: clear.height) { y, row in
        for x in 0..<row.count { row[x] = clear[x, y] * photo[x, y].w }
      }
    }
    let finish: RowFinish<SIMD4<Float>> = { y, row in
      for x in 0..<row.count {
        // Through what is transparent in the photo, the fill shows.
        if coverage[x, y] == 0 { row[x] = photo[x, y] + row[x] * (1 - photo[x, y].w) }
        row[x].w = 1
      }
    }
    if let filled = await pushPull(opaque, weights: known, finish: finish) { return filled }
    return await Plane(width: clear.width, height: clear.height) { y, row in
      row.initialize(repeating: .zero)
      finish(y, row)
    }
  }

  /// What the subject adds to the background: photo − background · (1 − coverage), so that the two
  /// laid together are the photo again. Only the part that the subject covers is kept.
  ///
  /// Where no colour at all could do that, the coverage is raised until nearly one can: a card that
  /// took light away would leave black blots, and one brighter than white would glow, wherever it moves to.
  /// A coverage that is known exactly stays as it is.
  private func card(
    _ photo: Plane<SIMD4<Float>>, _ coverage: Plane<Float>,
    _ background: Plane<SIMD4<Float>>, on grid: Grid
  ) async -> Layer {
    let isExact = self.coverage.feather == 0
    let (columns, rows) = coverage.boundsOfCoverage(margin: 2)
    let part = grid.part(columns, rows)
    let colour = await Plane<SIMD4<Float>>(width: columns.count, height: rows.count) { y, row in
      for x in 0..<row.count {
        let at = (x: x + columns.lowerBound, y: y + rows.lowerBound)
        if coverage[at.x, at.y] == 0 {
          row[x] = .zero
          continue
        }
        // A transparent place of the photo shows the background through.
        let behind = background[at.x, at.y]
        let seen = photo[at.x, at.y] + behind * (1 - photo[at.x, at.y].w)
        var a = coverage[at.x, at.y]
        if !isExact && a < 1 { a = max(a, Self.leastCoverage(seen, before: behind)) }
        var colour = seen - behind * (1 - a)
        colour.w = a
        row[x] = colour
      }
    }
    return Layer(grid: part, colour: colour, shape: .card(disparity: 1))
  }

  /// How much something must cover at least to turn `behind` into `seen` with a colour between black
  /// and white, give or take what nobody sees. Of colours beyond sRGB only what lies within counts.
  static func leastCoverage(_ seen: SIMD4<Float>, before behind: SIMD4<Float>) -> Float {
    var least: Float = 0
    for channel in 0..<3 {
      let (s, b) = (min(max(seen[channel], 0), 1), min(max(behind[channel], 0), 1))
      let excess = abs(s - b) - invisible(min(s, b))
      if excess > 0 { least = max(least, min(excess / (s < b ? b : 1 - b), 1)) }
    }
    return least
  }

  /// A difference in linear light beside `light` that is about half a code of 8 bits.
  static func invisible(_ light: Float) -> Float { 1 / 4096 + light / 256 }
}

extension Plane<Float> {
  /// The columns and rows that hold anything above 0, and `margin` more on each side.
  fileprivate func boundsOfCoverage(margin: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    var (left, right, top, bottom) = (width, 0, height, 0)
    withUnsafeSamples { samples in
      for y in 0..<height {
        let row = UnsafeBufferPointer(rebasing: samples[y * width..<(y + 1) * width])
        guard let first = row.firstIndex(where: { $0 > 0 }) else { continue }
        let last = row.lastIndex { $0 > 0 }!
        (left, right) = (Swift.min(left, first), Swift.max(right, last + 1))
        (top, bottom) = (Swift.min(top, y), y + 1)
      }
    }
    if left >= right { return (0..<1, 0..<1) }
    return (
      Swift.max(left - margin, 0)..<Swift.min(right + margin, width),
      Swift.max(top - margin, 0)..<Swift.min(bottom + margin, height)
    )
  }
}
