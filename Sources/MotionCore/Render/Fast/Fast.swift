internal import CVector

/// Draws frames quickly: the same pictures as `Reference` to within less than a code.
///
/// In strips of two rows, each cut into blocks of eight columns. For each strip the *map* stage says
/// where its pixels look into the sheet (`SheetMap`), the *classify* stage which blocks show one layer
/// alone (`CardCover`), and the *compose* stage draws them: from planes of luma and chroma where one
/// layer shows alone (`CodePlanes`, and kernels by `InstructionSet`), in linear light and through the ordinary encoder
/// elsewhere. Formats other than 8-bit 4:2:0 go that second way everywhere.
struct Fast: Sendable {
  private let layers: [Layer]
  private let framing: Framing
  private let encoder: FrameEncoder
  private let format: VideoFormat
  private let field: DisparityField
  private let rounds: Int
  private let kernels: InstructionSet
  private let roughness: SheetRoughness
  /// What the cards cover, the farthest first.
  private let covers: [CardCover]
  /// Of each layer; empty where blocks are drawn in linear light only.
  private let planes: [CodePlanes]
  private let lumaCodes: [UInt8]
  /// What every pose sees the cards from, where they stand still; nil where they do not.
  private let stillCamera: Camera?
  /// A frame of the loop, in all of which such cards are the same where they show alone; and where
  /// these do, strip by strip.
  private var still: (frame: Frame, shown: [Shown])?

  /// Which layer a block shows.
  private typealias Shown = Int8
  /// More than one.
  private static let several: Shown = -1
  /// More layers than are counted.
  private static let mostLayers = Int(Int8.max)
  /// Of a frame.
  static let leastPixels = 1 << 16

  /// Nil where the reference has to draw, which this decides alone: pictures with alpha, cards without
  /// a sheet behind them, a sheet whose lookup ends before it is at rest, views beyond the photo's
  /// edge, cards that are shown much smaller than they are, and frames so small that their detail is as
  /// fine as their pixels, which are quickly drawn anyhow.
  init?(
    layers: [Layer], framing: Framing, loop: Loop, format: VideoFormat,
    kernels: InstructionSet = .best
  ) async {
    guard format.alpha == .opaque, !framing.looksBeyond, layers.count <= Self.mostLayers,
      format.size.width * format.size.height >= Self.leastPixels,
      case .sheet(let field, let rounds) = layers.first?.shape, rounds == Method.sheetRounds,
      min(field.plane.width, field.plane.height) >= 2,
      layers.allSatisfy({ min($0.grid.size.width, $0.grid.size.height) >= 2 })
    else { return nil }
    let cameras = loop.extremes.map { framing.camera($0) }
    let pixel = 1 / (framing.window.scale * framing.crop)
    let encoder = FrameEncoder(format)
    let cards = layers.dropFirst()
    var covers: [CardCover] = []
    for card in cards {
      guard case .card(let disparity) = card.shape else { return nil }
      let step = cameras.map { $0.step(disparity: disparity) }.max()! * pixel * card.grid.density
      guard step.max() <= CardCover.largestStep else { return nil }
      covers.append(
        await CardCover(
          card, centre: framing.optics.centre, step: step, takesRowAbove: encoder.takesRowAbove))
    }
    (self.layers, self.framing, self.format) = (layers, framing, format)
    (self.field, self.rounds, self.covers, self.kernels) = (field, rounds, covers, kernels)
    self.encoder = encoder
    roughness = await SheetRoughness(field.plane)
    planes = await Self.planes(
      layers, cameras, kernels, field: field,
      corner: framing.window.photoPoint(.zero, crop: framing.crop),
      pixel: pixel, format: format)
    lumaCodes = planes.isEmpty ? [] : CodePlanes.lumaCodes(format)
    // A card stands still where it is pinned and keeps its size.
    let isStill = cards.allSatisfy { card in
      guard case .card(let disparity) = card.shape else { return false }
      let lines = cameras.map { camera in
        CardLine(card, disparity: disparity, from: .zero, step: pixel, camera: camera)
      }
      return lines.allSatisfy {
        $0.isLine(lines[0], count: format.size.longSide, within: pixel / 256)
      }
    }
    stillCamera = isStill ? cameras[0] : nil
    still = nil
    // Then their blocks are drawn once a loop.
    if isStill, !cards.isEmpty, loop.fixedPose == nil, !planes.isEmpty {
      let drawing = Drawing(self, cameras[0])
      still = (
        frame(loop.extremes[0]),
        stride(from: 0, to: format.size.height, by: SheetMap.rows).flatMap(drawing.shown)
      )
    }
  }

