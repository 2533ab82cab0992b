/// Where everything stands in the still life, fitted to the shape of the picture.
///
/// The scene's own unit is the distance of the vase's axis from the camera that took the photo. That
/// camera stands at the origin and looks along +z; x points right and y down. Lengths across the
/// picture are therefore tangents for whatever stands at the axis.
struct Composition: Sendable {
  /// Half the picture's width and height as tangents: what the lens takes in.
  let halfWidth: Float
  let halfHeight: Float
  /// The vase and the bouquet are this much larger than in a 16:9 picture.
  let scale: Float
  /// The height (y) of the table's top.
  let table: Float
  /// The distance (z) of the wall.
  let wall: Float
  /// The vase's axis: its x and z.
  let axis: SIMD2<Float>
  /// The vase's largest radius and its height.
  let radius: Float
  let height: Float
  /// How far daylight runs to the right and down while it runs one unit towards the wall.
  let daylight: SIMD2<Float>

  /// The height (y) of the vase's mouth.
  var mouth: Float { table - height }

  init(size: Size, optics: Optics) {
    halfWidth = Float(Double(size.width) / 2 / optics.focal)
    halfHeight = Float(Double(size.height) / 2 / optics.focal)
    let short = min(halfWidth, halfHeight)
    scale = min(max(short / 0.379, 0.84), 1.2)
    table = 0.11 + 0.475 * halfHeight
    wall = 1.9
    axis = SIMD2(-0.05 * halfWidth, 1)
    radius = 0.098 * scale
    height = 0.25 * scale
    daylight = SIMD2(0.16 + 0.66 * halfWidth, 0.24)
  }
}
