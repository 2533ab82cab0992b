public import CVector

/// Turns the edges of the blocks of a row into segments of a plane.
///
/// - Parameters:
///   - upper, lower: of two rows, between which the segments lie; the same for those of a row.
///   - pixels: of a block along the row.
///   - eights: the blocks that are wanted, eight by eight: 1 is the second eight. There is an edge
///     behind the last of them.
public func placeSegments(
  _ upper: MSEdges, _ lower: MSEdges, _ placing: MSPlacing, pixels: Int32, _ eights: MSBlocks,
  into segments: MSSegments
) {
  typealias Wide = SIMD8<Int32>
  let unit = Float(1 &<< Blend.bits)
  let perStep = unit / Float(pixels)
  let whole = Wide(repeating: Blend.bits)
  let last = Wide(repeating: pixels &- 1)
  for index in 0..<eights.count {
    let block = Int(eights.numbers[index]) &* 8
    @inline(always) func load(_ values: UnsafePointer<Float>) -> SIMD8<Float> {
      UnsafeRawPointer(values + block).loadUnaligned(as: SIMD8<Float>.self)
    }
    @inline(always)
    func line(
      _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ scale: Float,
      _ offset: Float, _ last: Float
    ) -> (at: SIMD8<Float>, across: SIMD8<Float>) {
      @inline(always) func edge(_ next: Int) -> SIMD8<Float> {
        (load(upper + next) + load(lower + next)) * (0.5 * scale) + offset
      }
      let (from, to) = (edge(0), edge(1))
      let across = to - from
      @inline(always) func inside(_ place: SIMD8<Float>) -> SIMD8<Float> {
        let least = SIMD8<Float>(repeating: Segment.least)
        let above = least.replacing(with: place, where: place .> least)
        let most = SIMD8<Float>(repeating: last)
        return above.replacing(with: most, where: above .> most)
      }
      let start = inside(from + across * placing.lead)
      return (start, inside(to + across * placing.lead) - start)
    }
    let x = line(upper.x, lower.x, placing.scaleX, placing.offsetX, placing.lastX)
    let y = line(upper.y, lower.y, placing.scaleY, placing.offsetY, placing.lastY)

    let at = msNearest(x.at * unit)
    let step = msNearest(x.across * perStep) &- Wide(repeating: 1 &<< Blend.bits)
    // What is all but on a row of samples lies on it.
    let level = msNearest(y.at * Segment.levels) &<< Wide(repeating: Segment.levelBits)
    let fall = msNearest(y.across * perStep)

    @inline(always)
    func begin(_ at: Wide, _ step: Wide) -> (whole: Wide, place: Wide, most: Wide) {
      let drift = step &* last
      let begin = (at &+ msMinimum(drift, .zero)) &>> whole
      let place = at &- begin &<< whole
      return (begin, place, place &+ msMaximum(drift, .zero))
    }
    let column = begin(at, step)
    let row = begin(level, fall)
    let taps = column.most &>> whole
    let rows = (row.most &>> whole &+ .one).replacing(
      with: Wide.zero, where: row.most .== Wide.zero)
    let isApart = (taps .> Wide(repeating: 3)) .| (rows .> Wide(repeating: 2))
    let kind = (msMaximum(taps &- .one, .zero) &+ rows &+ rows &+ rows).replacing(
      with: Wide(repeating: Int32(MSSegmentsApart)), where: isApart)

    @inline(always) func put(_ values: Wide, _ into: UnsafeMutablePointer<Int32>) {
      UnsafeMutableRawPointer(into + block).storeBytes(of: values, as: Wide.self)
    }
    put(row.whole &* Wide(repeating: placing.stride) &+ column.whole, segments.first)
    put(column.place, segments.place)
    put(step, segments.step)
    put(row.place, segments.down)
    put(fall, segments.fall)
    put(kind, segments.kind)
  }
}

/// The same block by block.
public func placeSegmentsPlainly(
  _ upper: MSEdges, _ lower: MSEdges, _ placing: MSPlacing, pixels: Int32, _ eights: MSBlocks,
  into segments: MSSegments
) {
  let unit: Int32 = 1 &<< Blend.bits
  let perStep = Float(unit) / Float(pixels)
  func nearest(_ value: Float) -> Int32 { Int32(value.sign == .minus ? value - 0.5 : value + 0.5) }
  func line(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ block: Int, _ scale: Float,
    _ offset: Float, _ last: Float
  ) -> (at: Float, across: Float) {
    func edge(_ edge: Int) -> Float { (upper[edge] + lower[edge]) * (0.5 * scale) + offset }
    let (from, to) = (edge(block), edge(block + 1))
    let before = (to - from) * placing.lead
    func inside(_ place: Float) -> Float {
      place > Segment.least ? (place > last ? last : place) : Segment.least
    }
    let start = inside(from + before)
    return (start, inside(to + before) - start)
  }
  for index in 0..<8 * eights.count {
    let block = 8 * Int(eights.numbers[index / 8]) + index % 8
    let x = line(upper.x, lower.x, block, placing.scaleX, placing.offsetX, placing.lastX)
    let y = line(upper.y, lower.y, block, placing.scaleY, placing.offsetY, placing.lastY)
    let (at, step) = (nearest(x.at * Float(unit)), nearest(x.across * perStep) - unit)
    let level = nearest(y.at * Segment.levels) << Segment.levelBits
    let fall = nearest(y.across * perStep)
    let column = (at + min(0, step * (pixels - 1))) >> Blend.bits
    let row = (level + min(0, fall * (pixels - 1))) >> Blend.bits
    let (place, down) = (at - column << Blend.bits, level - row << Blend.bits)
    let taps = (place + max(0, step * (pixels - 1))) >> Blend.bits
    let lowest = down + max(0, fall * (pixels - 1))
    let rows = lowest == 0 ? 0 : lowest >> Blend.bits + 1
    segments.first[block] = row * placing.stride + column
    segments.place[block] = place
    segments.step[block] = step
    segments.down[block] = down
    segments.fall[block] = fall
    segments.kind[block] =
      taps > 3 || rows > 2 ? Int32(MSSegmentsApart) : max(taps - 1, 0) + 3 * rows
  }
}

enum Segment {
  /// The smallest place that may be looked at.
  @inline(always) static var least: Float { 2 }
  /// Places between two rows that are told apart.
  @inline(always) static var levels: Float { 256 }
  @inline(always) static var levelBits: Int32 { 6 }
}
