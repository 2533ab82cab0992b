internal import CVector

/// Eight samples at the places of a segment, each bilinear: what luma and chroma have in common.
///
/// Places are in 1/16384 of a sample, so that a place up to four samples away is a 16-bit number whose
/// two highest bits are the whole samples.
enum Blend {
  typealias Samples = SIMD8<UInt16>

  /// The first kind of segment that lies between rows.
  @inline(always) private static var between: Int32 { 3 }

  /// How many blocks before a block is drawn its samples are asked for.
  @inline(always) private static var lead: Int { 24 }

  /// Asks for the lowest samples that a later block looks at: every fourth one's, since neighbours
  /// share lines of the cache.
  ///
  /// - Parameter planes: in each row of the samples, one behind the other.
  @inline(always)
  static func ask(
    _ samples: MSSamples, _ segments: MSSegments, _ blocks: MSBlocks, before index: Int, planes: Int
  ) {
    guard index & 3 == 0, index &+ lead < blocks.count else { return }
    let block = Int(blocks.numbers[index &+ lead])
    let rows = Int(segments.kind[block] / between)
    let lowest = samples.base + (Int(segments.first[block]) &+ rows &* samples.stride)
    msPrefetch(lowest)
    if planes == 2 { msPrefetch(lowest + samples.stride / 2) }
  }

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
    let isOneOn = msSpreadHighest(place &<< Samples(repeating: 1))
    let isTwoOn = msSpreadHighest(place)
    @inline(always) func all(_ row: (_ at: Int) -> Samples, rows: Int32) -> Samples {
      if rows == 0 { return row(0) }
      let (above, below) = (row(0), row(stride))
      let share = down &<< Samples(repeating: 2)
      if rows == 1 { return mix(above, below, share) }
      let last = row(2 &* stride)
      let isBelow = msSpreadHighest(down &<< Samples(repeating: 1))
      return mix(msSelect(isBelow, below, above), msSelect(isBelow, last, below), share)
    }
    @inline(always) func withinOne(_ at: Int) -> Samples {
      let (own, next, third) = (load(at), load(at &+ 1), load(at &+ 2))
      return mix(msSelect(isOneOn, next, own), msSelect(isOneOn, third, next), share)
    }
    @inline(always) func withinTwo(_ at: Int) -> Samples {
      let (next, third) = (load(at &+ 1), load(at &+ 2))
      let left = msSelect(isTwoOn, third, msSelect(isOneOn, next, load(at)))
      let right = msSelect(isTwoOn, load(at &+ 3), msSelect(isOneOn, third, next))
      return mix(left, right, share)
    }
    @inline(always) func withinThree(_ at: Int) -> Samples {
      let (next, third, fourth) = (load(at &+ 1), load(at &+ 2), load(at &+ 3))
      let left = msSelect(
        isTwoOn, msSelect(isOneOn, fourth, third), msSelect(isOneOn, next, load(at)))
      let right = msSelect(
        isTwoOn, msSelect(isOneOn, load(at &+ 4), fourth), msSelect(isOneOn, third, next))
      return mix(left, right, share)
    }
    // Whether pixels leave the first pair at all is not told apart: it changes from block to block, and
    // a branch that cannot be foreseen takes longer than the selection.
    switch kind {
    case 0: return all(withinOne, rows: 0)
    case 1: return all(withinTwo, rows: 0)
    case 2: return all(withinThree, rows: 0)
    case 3: return all(withinOne, rows: 1)
    case 4: return all(withinTwo, rows: 1)
    case 5: return all(withinThree, rows: 1)
    case 6: return all(withinOne, rows: 2)
    case 7: return all(withinTwo, rows: 2)
    default: return all(withinThree, rows: 2)
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
