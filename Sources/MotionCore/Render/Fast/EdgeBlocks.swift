internal import CVector

/// The compose stage of the fast renderer where several layers show, or a sheet is torn: blocks of
/// 8-bit 4:2:0 in linear light, pixel by pixel.
///
/// The reference's way for a list of blocks instead of rows; the encoder's strips are its plain twin.
final class EdgeBlocks {
  private let kernels: InstructionSet
  private let layers: [Layer]
  private let offsets: [SIMD2<Double>]
  private let luma: MSMatrixRow
  private let cb: MSMatrixRow
  private let cr: MSMatrixRow
  private let filter: MSSiteFilter
  /// Numbers of blocks: those of a torn sheet alone, then torn ones with cards, then those with cards.
  private let numbers: UnsafeMutablePointer<Int32>
  private let x: UnsafeMutablePointer<Float>
  private let y: UnsafeMutablePointer<Float>
  private let places: MSPlaces
  private let light: UnsafeMutablePointer<SIMD4<Float>>
  /// R', G' and B' of the pixels of a row, one behind the other, of two rows.
  private let encoded: UnsafeMutablePointer<Float>
  private let room: Int

  /// Nil for other formats, and where chroma takes a part of the row above.
  init?(
    _ layers: [Layer], _ format: VideoFormat, centre: SIMD2<Double>, blocks: Int,
    kernels: InstructionSet
  ) {
    guard let plane = format.pixelFormat.planes.dropFirst().first, BlockOutput(format) != nil,
      let filter = ChromaFilter(plane, format.siting), !filter.takesRowAbove
    else { return nil }
    self.kernels = kernels
    self.layers = layers
    offsets = layers.map { (centre - $0.grid.origin) * $0.grid.density - 0.5 }
    func matrix(_ component: Component) -> MSMatrixRow {
      guard case .colour(let weights, let offset) = FrameEncoder.source(component, format) else {
        preconditionFailure("luma and chroma are made of colour")
      }
      return MSMatrixRow(red: weights.x, green: weights.y, blue: weights.z, offset: offset)
    }
    (luma, cb, cr) = (matrix(.luma), matrix(.cb), matrix(.cr))
    self.filter = MSSiteFilter(
      upper: filter.rows.y, lower: filter.rows.z, left: filter.columns.x, own: filter.columns.y,
      right: filter.columns.z)
    room = SheetMap.pixels(blocks: blocks)
    numbers = .allocate(capacity: blocks)
    x = .allocate(capacity: room)
    y = .allocate(capacity: room)
    places = MSPlaces(
      first: .allocate(capacity: room), across: .allocate(capacity: room),
      down: .allocate(capacity: room))
    light = .allocate(capacity: room)
    encoded = .allocate(capacity: SheetMap.rows * 3 * room)
    numbers.initialize(repeating: 0, count: blocks)
    x.initialize(repeating: 0, count: room)
    y.initialize(repeating: 0, count: room)
    light.initialize(repeating: .zero, count: room)
    encoded.initialize(repeating: 0, count: SheetMap.rows * 3 * room)
  }

  deinit {
    numbers.deallocate()
    x.deallocate()
    y.deallocate()
    places.first.deallocate()
    places.across.deallocate()
    places.down.deallocate()
    light.deallocate()
    encoded.deallocate()
  }

  /// Draws those of the blocks of the strip at `top` that are no other stage's.
  ///
  /// - Parameters:
  ///   - shown: which layer alone each block shows, or below 0.
  ///   - cardEdges: where the strip's rows look into a card.
  func draw(
    _ top: Int, shown: UnsafePointer<Int8>, blocks: Int, map: SheetMap, output: BlockOutput,
    into bytes: UnsafeMutableRawBufferPointer, cardEdges: (_ index: Int, _ row: Int) -> MSEdges
  ) {
    var (uncovered, torn, count) = (0, 0, 0)
    for block in 0..<blocks where shown[block] <= 0 {
      let (isCovered, isTorn) = (shown[block] < 0, !map.isLinear(block))
      if !isCovered && !isTorn { continue }
      // It goes behind those of its kind, and the first of each later kind behind its own.
      numbers[count] = Int32(block)
      count += 1
      if !isTorn { continue }
      swap(torn, count - 1)
      torn += 1
      if isCovered { continue }
      swap(uncovered, torn - 1)
      uncovered += 1
    }
    if count == 0 { return }
    let list = MSBlocks(numbers: numbers, count: count)
    let pixels = ((SheetMap.pitch + 1) * count + 7) / 8 * 8
    for row in 0..<SheetMap.rows {
      map.place(row: row, list, torn: torn, x: x, y: y)
      lay(0, from: 0, pixels)
      for index in layers.indices.dropFirst() {
        kernels.placePixels(cardEdges(index, row), list, 0, x, y)
        lay(index, from: uncovered * SheetMap.pitch, pixels)
      }
      let encoded = encoded + row * 3 * room
      TransferFunction.sRGB.withTable { kernels.encodeLight(light, pixels, $0, $1, encoded) }
      kernels.putLuma(encoded, pixels, list, luma, output.luma(bytes, row: top + row))
    }
    kernels.putChroma(
      encoded, encoded + 3 * room, pixels, list, filter, cb, cr, output.chroma(bytes, top: top))
  }

  private func swap(_ a: Int, _ b: Int) {
    (numbers[a], numbers[b]) = (numbers[b], numbers[a])
  }

  private func lay(_ index: Int, from first: Int, _ pixels: Int) {
    let (grid, offset) = (layers[index].grid, offsets[index])
    let (width, height) = (grid.size.width, grid.size.height)
    layers[index].colour.withUnsafeSamples { colour in
      let layer = MSColours(
        colour: colour.baseAddress!, width: Int32(width), lastX: Float(width - 1),
        lastY: Float(height - 1), lastPairX: Float(width - 2), lastPairY: Float(height - 2),
        densityX: Float(grid.density.x), densityY: Float(grid.density.y), offsetX: Float(offset.x),
        offsetY: Float(offset.y))
      kernels.layColour(
        layer, x + first, y + first, pixels - first, index > 0, places, light + first)
    }
  }
}
