public import CVector

/// Draws blocks of eight luma codes of a row.
///
/// - Parameters:
///   - samples: linear light, 0…`lightMost`. Segments must stay inside by twelve samples and two rows.
///   - codes: of each of the 8192 steps of light.
///   - light: room for eight numbers a block.
///   - out: where the row's first block stands.
public func drawLuma(
  _ samples: MSSamples, along segments: MSSegments, _ blocks: MSBlocks,
  codes: UnsafePointer<UInt8>, light: UnsafeMutablePointer<UInt16>,
  into out: UnsafeMutablePointer<UInt8>
) {
  let (base, stride, ramp) = (samples.base, samples.stride, Luma.ramp)
  // First where each pixel's code stands, of all blocks, so that the lookups do not wait.
  for index in 0..<blocks.count {
    let block = Int(blocks.numbers[index])
    let kind = segments.kind[block]
    Blend.ask(samples, segments, blocks, before: index, planes: 1)
    let place = light + (index &* Luma.pixels)
    if kind == MSSegmentsApart {
      Luma.stepsPlainly(samples, segments, block, into: place)
      continue
    }
    @inline(always) func splat(_ values: UnsafePointer<Int32>) -> SIMD8<UInt16> {
      SIMD8(repeating: UInt16(truncatingIfNeeded: values[block]))
    }
    let first = base + Int(segments.first[block])
    let value = Blend.samples(
      { UnsafeRawPointer(first + $0).loadUnaligned(as: SIMD8<UInt16>.self) }, stride: stride,
      place: splat(segments.place) &+ ramp &* splat(segments.step),
      down: splat(segments.down) &+ ramp &* splat(segments.fall), kind: kind)
    let steps =
      (value &+ SIMD8(repeating: Luma.half &+ Blend.making(upFor: kind))) &>> SIMD8(repeating: 3)
    UnsafeMutableRawPointer(place).storeBytes(of: steps, as: SIMD8<UInt16>.self)
  }
  for index in 0..<blocks.count {
    let steps = light + (index &* Luma.pixels)
    let target = out + Int(blocks.numbers[index]) &* Luma.pixels
    for pixel in 0..<Luma.pixels { target[pixel] = codes[Int(steps[pixel])] }
  }
}

/// The same pixel by pixel.
public func drawLumaPlainly(
  _ samples: MSSamples, along segments: MSSegments, _ blocks: MSBlocks,
  codes: UnsafePointer<UInt8>, light: UnsafeMutablePointer<UInt16>,
  into out: UnsafeMutablePointer<UInt8>
) {
  for index in 0..<blocks.count {
    let block = Int(blocks.numbers[index])
    Luma.stepsPlainly(samples, segments, block, into: light)
    for pixel in 0..<Luma.pixels {
      out[block &* Luma.pixels &+ pixel] = codes[Int(light[pixel])]
    }
  }
}

/// The light of a luma sample that is 1, and the steps of light that have a code each.
public var lightMost: Int { 65528 }
public var lightSteps: Int { 8192 }

enum Luma {
  /// Of a block.
  @inline(always) static var pixels: Int { 8 }
  @inline(always) static var ramp: SIMD8<UInt16> { SIMD8(0, 1, 2, 3, 4, 5, 6, 7) }
  /// Half a step of light.
  @inline(always) static var half: UInt16 { 4 }

  @inline(always)
  static func stepsPlainly(
    _ samples: MSSamples, _ segments: MSSegments, _ block: Int,
    into light: UnsafeMutablePointer<UInt16>
  ) {
    let (first, kind) = (samples.base + Int(segments.first[block]), segments.kind[block])
    for pixel in 0..<Int32(pixels) {
      let value = Blend.samplePlainly(
        first + Int(pixel), stride: samples.stride,
        place: segments.place[block] &+ pixel &* segments.step[block],
        down: segments.down[block] &+ pixel &* segments.fall[block], kind: kind)
      light[Int(pixel)] = (value &+ half &+ Blend.making(upFor: kind)) &>> 3
    }
  }
}