  /// The planes of every layer, `corner` being the photo point at the resting frame's; none where the
  /// format has no use for them, or the layers' samples lie so much closer or farther apart than
  /// pixels that filtered chroma would be another.
  private static func planes(
    _ layers: [Layer], _ cameras: [Camera], _ kernels: InstructionSet, field: DisparityField,
    corner: SIMD2<Double>, pixel: Double, format: VideoFormat
  ) async -> [CodePlanes] {
    guard BlockOutput(format) != nil else { return [] }
    let bounds = field.plane.withUnsafeSamples { [Double($0.min()!), Double($0.max()!)] }
    var planes: [CodePlanes] = []
    for layer in layers {
      let resting = pixel * layer.grid.density
      let disparities = if case .card(let disparity) = layer.shape { [disparity] } else { bounds }
      let steps = cameras.flatMap { camera in disparities.map { camera.step(disparity: $0) } }
      let (least, most) = (resting * steps.min()!, resting * steps.max()!)
      guard
        [resting.x, resting.y].allSatisfy(CodePlanes.restingSteps.contains),
        [least.min(), most.max()].allSatisfy(CodePlanes.steps.contains)
      else { return [] }
      let start = ((corner - layer.grid.origin) * layer.grid.density).x
      planes.append(
        await CodePlanes(
          layer, format: format, step: (least + most) / 2,
          start: Int(start.rounded(.toNearestOrAwayFromZero)), kernels: kernels))
    }
    return planes
  }

  /// The frame seen from `pose`.
  func frame(_ pose: Pose) -> Frame {
    var canvas = Canvas(format: format)
    let drawing = Drawing(self, framing.camera(pose))
    canvas.withUnsafeMutableBytes { drawing.draw(into: $0) }
    return canvas.finish()
  }

  /// The drawing of one frame.
  private final class Drawing {
    private let fast: Fast
    private let camera: Camera
    private let map: SheetMap
    private let output: BlockOutput?
    private let edgeBlocks: EdgeBlocks?
    private let width: Int
    private let height: Int
    private let blocks: Int
    /// Which layer alone each block of a strip shows: of the current one, and the one below.
    private var shown: UnsafeMutablePointer<Shown>
    private var shownBelow: UnsafeMutablePointer<Shown>
    /// Room for where each pixel of a row looks into the sheet.
    private let points: UnsafeMutablePointer<SIMD2<Float>>
    private let lumaLines: [SegmentRow]
    private let chromaLines: SegmentRow
    /// The numbers of the blocks of a strip that show a layer alone, of the eights among which they
    /// are, and room for their light.
    private let alone: UnsafeMutablePointer<Int32>
    private let eights: UnsafeMutablePointer<Int32>
    private let light: UnsafeMutablePointer<UInt16>
    /// Room for where the blocks of a strip look into a card: x and y, a row after the other.
    private let cardEdges: UnsafeMutablePointer<Float>
    /// Blocks in whole vectors.
    private let room: Int
    /// From a pixel to the next, in photo pixels at the crop.
    private let step: Double

    init(_ fast: Fast, _ camera: Camera) {
      self.fast = fast
      self.camera = camera
      map = SheetMap(
        SheetLookup(fast.field, rounds: fast.rounds, camera: camera), roughness: fast.roughness,
        framing: fast.framing, kernels: fast.kernels)
      output = fast.planes.isEmpty ? nil : BlockOutput(fast.format)
      (width, height) = (fast.format.size.width, fast.format.size.height)
      blocks = (width + SheetMap.pitch - 1) / SheetMap.pitch
      edgeBlocks =
        fast.planes.isEmpty
        ? nil
        : EdgeBlocks(
          fast.layers, fast.format, centre: camera.optics.centre, blocks: blocks,
          kernels: fast.kernels)
      (shown, shownBelow) = (.allocate(capacity: blocks), .allocate(capacity: blocks))
      shown.initialize(repeating: 0, count: blocks)
      shownBelow.initialize(repeating: 0, count: blocks)
      points = .allocate(capacity: blocks * SheetMap.pitch)
      points.initialize(repeating: .zero, count: blocks * SheetMap.pitch)
      room = (blocks + 7) / 8 * 8
      lumaLines = (0..<SheetMap.rows).map { [room] _ in SegmentRow(blocks: room) }
      chromaLines = SegmentRow(blocks: room)
      alone = .allocate(capacity: blocks)
      eights = .allocate(capacity: room / 8)
      light = .allocate(capacity: blocks * SheetMap.pitch)
      cardEdges = .allocate(capacity: 2 * SheetMap.rows * (room + 1))
      cardEdges.initialize(repeating: 0, count: 2 * SheetMap.rows * (room + 1))
      step = 1 / (fast.framing.window.scale * fast.framing.crop)
    }

