/// The bouquet as one view sees it: each piece of a strand as a straight segment in output pixels,
/// and for each row the segments that touch it.
struct StrandRaster: Sendable {
  /// A piece of a strand, tapering from one end to the other.
  struct Segment: Sendable {
    var start: SIMD2<Float>
    var along: SIMD2<Float>
    /// At the start and at the end: half the width in pixels, and 1/Z as the rest camera has it.
    var halfWidth: SIMD2<Float>
    var nearness: SIMD2<Float>
    var colour: (SIMD4<Float>, SIMD4<Float>)
    var strand: Int32
  }

  private let segments: [Segment]
  /// The segments of row y are `order[first[y]..<first[y + 1]]`.
  private let first: [Int32]
  private let order: [Int32]
  private let width: Int

  init(_ bouquet: Bouquet, seenFrom view: Viewpoint) {
    let height = view.size.height
    width = view.size.width
    var segments: [Segment] = []
    var rows: [(Int32, Int32)] = []
    segments.reserveCapacity(bouquet.strands.count * 7)
    var counts = [Int32](repeating: 0, count: height + 1)
    for (index, strand) in bouquet.strands.enumerated() {
      var before: (seen: SIMD2<Float>, halfWidth: Float, point: Strand.Point)?
      for point in strand.points {
        let distance = point.place.z - view.origin.z
        guard distance > 0.01 else {
          before = nil
          continue
        }
        let seen = view.project(point.place)
        let halfWidth = point.halfWidth / (distance * view.pixel)
        defer { before = (seen, halfWidth, point) }
        guard let start = before else { continue }
        let reach = max(halfWidth, start.halfWidth) + 1
        let top = min(seen.y, start.seen.y) - reach
        let bottom = max(seen.y, start.seen.y) + reach
        let left = min(seen.x, start.seen.x) - reach
        let right = max(seen.x, start.seen.x) + reach
        guard bottom > 0, top < Float(height), right > 0, left < Float(width) else { continue }
        segments.append(
          Segment(
            start: start.seen, along: seen - start.seen,
            halfWidth: SIMD2(start.halfWidth, halfWidth),
            nearness: SIMD2(1 / start.point.place.z, 1 / point.place.z),
            colour: (start.point.colour, point.colour), strand: Int32(index)))
        let range = (Int32(max(top, 0)), Int32(min(bottom, Float(height - 1))))
        rows.append(range)
        for row in range.0...range.1 { counts[Int(row) + 1] += 1 }
      }
    }
    for row in 0..<height { counts[row + 1] += counts[row] }
    var next = counts
    var order = [Int32](repeating: 0, count: Int(counts[height]))
    for (index, range) in rows.enumerated() {
      for row in range.0...range.1 {
        order[Int(next[Int(row)])] = Int32(index)
        next[Int(row)] += 1
      }
    }
    (self.segments, self.order, first) = (segments, order, counts)
  }

  /// What one strand covers of one pixel.
  struct Fragment {
    var nearness: Float
    var coverage: Float
    var colour: SIMD4<Float>
    var strand: Int32
    /// The fragment behind it in the same pixel; −1 for none.
    var next: Int32
  }

  /// Draws a row. `heads[x]` becomes the nearest fragment of pixel x, an index into `fragments`, −1
  /// where there is none; from there on they are chained away from the camera.
  func draw(
    row y: Int, heads: UnsafeMutableBufferPointer<Int32>, fragments: inout [Fragment]
  ) {
    heads.initialize(repeating: -1)
    fragments.removeAll(keepingCapacity: true)
    segments.withUnsafeBufferPointer { segments in
      for place in Int(first[y])..<Int(first[y + 1]) {
        draw(segments[Int(order[place])], Float(y) + 0.5, heads, &fragments)
      }
    }
  }

  private func draw(
    _ segment: Segment, _ y: Float, _ heads: UnsafeMutableBufferPointer<Int32>,
    _ fragments: inout [Fragment]
  ) {
    let along = segment.along
    let square = (along * along).sum()
    let length = square.squareRoot()
    let reach = max(segment.halfWidth.x, segment.halfWidth.y) + 0.75
    let end = segment.start + along
    var left = min(segment.start.x, end.x) - reach
    var right = max(segment.start.x, end.x) + reach
    let steep = along.y < 0 ? -along.y : along.y
    if steep > 1e-3 * length, steep > 0 {
      let middle = segment.start.x + (y - segment.start.y) * along.x / along.y
      let half = reach * length / steep
      left = max(left, middle - half)
      right = min(right, middle + half)
    }
    let low = Int(max(left, 0))
    let high = Int(min(right, Float(width) - 0.5))
    guard right > 0, low <= high else { return }
    for x in low...high {
      let offset = SIMD2(Float(x) + 0.5, y) - segment.start
      let part = square > 1e-12 ? min(max((offset * along).sum() / square, 0), 1) : 0
      let across = offset - along * part
      let distance = (across * across).sum().squareRoot()
      let half = segment.halfWidth.x + (segment.halfWidth.y - segment.halfWidth.x) * part
      let coverage = min(distance + 0.5, half) - max(distance - 0.5, -half)
      guard coverage > 0.001 else { continue }
      // Round: brighter towards the light, upper left, as far as a width of pixels can show it.
      let bend = (across.x * 0.86 + across.y * 0.5) * half / ((half + 0.5) * (half + 0.5))
      insert(
        Fragment(
          nearness: segment.nearness.x + (segment.nearness.y - segment.nearness.x) * part,
          coverage: min(coverage, 1),
          colour: mix(segment.colour.0, segment.colour.1, part) * (1 - 0.42 * bend),
          strand: segment.strand, next: -1),
        at: x, heads, &fragments)
    }
  }

  /// Puts a fragment in its place by depth. A strand covers a pixel once: where two of its pieces
  /// meet, the one that covers more counts.
  private func insert(
    _ fragment: Fragment, at x: Int, _ heads: UnsafeMutableBufferPointer<Int32>,
    _ fragments: inout [Fragment]
  ) {
    var before: Int32 = -1
    var here = heads[x]
    var place: Int32?
    while here >= 0 {
      let there = fragments[Int(here)]
      if there.strand == fragment.strand {
        if fragment.coverage > there.coverage {
          fragments[Int(here)].coverage = fragment.coverage
          fragments[Int(here)].colour = fragment.colour
        }
        return
      }
      if place == nil, there.nearness < fragment.nearness { place = before }
      before = here
      here = there.next
    }
    let after = place ?? before
    let index = Int32(fragments.count)
    fragments.append(fragment)
    if after < 0 {
      fragments[Int(index)].next = heads[x]
      heads[x] = index
    } else {
      fragments[Int(index)].next = fragments[Int(after)].next
      fragments[Int(after)].next = index
    }
  }
}
