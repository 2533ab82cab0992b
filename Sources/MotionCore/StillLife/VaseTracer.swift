/// Finds the vase along a ray and its outline along a row.
///
/// `unsafe`: holds the profile's memory inside `Vase.withTracer`; every index is clamped into it.
struct VaseTracer {
  let axis: SIMD2<Float>
  let top: Float
  let bottom: Float
  let largestRadius: Float
  let profile: UnsafePointer<SIMD4<Float>>

  /// Where a ray meets the vase.
  struct Hit {
    let t: Float
    let place: SIMD3<Float>
    /// The profile there; unused on the mouth.
    let profile: SIMD4<Float>
    /// Whether it is the opening, taken as a flat dark lid, and not the wall of the pot.
    let isMouth: Bool
  }

  /// The profile at height `y`, held at its ends outside the pot.
  @inline(__always)
  func at(_ y: Float) -> SIMD4<Float> {
    let place = (y - top) / (bottom - top) * Float(Vase.steps)
    let kept = min(max(place, 0), Float(Vase.steps) - 0.001)
    let index = Int(kept)
    return profile[index] + (profile[index &+ 1] - profile[index]) * (kept - Float(index))
  }

  /// Where the ray from `origin` along (dx, dy, 1) first meets the vase, given that it does.
  @inline(__always)
  func hit(_ origin: SIMD3<Float>, _ dx: Float, _ dy: Float) -> Hit {
    let (ox, oz) = (origin.x - axis.x, origin.z - axis.y)
    let square = dx * dx + 1
    // The cylinder around the whole vase.
    let half = (ox * dx + oz) / square
    let beyond = half * half - (ox * ox + oz * oz - largestRadius * largestRadius) / square
    var t = -half - max(beyond, 0).squareRoot()
    if dy > 0, origin.y < top {
      let lid = (top - origin.y) / dy
      if lid > t {
        t = lid
        let (x, z) = (ox + lid * dx, oz + lid)
        let radius = profile[0].x
        if x * x + z * z <= radius * radius {
          let place = SIMD3(origin.x + lid * dx, top, origin.z + lid)
          return Hit(t: lid, place: place, profile: profile[0], isMouth: true)
        }
      }
    }
    // Newton from outside: what is solved bends one way only, so no step goes too far.
    var here = SIMD4<Float>.zero
    for _ in 0..<14 {
      let (x, z) = (ox + t * dx, oz + t)
      here = at(origin.y + t * dy)
      let value = x * x + z * z - here.x * here.x
      let slope = 2 * (x * dx + z - here.x * (here.y + here.z) * dy)
      guard slope < -1e-6 else { break }
      let step = value / slope
      t -= step
      if step > -1e-6 { break }
    }
    let place = SIMD3(origin.x + t * dx, origin.y + t * dy, origin.z + t)
    return Hit(t: t, place: place, profile: here, isMouth: false)
  }

  /// The directions dx between which rays of the row `dy` meet the vase; nil when none does.
  func span(_ origin: SIMD3<Float>, _ dy: Float) -> ClosedRange<Float>? {
    var near = axis.y - largestRadius - origin.z
    var far = axis.y + largestRadius - origin.z
    let (upper, lower) = (top - origin.y, bottom - origin.y)
    if dy > 1e-9 {
      near = max(near, upper / dy)
      far = min(far, lower / dy)
    } else if dy < -1e-9 {
      near = max(near, lower / dy)
      far = min(far, upper / dy)
    } else if upper > 0 || lower < 0 {
      return nil
    }
    guard near <= far, near > 0 else { return nil }
    guard let right = extreme(origin, dy, near, far, side: 1),
      let left = extreme(origin, dy, near, far, side: -1), left <= right
    else { return nil }
    return left...right
  }

  /// The outermost direction on one side over all the slices of the pot that the row cuts.
  private func extreme(
    _ origin: SIMD3<Float>, _ dy: Float, _ near: Float, _ far: Float, side: Float
  ) -> Float? {
    let none = -Float.greatestFiniteMagnitude
    func reach(_ t: Float) -> Float {
      let radius = at(origin.y + t * dy).x
      let z = origin.z + t - axis.y
      let square = radius * radius - z * z
      guard square >= 0 else { return none }
      return (square.squareRoot() + side * (axis.x - origin.x)) / t
    }
    let pieces = 16
    var (best, bestReach) = (near, none)
    for piece in 0...pieces {
      let t = near + (far - near) * (Float(piece) / Float(pieces))
      let found = reach(t)
      if found > bestReach { (best, bestReach) = (t, found) }
    }
    guard bestReach > none else { return nil }
    var step = (far - near) / Float(pieces) / 2
    for _ in 0..<12 {
      let (before, after) = (max(best - step, near), min(best + step, far))
      let (reachBefore, reachAfter) = (reach(before), reach(after))
      if reachBefore > bestReach { (best, bestReach) = (before, reachBefore) }
      if reachAfter > bestReach { (best, bestReach) = (after, reachAfter) }
      step /= 2
    }
    return side * bestReach
  }

  /// How dark the vase's own shadow is at shadow coordinates, 0…1, for light of `slope`.
  func shade(_ at: SIMD2<Float>, slope: SIMD2<Float>, softness: Float) -> Float {
    let middle = at + slope * axis.y
    let margin = largestRadius * (1.2 + slope.x) + softness
    guard abs(middle.x - axis.x) < margin, middle.y > top - margin, middle.y < bottom + margin
    else { return 0 }
    var nearest = Float.greatestFiniteMagnitude
    for piece in -10...10 {
      let z = largestRadius * Float(piece) / 10
      let y = middle.y + slope.y * z
      guard y >= top, y <= bottom else { continue }
      let x = middle.x + slope.x * z - axis.x
      nearest = min(nearest, (x * x + z * z).squareRoot() - self.at(y).x)
    }
    return 1 - smoothStep(-softness, softness, nearest)
  }
}
