/// The colour of the vase: a deep blue-green glaze that breaks to brown where it runs thin.
///
/// What looks like a reflection is painted on: it is worked out for the camera that took the photo
/// and belongs to the place on the vase. Highlights that moved would be no layer's fault, and no
/// layered picture could follow them.
struct Glaze: Sendable {
  private let axis: SIMD2<Float>
  private let top: Float
  private let height: Float
  private let scale: Float
  private let daylight: Daylight
  /// Two directions across the light: to its right, and down.
  private let across: SIMD3<Float>
  private let down: SIMD3<Float>

  init(composition: Composition, daylight: Daylight) {
    axis = composition.axis
    top = composition.mouth
    height = composition.height
    scale = composition.scale
    self.daylight = daylight
    let source = daylight.source
    across = unit(SIMD3(-source.z, 0, source.x))
    down = SIMD3(
      source.y * across.z - source.z * across.y, source.z * across.x - source.x * across.z,
      source.x * across.y - source.y * across.x)
  }

  /// The light that leaves the vase at `hit`; `footprint` is a pixel's width there.
  func colour(_ hit: VaseTracer.Hit, footprint: Float) -> SIMD4<Float> {
    let radial = SIMD2(hit.place.x - axis.x, hit.place.z - axis.y)
    let radius = (radial * radial).sum().squareRoot()
    let part = (hit.place.y - top) / height
    if hit.isMouth { return mouth(radial / max(hit.profile.x, 1e-6)) }

    let detail = Noise.visible(frequency: 16 / height, footprint: footprint)
    let slope = hit.profile.y + hit.profile.z * detail
    let normal = unit(SIMD3(radial.x / radius, -slope, radial.y / radius))
    let rib = hit.profile.w * detail

    // The glaze: thin at the lip and on the crests, in runs and specks elsewhere.
    let x = radial.x / scale
    let y = hit.place.y / scale
    let runs = Noise.value(x * 46 + 7, y * 11 + x * 9)
    let clouds = Noise.value(x * 22, y * 18 + 3)
    let thin =
      smoothStep(0.45, 1.15, rib + 0.55 * runs) * 0.36 + (1 - smoothStep(0.012, 0.045, part)) * 0.8
    let deep = mix(light(0.010, 0.062, 0.080), light(0.020, 0.118, 0.124), 0.5 + 0.3 * clouds)
    var albedo = mix(deep, light(0.20, 0.135, 0.060), min(thin * (0.85 + 0.3 * runs), 1))
    albedo *= 1 + 0.12 * runs
    // Iron specks of the clay under the glaze.
    albedo *= 1 - 0.45 * speck(x, y, footprint / scale)
    // The foot stands out of the glaze: bare stoneware, with a wavering edge.
    let bare = boxStep(part - 0.955 - 0.006 * runs, footprint: footprint / height + 0.002)
    albedo = mix(albedo, light(0.30, 0.215, 0.145) * (1 + 0.08 * clouds), bare)

    let facing = dot(normal, daylight.source)
    let direct = max((facing + 0.05) / 1.05, 0) * daylight.window(hit.place)
    var result =
      albedo * (ambient(normal, part) + Daylight.sun * (1.45 * direct * (0.35 + 0.65 * facing)))
    result += reflection(hit.place, normal) * (1 - 0.9 * bare) * (1 - 0.35 * min(thin, 1))
    return result
  }

  /// How much of a pixel is an iron speck: round, of any size, one in every third cell or so.
  private func speck(_ x: Float, _ y: Float, _ footprint: Float) -> Float {
    let cell: Float = 0.0062
    let (column, row) = (Int32(x / cell + 4096), Int32(y / cell + 4096))
    let size = Noise.lattice(column, row &+ 5000) - 0.3
    guard size > 0 else { return 0 }
    let reach = size * 0.0024
    let room = cell / 2 - reach
    let centreX = (Float(column) - 4095.5) * cell + room * Noise.lattice(column &+ 9000, row)
    let centreY = (Float(row) - 4095.5) * cell + room * Noise.lattice(column, row &+ 9000)
    let (dx, dy) = (x - centreX, y - centreY)
    let soft = max(footprint, 0.0005)
    let inside = boxStep(reach - (dx * dx + dy * dy).squareRoot(), footprint: soft)
    return inside * min(reach / soft, 1)
  }

  /// The light of the room: cool from the window's side, warm off the table.
  private func ambient(_ normal: SIMD3<Float>, _ part: Float) -> SIMD4<Float> {
    let side = 0.5 - 0.5 * normal.x
    let below = max(normal.y, 0)
    let room = mix(light(0.10, 0.105, 0.115), light(0.34, 0.37, 0.40), side * side)
    let bounce = light(0.22, 0.13, 0.07) * (below * (0.4 + part))
    return (room + bounce) * (1 - 0.55 * smoothStep(0.80, 1.0, part))
  }

  /// What the glaze mirrors: the window with its bars, and the pale room at a glancing angle.
  private func reflection(_ place: SIMD3<Float>, _ normal: SIMD3<Float>) -> SIMD4<Float> {
    let seen = unit(place) * -1
    let facing = max(dot(normal, seen), 0)
    let mirrored = normal * (2 * facing) - seen
    let glance = 1 - facing
    let fresnel = 0.04 + 0.55 * glance * glance * glance * glance
    let room = mix(
      light(0.30, 0.29, 0.27), light(0.20, 0.12, 0.06), smoothStep(-0.1, 0.3, mirrored.y))
    var result = room * fresnel
    let towards = dot(mirrored, daylight.source)
    if towards > 0.2 {
      let x = dot(mirrored, across) / towards
      let y = dot(mirrored, down) / towards
      let pane =
        pulse(x, 0.36, 0.10) * pulse(y, 0.56, 0.16) * (1 - 0.7 * pulse(x, 0.010, 0.050))
        * (1 - 0.6 * pulse(y + 0.1, 0.010, 0.060))
      result += light(0.47, 0.48, 0.485) * (pane * (0.55 + 0.45 * fresnel))
      // The glaze is not quite smooth: a sheen around the window.
      let sheen = towards * towards
      result += light(0.060, 0.058, 0.054) * (sheen * sheen)
    }
    return result
  }

  /// 1 within `half` of 0, soft at its edges.
  private func pulse(_ x: Float, _ half: Float, _ soft: Float) -> Float {
    1 - smoothStep(half - soft, half + soft, x < 0 ? -x : x)
  }

  /// The opening: dark, with the inside of the far wall catching some light.
  private func mouth(_ at: SIMD2<Float>) -> SIMD4<Float> {
    let far = smoothStep(0.35, 1.0, at.y) * (0.55 + 0.45 * smoothStep(-0.6, 0.8, at.x))
    return mix(light(0.006, 0.010, 0.010), light(0.060, 0.105, 0.095), far)
  }
}