    deinit {
      shown.deallocate()
      shownBelow.deallocate()
      points.deallocate()
      for line in lumaLines + [chromaLines] { line.deallocate() }
      alone.deallocate()
      eights.deallocate()
      light.deallocate()
      cardEdges.deallocate()
    }

    func draw(into bytes: UnsafeMutableRawBufferPointer) {
      let encoder = fast.encoder
      withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { linear in
        // Even what nothing shows of has to be a number.
        linear.initialize(repeating: .zero)
        ColourRow.withRows(encoder.rowsOfStrip, width: width) { rows in
          for top in stride(from: 0, to: height, by: SheetMap.rows) {
            if top == 0 { classify(top, into: shown) } else { swap(&shown, &shownBelow) }
            if top + SheetMap.rows < height { classify(top + SheetMap.rows, into: shownBelow) }
            map.move(to: top) { [shown, shownBelow] strip, block in
              (strip == top ? shown : shownBelow)[block] <= 0
            }
            let alone = drawAlone(top, into: bytes)
            let others = alone > 0 ? drawEdges(top, blocks: alone, into: bytes) : 0
            eachRunInLight(alone: alone, others: others) { columns in
              for strip in stride(
                from: top, to: min(top + SheetMap.rows, height), by: encoder.stripRows)
              {
                encoder.strip(strip, columns, linear: linear, rows: rows, into: bytes) {
                  y, columns, row in
                  drawInLight(y, columns, into: row)
                }
              }
            }
          }
        }
      }
    }

    /// What each block of the strip at `top` shows.
    func shown(_ top: Int) -> [Shown] {
      classify(top, into: shown)
      return Array(UnsafeBufferPointer(start: shown, count: blocks))
    }

    /// Finds out what each block of a strip shows.
    private func classify(_ top: Int, into shown: UnsafeMutablePointer<Shown>) {
      if let still = fast.still {
        still.shown.withUnsafeBufferPointer {
          shown.update(from: $0.baseAddress! + top / SheetMap.rows * blocks, count: blocks)
        }
        return
      }
      shown.update(repeating: 0, count: blocks)
      for (index, cover) in fast.covers.enumerated() {
        let line = cardLine(index + 1, row: top)
        cover.eachBlock(along: line, count: blocks) { block, cover in
          switch cover {
          case .none: break
          case .all: shown[block] = Shown(index + 1)
          case .some: shown[block] = Fast.several
          }
        }
      }
    }

    /// Draws the blocks that show one layer alone, where there are planes for it.
    ///
    /// - Returns: of how many blocks those were drawn; what is left has to be drawn in light.
    private func drawAlone(_ top: Int, into bytes: UnsafeMutableRawBufferPointer) -> Int {
      guard let output, top + SheetMap.rows <= height else { return 0 }
      let whole = width / SheetMap.pitch
      for index in fast.layers.indices {
        if index > 0, let still = fast.still {
          let shown = shown
          output.copyRuns(of: still.frame, into: bytes, top: top, blocks: whole) {
            shown[$0] == index
          }
        } else {
          drawAlone(index, output, top, blocks: whole, into: bytes)
        }
      }
      return whole
    }

    private func drawAlone(
      _ index: Int, _ output: BlockOutput, _ top: Int, blocks: Int,
      into bytes: UnsafeMutableRawBufferPointer
    ) {
      let (shown, map) = (shown, map)
      var (count, vectors) = (0, 0)
      for block in 0..<blocks where shown[block] == index && (index > 0 || map.isLinear(block)) {
        let eight = Int32(block / 8)
        if vectors == 0 || eights[vectors - 1] != eight {
          eights[vectors] = eight
          vectors += 1
        }
        alone[count] = Int32(block)
        count += 1
      }
      guard count > 0 else { return }
      let list = MSBlocks(numbers: alone, count: count)
      let wanted = MSBlocks(numbers: eights, count: vectors)
      let (planes, grid, kernels) = (fast.planes[index], fast.layers[index].grid, fast.kernels)
      let edges = (0..<SheetMap.rows).map { row in
        index == 0 ? map.edges(row: row) : cardEdges(index, top: top, row: row)
      }
      let centre = camera.optics.centre
      let pitch = Int32(SheetMap.pitch)
      planes.luma.withUnsafeSamples { luma in
        let samples = MSSamples(base: luma.baseAddress!, stride: planes.luma.width)
        let placing = planes.lumaPlacing(grid, centre: centre)
        for (row, edges) in edges.enumerated() {
          let segments = lumaLines[row].segments
          kernels.place(edges, edges, placing, pitch, wanted, segments)
          kernels.drawLuma(
            samples, segments, list, fast.lumaCodes, light, output.luma(bytes, row: top + row))
        }
      }
      planes.chroma.withUnsafeSamples { chroma in
        let samples = MSSamples(base: chroma.baseAddress!, stride: planes.chroma.width)
        kernels.place(
          edges[0], edges[output.isBetweenRows ? 1 : 0],
          planes.chromaPlacing(grid, centre: centre, isBetween: output.isBetweenColumns),
          pitch / 2, wanted, chromaLines.segments)
        kernels.drawChroma(samples, chromaLines.segments, list, output.chroma(bytes, top: top))
      }
    }

