/// Draws one view of the still life, row by row.
struct StillLifeRenderer: Sendable {
  /// What one output pixel sees.
  struct Texel {
    /// Linear light; w is how much of the pixel the subject covers.
    var colour: SIMD4<Float>
    /// 1/Z at rest of what the pixel sees first.
    var nearness: Float
  }

  /// Lines within a row on which the vase's outline is taken, exactly across and sampled down.
  private static var lines: Int { 16 }

  let view: Viewpoint
  private let room: Room
  private let vase: Vase
  private let glaze: Glaze
  private let shadow: ShadowMap
  private let strands: StrandRaster

  init(_ scene: StillLife, view: Viewpoint) {
    self.view = view
    (room, vase, glaze, shadow) = (scene.room, scene.vase, scene.glaze, scene.shadow)
    strands = StrandRaster(scene.bouquet, seenFrom: view)
  }

  /// The view as a plane of anything that a pixel can be packed into, its rows on all cores.
  func plane<Sample: BitwiseCopyable & Sendable>(
    _ pack: @Sendable @escaping (Texel) -> Sample
  ) async -> Plane<Sample> {
    await Plane(
      width: view.size.width, height: view.size.height,
      concurrentFill: { y, row in
        vase.withTracer { tracer in
          shadow.withSampler { sampler in
            draw(y, tracer, sampler) { x, texel in row[x] = pack(texel) }
          }
        }
      })
  }

  private func draw(
    _ y: Int, _ tracer: VaseTracer, _ sampler: ShadowMap.Sampler, _ put: (Int, Texel) -> Void
  ) {
    let width = view.size.width
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { colour in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { coverage in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: width) { heads in
          // Hidden pixels stay unpainted, and even nothing of them must be a number.
          colour.initialize(repeating: .zero)
          let spans = outline(y, tracer, into: coverage)
          let behind = room.paint(
            row: y, of: view, shadow: sampler, into: colour, hidden: coverage.baseAddress!)
          var fragments: [StrandRaster.Fragment] = []
          strands.draw(row: y, heads: heads, fragments: &fragments)
          for x in 0..<width {
            if coverage[x] == 0, heads[x] < 0 {
              put(x, Texel(colour: colour[x], nearness: behind))
              continue
            }
            var pot = Texel(colour: .zero, nearness: 0)
            if coverage[x] > 0 {
              pot = paintVase(x, spans, tracer)
              pot.colour.w = coverage[x]
            }
            put(
              x,
              Self.resolve(
                Texel(colour: colour[x], nearness: behind), pot: pot, first: heads[x], fragments))
          }
        }
      }
    }
  }

  /// Lays everything that a pixel sees over each other, from the nearest on.
  ///
  /// Things that overlap within a pixel are taken to cover it independently of each other. The
  /// pixel's depth is that of the thing with which half the pixel is covered.
  ///
  /// - Parameter pot: the vase, with how much of the pixel it covers in w; 0 for no vase.
  private static func resolve(
    _ background: Texel, pot: Texel, first: Int32, _ fragments: [StrandRaster.Fragment]
  ) -> Texel {
    var pile = Pile(nearness: background.nearness)
    var potWaits = pot.colour.w > 0
    var here = first
    while here >= 0 {
      let fragment = fragments[Int(here)]
      if potWaits, pot.nearness > fragment.nearness {
        pile.lay(pot.colour, pot.colour.w, pot.nearness)
        potWaits = false
      }
      pile.lay(fragment.colour, fragment.coverage, fragment.nearness)
      here = fragment.next
    }
    if potWaits { pile.lay(pot.colour, pot.colour.w, pot.nearness) }
    var colour = pile.sum + background.colour * pile.clear
    colour.w = 1 - pile.clear
    return Texel(colour: colour, nearness: pile.nearness)
  }

  /// What a pixel has seen so far, from the nearest thing on.
  private struct Pile {
    var sum = SIMD4<Float>.zero
    /// How much of the pixel is still open to what lies behind.
    var clear: Float = 1
    var nearness: Float

    @inline(__always)
    mutating func lay(_ colour: SIMD4<Float>, _ coverage: Float, _ near: Float) {
      sum += colour * (clear * coverage)
      let left = clear * (1 - coverage)
      if clear >= 0.5, left < 0.5 { nearness = near }
      clear = left
    }
  }

  // MARK: The vase

  /// One line of a row: its direction and where it cuts the vase.
  private struct Line {
    let dy: Float
    let span: ClosedRange<Float>
  }

  /// Finds how much of each pixel of a row the vase covers.
  private func outline(
    _ y: Int, _ tracer: VaseTracer, into coverage: UnsafeMutableBufferPointer<Float>
  ) -> [Line] {
    coverage.initialize(repeating: 0)
    let lines = Self.lines
    var found: [Line] = []
    let left = view.column(0)
    for line in 0..<lines {
      let dy = view.row(Double(y) + (Double(line) + 0.5) / Double(lines))
      guard let span = tracer.span(view.origin, dy) else { continue }
      found.append(Line(dy: dy, span: span))
      let from = min(max((span.lowerBound - left) / view.pixel, 0), Float(coverage.count))
      let to = min(max((span.upperBound - left) / view.pixel, 0), Float(coverage.count))
      guard from < to else { continue }
      for x in Int(from)...min(Int(to), coverage.count - 1) {
        let share = min(to, Float(x + 1)) - max(from, Float(x))
        coverage[x] += max(share, 0) / Float(lines)
      }
    }
    // Shares of a whole pixel add up to a whole.
    for x in 0..<coverage.count where coverage[x] > 1 - 1e-5 { coverage[x] = 1 }
    return found
  }

  /// The vase's colour and 1/Z in a pixel that it covers at least in part.
  private func paintVase(_ x: Int, _ lines: [Line], _ tracer: VaseTracer) -> Texel {
    let centre = view.column(Double(x) + 0.5)
    var best = lines[lines.count / 2]
    var miss = Float.greatestFiniteMagnitude
    if lines.count < Self.lines || !best.span.contains(centre) {
      for line in lines {
        let off = max(line.span.lowerBound - centre, centre - line.span.upperBound)
        if off < miss { (best, miss) = (line, off) }
      }
    }
    let (hit, colour) = look(centre, best, tracer)
    // Where the lip bends into the mouth the colour jumps inside a pixel.
    let close = hit.t * view.pixel * 3
    guard hit.place.y - tracer.top < close, view.origin.y < tracer.top else {
      return Texel(colour: colour, nearness: 1 / hit.place.z)
    }
    var sum = SIMD4<Float>.zero
    for line in lines {
      for part in 0..<4 {
        sum += look(view.column(Double(x) + (Double(part) + 0.5) / 4), line, tracer).1
      }
    }
    return Texel(colour: sum / Float(lines.count * 4), nearness: 1 / hit.place.z)
  }

  /// Looks along a line at `dx`, or at the outline's inside where that misses the vase.
  private func look(
    _ dx: Float, _ line: Line, _ tracer: VaseTracer
  ) -> (VaseTracer.Hit, SIMD4<Float>) {
    let inset = min(0.04 * view.pixel, (line.span.upperBound - line.span.lowerBound) / 2)
    let inside = min(max(dx, line.span.lowerBound + inset), line.span.upperBound - inset)
    let hit = tracer.hit(view.origin, inside, line.dy)
    return (hit, glaze.colour(hit, footprint: view.pixel * hit.t))
  }
}
