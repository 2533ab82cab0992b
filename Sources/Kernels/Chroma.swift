public import CVector

/// Draws the four sites of Cb and of Cr of blocks of a row.
///
/// - Parameters:
///   - samples: codes in 1/256, in each row those of Cb and, half a stride further, those of Cr.
///     Segments must stay inside by eight samples and two rows.
///   - target: where the row's first block stands.
public func drawChroma(
  _ samples: MSSamples, along segments: MSSegments, _ blocks: MSBlocks, into target: MSChromaTarget
) {
  let (base, stride, ramp) = (samples.base, samples.stride, Chroma.ramp)
  for index in 0..<blocks.count {
    let block = Int(blocks.numbers[index])
    let kind = segments.kind[block]
    Blend.ask(samples, segments, blocks, before: index, planes: 2)
    if kind == MSSegmentsApart {
      Chroma.drawPlainly(samples, segments, block, into: target)
      continue
    }
    @inline(always) func splat(_ values: UnsafePointer<Int32>) -> SIMD8<UInt16> {
      SIMD8(repeating: UInt16(truncatingIfNeeded: values[block]))
    }
    let first = base + Int(segments.first[block])
    let second = first + stride / 2
    let value = Blend.samples(
      { msLoadTwo(first + $0, second + $0) }, stride: stride,
      place: splat(segments.place) &+ ramp &* splat(segments.step),
      down: splat(segments.down) &+ ramp &* splat(segments.fall), kind: kind)
    let codes = msHighBytes(value &+ SIMD8(repeating: Chroma.half &+ Blend.making(upFor: kind)))
    Chroma.put(codes, block, into: target)
  }
}

/// The same site by site.
public func drawChromaPlainly(
  _ samples: MSSamples, along segments: MSSegments, _ blocks: MSBlocks, into target: MSChromaTarget
) {
  for index in 0..<blocks.count {
    Chroma.drawPlainly(samples, segments, Int(blocks.numbers[index]), into: target)
  }
}

enum Chroma {
  /// Of a block, in each direction that has fewer.
  @inline(always) static var sites: Int { 4 }
  @inline(always) static var ramp: SIMD8<UInt16> { SIMD8(0, 1, 2, 3, 0, 1, 2, 3) }
  /// Half a code.
  @inline(always) static var half: UInt16 { 128 }

  /// Puts four codes of Cb and four of Cr where a block's stand.
  @inline(always)
  static func put(_ codes: SIMD8<UInt8>, _ block: Int, into target: MSChromaTarget) {
    let both = unsafeBitCast(codes, to: UInt64.self)
    let at = block &* sites &* target.step
    if target.step == 1 {
      UnsafeMutableRawPointer(target.cb + at).storeBytes(
        of: UInt32(truncatingIfNeeded: both), as: UInt32.self)
      UnsafeMutableRawPointer(target.cr + at).storeBytes(
        of: UInt32(truncatingIfNeeded: both &>> 32), as: UInt32.self)
      return
    }
    for site in 0..<sites {
      target.cb[at &+ site &* target.step] = UInt8(truncatingIfNeeded: both &>> (8 &* site))
      target.cr[at &+ site &* target.step] = UInt8(truncatingIfNeeded: both &>> (8 &* site &+ 32))
    }
  }

  @inline(always)
  static func drawPlainly(
    _ samples: MSSamples, _ segments: MSSegments, _ block: Int, into target: MSChromaTarget
  ) {
    let (first, kind) = (samples.base + Int(segments.first[block]), segments.kind[block])
    for site in 0..<sites {
      @inline(always) func code(_ first: UnsafePointer<UInt16>) -> UInt8 {
        let k = Int32(truncatingIfNeeded: site)
        let value = Blend.samplePlainly(
          first + site, stride: samples.stride,
          place: segments.place[block] &+ k &* segments.step[block],
          down: segments.down[block] &+ k &* segments.fall[block], kind: kind)
        return UInt8(truncatingIfNeeded: (value &+ half &+ Blend.making(upFor: kind)) &>> 8)
      }
      let at = (block &* sites &+ site) &* target.step
      target.cb[at] = code(first)
      target.cr[at] = code(first + samples.stride / 2)
    }
  }
}
