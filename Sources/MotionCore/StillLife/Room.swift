/// The background: a plaster wall with a framed print, and a table of boards against it.
struct Room: Sendable {
  let composition: Composition
  let daylight: Daylight
  private let print: Print

  init(composition: Composition, daylight: Daylight) {
    self.composition = composition
    self.daylight = daylight
    print = Print(composition: composition)
  }

  /// Paints the background of one row of a view, but where `hidden` is 1, and gives its 1/Z at rest.
  ///
  /// No view is rolled or tilted, so a row shows the wall or the table, or in one row a bit of both:
  /// that row is shared in proportion.
  func paint(
    row y: Int, of view: Viewpoint, shadow: ShadowMap.Sampler,
    into colour: UnsafeMutableBufferPointer<SIMD4<Float>>, hidden: UnsafePointer<Float>
  ) -> Float {
    let dy = view.row(Double(y) + 0.5)
    let toWall = composition.wall - view.origin.z
    let edge = (composition.table - view.origin.y) / toWall
    let wallShare = boxStep(edge - dy, footprint: view.pixel)
    if wallShare > 0 {
      let height = min(view.origin.y + dy * toWall, composition.table)
      paintWall(height, toWall, view, shadow, colour, hidden)
    }
    guard wallShare < 1 else { return 1 / composition.wall }
    let toTable = min((composition.table - view.origin.y) / max(dy, 1e-6), toWall)
    paintTable(toTable, view, shadow, colour, share: 1 - wallShare, hidden)
    return 1 / (wallShare > 0.5 ? composition.wall : view.origin.z + toTable)
  }

  // MARK: The wall

  private func paintWall(
    _ y: Float, _ distance: Float, _ view: Viewpoint, _ shadow: ShadowMap.Sampler,
    _ colour: UnsafeMutableBufferPointer<SIMD4<Float>>, _ hidden: UnsafePointer<Float>
  ) {
    let footprint = view.pixel * distance
    let z = composition.wall
    let v = y - daylight.slope.y * z
    let rows = daylight.rows(v)
    // The corner where the wall meets the table is the darkest place of the room.
    let above = composition.table - y
    let corner = 1 - 0.42 / (1 + above * above * 260) - 0.12 / (1 + above * above * 14)
    let height = y / max(composition.halfHeight * z, 1e-6)
    let middle = Noise.visible(frequency: 11, footprint: footprint)
    let fine = Noise.visible(frequency: 70, footprint: footprint)
    let plaster = light(0.80, 0.745, 0.665)
    let room = light(0.300, 0.292, 0.285)
    for x in 0..<colour.count where hidden[x] < 1 {
      let place = view.origin.x + view.column(Double(x) + 0.5) * distance
      let u = place - daylight.slope.x * z
      // Each scale is turned against the others, or the lattice would show through.
      let broad = Noise.value(place * 1.3 + y * 0.9, y * 1.5 - place * 0.7)
      let strokes = Noise.value(
        place * 4.1 + y * 2.3 + broad, y * 10.7 - place * 3.9 + broad * 1.5)
      var texture = 0.035 * broad + middle * 0.038 * strokes
      if fine > 0 {
        texture +=
          fine * (0.035 + 0.02 * strokes)
          * Noise.value(place * 61 + y * 33, y * 66 - place * 29 + strokes)
      }
      let across = place / max(composition.halfWidth * z, 1e-6)
      let dim = (0.90 - 0.20 * across - 0.14 * height) * corner
      var direct = daylight.columns(u) * rows
      if direct > 0 { direct *= 1 - 0.85 * shadow(u, v).y }
      let fall = 0.95 - 0.10 * across - 0.05 * height
      let received = room * dim + Daylight.sun * (direct * fall * 0.80 * (0.5 + 0.5 * corner))
      let albedo = print.colour(place, y, wall: plaster * (1 + texture), footprint: footprint)
      colour[x] = albedo * received
    }
  }

  // MARK: The table

  private func paintTable(
    _ distance: Float, _ view: Viewpoint, _ shadow: ShadowMap.Sampler,
    _ colour: UnsafeMutableBufferPointer<SIMD4<Float>>, share: Float, _ hidden: UnsafePointer<Float>
  ) {
    let y = composition.table
    let z = view.origin.z + distance
    let across = view.pixel * distance
    let into = across * distance / max(y - view.origin.y, 1e-3)
    let v = y - daylight.slope.y * z
    let rows = daylight.rows(v)
    let boards = Boards(z: z, footprint: SIMD2(across, into))
    let behind = composition.wall - z
    let corner = 1 - 0.50 / (1 + behind * behind * 60)
    // The sharp shadow near the vase, the blurred one with the distance from it.
    let blur = smoothStep(0, 0.7, z - composition.axis.y)
    let cool = light(0.30, 0.315, 0.335)
    for x in 0..<colour.count where hidden[x] < 1 {
      let place = view.origin.x + view.column(Double(x) + 0.5) * distance
      let u = place - daylight.slope.x * z
      let dx = place - composition.axis.x
      let dz = z - composition.axis.y
      let square = (dx * dx + dz * dz) / (composition.radius * composition.radius)
      let contact = 1 - 0.85 / (1 + square * square * 3.2) - 0.20 / (1 + square * 0.6)
      var direct = daylight.columns(u) * rows
      if direct > 0 {
        let dark = shadow(u, v)
        direct *= 1 - 0.92 * (dark.x + (dark.y - dark.x) * blur)
      }
      let received =
        cool * (corner * contact) + Daylight.sun * (direct * 0.85 * (0.6 + 0.4 * corner))
      let lit = boards.colour(place) * received
      colour[x] = share < 1 ? mix(colour[x], lit, share) : lit
    }
  }
}