    /// Draws the blocks that show more than that, as far as they are drawn as such.
    ///
    /// - Returns: of how many blocks those were drawn.
    private func drawEdges(
      _ top: Int, blocks: Int, into bytes: UnsafeMutableRawBufferPointer
    ) -> Int {
      guard let output, let edgeBlocks else { return 0 }
      edgeBlocks.draw(top, shown: shown, blocks: blocks, map: map, output: output, into: bytes) {
        index, row in cardEdges(index, top: top, row: row)
      }
      return blocks
    }

    /// Where the blocks of a strip's row look into a card.
    private func cardEdges(_ index: Int, top: Int, row: Int) -> MSEdges {
      let line = cardLine(index, row: top + row)
      let x = cardEdges + 2 * row * (room + 1)
      let y = x + room + 1
      for node in 0...room {
        let point = line[node &* SheetMap.pitch]
        (x[node], y[node]) = (point.x, point.y)
      }
      return MSEdges(x: x, y: y)
    }

    /// Gives `body` the columns of each run of blocks that are left to be drawn in light.
    ///
    /// - Parameters:
    ///   - alone: of how many blocks those that show one layer alone are drawn.
    ///   - others: of how many the others.
    @inline(always)
    private func eachRunInLight(alone: Int, others: Int, _ body: (Range<Int>) -> Void) {
      if min(alone, others) == blocks { return }
      let (shown, map) = (shown, map)
      func isLeft(_ block: Int) -> Bool {
        let isAlone = shown[block] > 0 || shown[block] == 0 && map.isLinear(block)
        return block >= (isAlone ? alone : others)
      }
      var block = 0
      while block < blocks {
        let first = block
        while block < blocks, isLeft(block) { block += 1 }
        if block > first {
          body(first * SheetMap.pitch..<min(block * SheetMap.pitch, width))
        }
        block += 1
      }
    }

    /// Draws some columns of a row in linear light, each block from the layers that it shows.
    private func drawInLight(
      _ y: Int, _ columns: Range<Int>, into row: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
      let (centre, points, shown) = (camera.optics.centre, points, shown)
      for (index, layer) in fast.layers.enumerated() {
        let line = index > 0 ? cardLine(index, row: y) : nil
        let reach = line?.columns(of: width) ?? 0..<width
        var block = columns.lowerBound / SheetMap.pitch
        let end = (columns.upperBound + SheetMap.pitch - 1) / SheetMap.pitch
        func isShown(_ block: Int) -> Bool { shown[block] < 0 || shown[block] == index }
        while block < end {
          let first = block
          while block < end, isShown(block) {
            if line == nil {
              let (x, y) = map.points(row: y, block: block)
              for lane in 0..<Lanes.scalarCount {
                points[block &* SheetMap.pitch &+ lane] = SIMD2(x[lane], y[lane])
              }
            }
            block += 1
          }
          if block > first {
            let part = columns.clamped(to: first * SheetMap.pitch..<block * SheetMap.pitch)
            if let line {
              layer.lay(
                into: row, columns: part.clamped(to: reach), centre: centre, at: { line[$0] },
                put: { over, under in over + under * (1 - over.w) })
            } else {
              layer.lay(
                into: row, columns: part, centre: centre, at: { points[$0] },
                put: { over, _ in over })
            }
          }
          block += 1
        }
      }
    }

    /// Where a row looks into a card.
    private func cardLine(_ index: Int, row y: Int) -> CardLine {
      guard case .card(let disparity) = fast.layers[index].shape else {
        preconditionFailure("cards lie before the sheet")
      }
      let first =
        fast.framing.window.photoPoint(SIMD2(0.5, Double(y) + 0.5), crop: fast.framing.crop)
        - camera.optics.centre
      return CardLine(
        fast.layers[index], disparity: disparity, from: first, step: step,
        camera: fast.stillCamera ?? camera)
    }
  }
}
