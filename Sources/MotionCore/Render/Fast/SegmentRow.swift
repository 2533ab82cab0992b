internal import CVector

/// Room for where the blocks of a row look into a plane; `deallocate` frees it.
struct SegmentRow {
  let segments: MSSegments
  private let base: UnsafeMutablePointer<Int32>

  /// - Parameter blocks: a multiple of eight.
  init(blocks: Int) {
    let fields = 6
    base = .allocate(capacity: fields * blocks)
    base.initialize(repeating: 0, count: fields * blocks)
    segments = MSSegments(
      first: base, place: base + blocks, step: base + 2 * blocks, down: base + 3 * blocks,
      fall: base + 4 * blocks, kind: base + 5 * blocks)
  }

  func deallocate() { base.deallocate() }
}

extension CodePlanes {
  /// From photo points relative to the principal point to places in the luma.
  func lumaPlacing(_ grid: Grid, centre: SIMD2<Double>) -> MSPlacing {
    let offset = (centre - grid.origin) * grid.density - 0.5 + Double(Self.padding)
    return MSPlacing(
      scaleX: Float(grid.density.x), scaleY: Float(grid.density.y), offsetX: Float(offset.x),
      offsetY: Float(offset.y), lastX: Float(luma.width - 14), lastY: Float(luma.height - 4),
      lead: 0, stride: Int32(luma.width))
  }

  /// To places in the chroma: of a block's first site from its first pixel.
  func chromaPlacing(_ grid: Grid, centre: SIMD2<Double>, isBetween: Bool) -> MSPlacing {
    let offset = (centre - grid.origin) * grid.density - 0.5
    return MSPlacing(
      scaleX: Float(grid.density.x / 2), scaleY: Float(grid.density.y),
      offsetX: Float((offset.x - Double(chromaOffset.x)) / 2 + Double(Self.padding)),
      offsetY: Float(offset.y - Double(chromaOffset.y) + Double(Self.padding)),
      lastX: Float(chroma.width / 2 - 14), lastY: Float(chroma.height - 4),
      lead: isBetween ? 0.5 / Float(SheetMap.pitch) : 0, stride: Int32(chroma.width))
  }
}
