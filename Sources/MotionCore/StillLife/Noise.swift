/// Smooth noise and random numbers from integer hashes: the same on every machine.
enum Noise {
  /// Value noise, −1…1, smooth, with one random value at each whole-numbered point.
  @inline(__always)
  static func value(_ x: Float, _ y: Float) -> Float {
    let (column, u) = split(x)
    let (row, v) = split(y)
    let upper = mix(lattice(column, row), lattice(column &+ 1, row), u)
    let lower = mix(lattice(column, row &+ 1), lattice(column &+ 1, row &+ 1), u)
    return mix(upper, lower, v)
  }

  /// How much of a texture of so many periods a unit is left when a pixel is `footprint` units
  /// wide: all of it at four pixels a period, nothing at two.
  @inline(__always)
  static func visible(frequency: Float, footprint: Float) -> Float {
    min(max(2 - 4 * frequency * footprint, 0), 1)
  }

  /// The random value, −1…1, of a point of the lattice.
  @inline(__always)
  static func lattice(_ x: Int32, _ y: Int32) -> Float {
    var hash = UInt32(bitPattern: x) &* 0x9E37_79B1 ^ UInt32(bitPattern: y) &* 0x85EB_CA77
    hash = (hash ^ hash &>> 15) &* 0x2C1B_3C6D
    hash ^= hash &>> 13
    return Float(Int32(bitPattern: hash) &>> 8) * 0x1p-23
  }

  /// The whole number below `x`, and the way from there to the next, eased.
  @inline(__always)
  private static func split(_ x: Float) -> (Int32, Float) {
    // A conversion and a comparison: `floor` is a call on baseline x86-64.
    let truncated = Int32(x)
    let below = x < Float(truncated) ? truncated &- 1 : truncated
    let part = x - Float(below)
    return (below, part * part * (3 - 2 * part))
  }
}

/// A random sequence (SplitMix64).
struct RandomSequence {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The next number, 0…1.
  mutating func next() -> Float {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits &>> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits &>> 27) &* 0x94D0_49BB_1331_11EB
    return Float((bits ^ bits &>> 31) &>> 40) * 0x1p-24
  }

  /// The next number in a range.
  mutating func next(_ range: ClosedRange<Float>) -> Float {
    range.lowerBound + (range.upperBound - range.lowerBound) * next()
  }

  /// A direction, each as likely as any other.
  mutating func direction() -> SIMD3<Float> {
    while true {
      let point = SIMD3(next(-1...1), next(-1...1), next(-1...1))
      let square = (point * point).sum()
      if square > 0.01, square <= 1 { return point / square.squareRoot() }
    }
  }
}

@inline(__always)
func mix(_ a: Float, _ b: Float, _ part: Float) -> Float { a + (b - a) * part }

@inline(__always)
func mix(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ part: Float) -> SIMD4<Float> {
  a + (b - a) * part
}

/// 0 below `low`, 1 above `high`, a smooth step between.
@inline(__always)
func smoothStep(_ low: Float, _ high: Float, _ x: Float) -> Float {
  let part = min(max((x - low) / (high - low), 0), 1)
  return part * part * (3 - 2 * part)
}

/// How much of a pixel `footprint` wide, centred at `x`, lies on the positive side of 0.
@inline(__always)
func boxStep(_ x: Float, footprint: Float) -> Float { min(max(x / footprint + 0.5, 0), 1) }

@inline(__always)
func unit(_ v: SIMD3<Float>) -> SIMD3<Float> { v / (v * v).sum().squareRoot() }

@inline(__always)
func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { a.x * b.x + a.y * b.y + a.z * b.z }

/// A colour in linear light, not covered by anything: the fourth number is free.
@inline(__always)
func light(_ red: Float, _ green: Float, _ blue: Float) -> SIMD4<Float> {
  SIMD4(red, green, blue, 0)
}
