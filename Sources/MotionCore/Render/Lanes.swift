/// Eight values at once, for arithmetic that waits for memory or is too much for one at a time.
typealias Lanes = SIMD8<Float>

extension Lanes {
  /// Clamped to 0…`last`; what is not a number becomes 0.
  @inline(always)
  func clamped(to last: Float) -> Lanes {
    let above = Lanes.zero.replacing(with: self, where: self .> Lanes.zero)
    let last = Lanes(repeating: last)
    return above.replacing(with: last, where: above .> last)
  }

  /// The pair of neighbours that each value, 0…2²², lies between: the lower one, at most `last`, as a
  /// number and as an index. A whole number may be the upper one of its pair.
  @inline(always)
  func cell(last: Float) -> (lower: Lanes, index: SIMD8<Int32>) {
    let lower = (self - 0.5).nearest.value
    let last = Lanes(repeating: last)
    let bounded = lower.replacing(with: last, where: lower .> last)
    return (bounded, bounded.nearest.index)
  }

  /// The nearest whole number to each value, -2²²…2²², the even one of two.
  @inline(always)
  var nearest: (value: Lanes, index: SIMD8<Int32>) {
    // Beside this number single precision holds whole numbers only, in its low bits.
    let whole = Lanes(repeating: 0x1.8p23)
    let shifted = self + whole
    return (shifted - whole, shifted.bits &- whole.bits)
  }

  /// Whole numbers below 2²³.
  @inline(always)
  init(small values: SIMD8<UInt32>) {
    // In the low bits of that number they are added to it.
    let bits = values | SIMD8<UInt32>(repeating: 0x4B00_0000)
    self = unsafeBitCast(bits, to: Lanes.self) - Lanes(repeating: 0x1p23)
  }

  @inline(always)
  private var bits: SIMD8<Int32> { unsafeBitCast(self, to: SIMD8<Int32>.self) }
}
