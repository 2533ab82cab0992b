internal import CVector

/// Eight samples at the places of a segment, each bilinear: what luma and chroma have in common.
///
/// Places are in 1/16384 of a sample, so that a place up to four samples away is a 16-bit number whose
/// two highest bits are the whole samples.
enum Blend {
  typealias Samples = SIMD8<UInt16>

  /// The first kind of segment that lies between rows.
  @inline(always) private static var between: Int32 { 3 }

  /// How many blocks before a block is drawn its samples are asked for, with those of some behind it.
  @inline(always) static var lead: Int { 24 }

  /// The samples that lie lowest of what a segment looks at, from its first one.
  @inline(always)
  static func lowest(_ kind: Int32, stride: Int) -> Int { Int(kind / 3) &* stride }

  /// Bits of a place that are parts of a sample.
  @inline(always) static var bits: Int32 { 14 }

  /// - Parameters:
  ///   - load: the samples from so many on behind the segment's first one.
  ///   - place, down: of each sample.
  @inline(always)
  static func samples(
    _ load: (_ at: Int) -> Samples, stride: Int, place: Samples, down: Samples, kind: Int32
  ) -> Samples {
    let share = place &<< Samples(repeating: 2)
    let isNext = msSpreadHighest(place &<< Samples(repeating: 1))
    let isBehind = msSpreadHighest(place)
    @inline(always) func all(_ row: (_ at: Int) -> Samples, rows: Int32) -> Samples {
      if rows == 0 { return row(0) }
      let (above, below) = (row(0), row(stride))
      let share = down &<< Samples(repeating: 2)
      if rows == 1 { return mix(above, below, share) }
      let last = row(2 &* stride)
      let isBelow = msSpreadHighest(down &<< Samples(repeating: 1))
      return mix(msSelect(isBelow, below, above), msSelect(isBelow, last, below), share)
    }
    @inline(always) func near(_ at: Int) -> Samples {
      let (own, next, third) = (load(at), load(at &+ 1), load(at &+ 2))
      return mix(msSelect(isNext, next, own), msSelect(isNext, third, next), share)
    }
    @inline(always) func far(_ at: Int) -> Samples {
      let (next, third) = (load(at &+ 1), load(at &+ 2))
      let left = msSelect(isBehind, third, msSelect(isNext, next, load(at)))
      let right = msSelect(isBehind, load(at &+ 3), msSelect(isNext, third, next))
      return mix(left, right, share)
    }
    @inline(always) func farthest(_ at: Int) -> Samples {
      let (next, third, fourth) = (load(at &+ 1), load(at &+ 2), load(at &+ 3))
      let left = msSelect(
        isBehind, msSelect(isNext, fourth, third), msSelect(isNext, next, load(at)))
      let right = msSelect(
        isBehind, msSelect(isNext, load(at &+ 4), fourth), msSelect(isNext, third, next))
      return mix(left, right, share)
    }
    // Whether pixels leave the first pair at all is not told apart: it changes from block to block, and
    // a branch that cannot be foreseen takes longer than the selection.
    switch kind {
    case 0: return all(near, rows: 0)
    case 1: return all(far, rows: 0)
    case 2: return all(farthest, rows: 0)
    case 3: return all(near, rows: 1)
    case 4: return all(far, rows: 1)
    case 5: return all(farthest, rows: 1)
    case 6: return all(near, rows: 2)
    case 7: return all(far, rows: 2)
    default: return all(farthest, rows: 2)
    }
  }

  /// What lies between samples, by up to three units less than exactly.
  @inline(always)
  private static func mix(_ a: Samples, _ b: Samples, _ share: Samples) -> Samples {
    msHigh(a, ~share) &+ msHigh(b, share)
  }

  /// What makes up for that where one or two such mixtures were made.
  @inline(always)
  static func making(upFor kind: Int32) -> UInt16 { kind < between ? 1 : 3 }

  /// Pixel `k` of a segment alone: the plain twin, and the way of segments that are no other's.
  @inline(always)
  static func samplePlainly(
    _ first: UnsafePointer<UInt16>, stride: Int, place: Int32, down: Int32, kind: Int32
  ) -> UInt16 {
    let at = first + (Int(down &>> bits) &* stride &+ Int(place &>> bits))
    @inline(always) func mix(_ a: UInt16, _ b: UInt16, _ place: Int32) -> UInt16 {
      let share = UInt32(truncatingIfNeeded: place &<< 2) & 0xFFFF
      let sum = (UInt32(a) &* (0xFFFF &- share)) &>> 16 &+ (UInt32(b) &* share) &>> 16
      return UInt16(truncatingIfNeeded: sum)
    }
    let above = mix(at[0], at[1], place)
    if kind < between { return above }
    return mix(above, mix(at[stride], at[stride &+ 1], place), down)
  }
}
