/// The table's wood along one line parallel to the wall: boards that run from left to right.
struct Boards {
  private static let width: Float = 0.21

  private let z: Float
  private let board: Int32
  /// How much of a pixel's depth is the dark gap between two boards.
  private let gap: Float
  private let tone: Float
  private let bands: Float
  private let fibres: Float

  /// - Parameter footprint: a pixel's size on the table, along and across the boards.
  init(z: Float, footprint: SIMD2<Float>) {
    self.z = z
    let place = z / Self.width + 0.62
    board = Int32(place)
    let inside = (place - Float(board)) * Self.width
    let edge = min(inside, Self.width - inside)
    let half: Float = 0.0013
    let reach = footprint.y / 2
    gap = max(min(edge + reach, half) - max(edge - reach, -half), 0) / footprint.y
    tone = 1 + 0.16 * Noise.lattice(board, 77)
    bands = Noise.visible(frequency: 34, footprint: footprint.y)
    fibres = Noise.visible(frequency: 150, footprint: footprint.y)
  }

  /// The wood's colour at `x`.
  @inline(__always)
  func colour(_ x: Float) -> SIMD4<Float> {
    let own = Float(board) * 17.3
    // Year rings: lines along the board that wander and crowd.
    let wander = Noise.value(x * 1.9 + own, z * 5 + own)
    let ring = Noise.value(x * 0.7 + own, z * 34 + wander * 2.4)
    let broad = Noise.value(x * 0.9 - own, z * 9 + wander)
    var grain = 0.20 * broad + 0.26 * ring * bands
    if fibres > 0 { grain += fibres * 0.16 * Noise.value(x * 9 + own, z * 150) }
    let pale = light(0.50, 0.295, 0.150)
    let dark = light(0.255, 0.125, 0.054)
    let wood = mix(dark, pale, min(max(0.55 + grain * 1.2, 0), 1)) * tone
    return wood * (1 - 0.75 * gap)
  }
}
