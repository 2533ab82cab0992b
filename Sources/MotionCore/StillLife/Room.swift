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
    let plaster = light(0.80, 0.755, 0.69)
    let cool = light(0.245, 0.262, 0.285)
    for x in 0..<colour.count where hidden[x] < 1 {
      let place = view.origin.x + view.column(Double(x) + 0.5) * distance
      let u = place - daylight.slope.x * z
      var texture = 0.040 * Noise.value(place * 1.7, y * 1.7)
      texture += middle * 0.030 * Noise.value(place * 5 + y * 3, y * 11 - place * 2)
      if fine > 0 {
        texture += fine * 0.024 * Noise.value(place * 70, y * 62)
      }
      let across = place / max(composition.halfWidth * z, 1e-6)
      let room = (0.92 - 0.16 * across - 0.10 * height) * corner
      var direct = daylight.columns(u) * rows
      if direct > 0 { direct *= 1 - 0.85 * shadow(u, v).y }
      let fall = 0.95 - 0.10 * across - 0.05 * height
      let received = cool * room + Daylight.sun * (direct * fall * 0.80 * (0.5 + 0.5 * corner))
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
