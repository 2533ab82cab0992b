// The compose stage of the fast renderer where one layer shows alone: blocks of 8 x 2 pixels of 8-bit
// 4:2:0, looked up in `CodePlanes`.

/// Where the pixels of a row of a block look: samples of a padded plane, from the first pixel on.
struct BlockLine {
  var x, y: Float
  var stepX, stepY: Float
}

/// A plane to look into, and how far it is from row to row.
struct Samples<Sample> {
  let base: UnsafePointer<Sample>
  let stride: Int
}

/// The luma codes of eight pixels along a line, which must stay inside the plane by ten samples.
///
/// - Parameter codes: of linear light in `CodePlanes.steps`.
@inline(always)
func drawLuma(
  _ samples: Samples<UInt16>, along line: BlockLine, codes: UnsafePointer<UInt8>,
  into out: UnsafeMutablePointer<UInt8>
) {
  let last = Float(SheetMap.pitch - 1)
  // Most lines step by about a sample and stay between two rows: whole vectors can be loaded.
  let (drift, fall) = (last * (line.stepX - 1), last * line.stepY)
  let y = line.y + fall * 0.5
  guard fall < Level.most, fall > -Level.most else {
    return drawLumaPlainly(samples, along: line, codes: codes, into: out)
  }
  var column = Int(line.x)
  var across = line.x - Float(column)
  if across + drift < 0 {
    column &-= 1
    across += 1
  }
  guard across + drift >= 0, across + drift < 2 else {
    return drawLumaPlainly(samples, along: line, codes: codes, into: out)
  }
  let row = Int(y + Level.still)
  let down = y - Float(row)
  // How far each pixel lies behind the sample as many samples behind the first one as it is pixels.
  let place = across + Lanes(0, 1, 2, 3, 4, 5, 6, 7) * (line.stepX - 1)
  let upper = samples.base + (row &* samples.stride &+ column)
  var light: Lanes
  if across < 1, across + drift < 1 {
    light = LumaKernel.row(upper, place)
    if down > Level.still {
      light += (LumaKernel.row(upper + samples.stride, place) - light) * down
    }
  } else {
    let isNext = place .>= Lanes.one
    let share = place.replacing(with: place - Lanes.one, where: isNext)
    light = LumaKernel.row(upper, share, isNext)
    if down > Level.still {
      light += (LumaKernel.row(upper + samples.stride, share, isNext) - light) * down
    }
  }
  let index = (light * CodePlanes.stepsPerUnit).nearest.index
  for lane in 0..<Lanes.scalarCount { out[lane] = codes[Int(index[lane])] }
}

/// When a line is taken to run along a row of samples, in samples.
private enum Level {
  /// A line that falls by less over a block is level.
  @inline(always) static var most: Float { 1 / 32 }
  /// A level line so near a row lies on it.
  @inline(always) static var still: Float { 1 / 512 }
}

private enum LumaKernel {
  /// Eight values of a row, each between a sample and the next one.
  @inline(always)
  static func row(_ first: UnsafePointer<UInt16>, _ share: Lanes) -> Lanes {
    let left = load(first)
    return left + (load(first + 1) - left) * share
  }

  /// The same, or between the next one and the one behind that.
  @inline(always)
  static func row(
    _ first: UnsafePointer<UInt16>, _ share: Lanes, _ isNext: SIMDMask<Lanes.MaskStorage>
  ) -> Lanes {
    let (own, next) = (load(first), load(first + 1))
    let left = own.replacing(with: next, where: isNext)
    let right = next.replacing(with: load(first + 2), where: isNext)
    return left + (right - left) * share
  }

  @inline(always)
  private static func load(_ first: UnsafePointer<UInt16>) -> Lanes {
    // The compiler's own conversion is a call.
    var wide = SIMD16<UInt16>.zero
    wide.evenHalf = UnsafeRawPointer(first).loadUnaligned(as: SIMD8<UInt16>.self)
    return Lanes(small: unsafeBitCast(wide, to: SIMD8<UInt32>.self))
  }
}

/// The same one by one: along any line, and the plain twin.
func drawLumaPlainly(
  _ samples: Samples<UInt16>, along line: BlockLine, codes: UnsafePointer<UInt8>,
  into out: UnsafeMutablePointer<UInt8>
) {
  for pixel in 0..<SheetMap.pitch {
    let (x, y) = (line.x + Float(pixel) * line.stepX, line.y + Float(pixel) * line.stepY)
    let (column, row) = (Int(x), Int(y))
    let (across, down) = (x - Float(column), y - Float(row))
    let upper = samples.base + (row &* samples.stride &+ column)
    let lower = upper + samples.stride
    func blend(_ pair: UnsafePointer<UInt16>) -> Float {
      let (left, right) = (Float(pair[0]), Float(pair[1]))
      return left + (right - left) * across
    }
    let (top, bottom) = (blend(upper), blend(lower))
    let light = top + (bottom - top) * down
    out[pixel] = codes[Int(light * CodePlanes.stepsPerUnit + 0.5)]
  }
}

/// Where chroma codes go: the bytes of Cb and of Cr, and how far it is from site to site.
struct ChromaTarget {
  let cb, cr: UnsafeMutablePointer<UInt8>
  let step: Int
}

/// The chroma codes of a block's four sites along a line of sites, which must stay inside the plane by
/// twelve samples.
@inline(always)
func drawChroma(
  _ samples: Samples<UInt32>, along line: BlockLine, into target: ChromaTarget
) {
  // As luma, but that a site is about two samples behind the one before.
  let last = Float(SheetMap.pitch / 2 - 1)
  let (drift, fall) = (last * (line.stepX - 2), last * line.stepY)
  let y = line.y + fall * 0.5
  guard fall < Level.most, fall > -Level.most else {
    return drawChromaPlainly(samples, along: line, into: target)
  }
  var column = Int(line.x)
  var across = line.x - Float(column)
  if across + drift < 0 {
    column &-= 1
    across += 1
  }
  guard across + drift >= 0, across + drift < 2 else {
    return drawChromaPlainly(samples, along: line, into: target)
  }
  let row = Int(y + Level.still)
  let down = y - Float(row)
  let place = across + SIMD4<Float>(0, 1, 2, 3) * (line.stepX - 2)
  let isNext = place .>= SIMD4<Float>.one
  let share = place.replacing(with: place - SIMD4<Float>.one, where: isNext)
  let both = Lanes(lowHalf: share, highHalf: share)
  let upper = samples.base + (row &* samples.stride &+ column)
  var codes = ChromaKernel.row(upper, both, isNext)
  if down > Level.still {
    codes += (ChromaKernel.row(upper + samples.stride, both, isNext) - codes) * down
  }
  let index = (codes * (1.0 / 256)).nearest.index
  for site in 0..<SheetMap.pitch / 2 {
    target.cb[site &* target.step] = UInt8(truncatingIfNeeded: index[site])
    target.cr[site &* target.step] = UInt8(truncatingIfNeeded: index[site + 4])
  }
}

private enum ChromaKernel {
  /// Four values of Cb and four of Cr of a row, each site between a sample and the next one, or between
  /// that and the one behind.
  @inline(always)
  static func row(
    _ first: UnsafePointer<UInt32>, _ share: Lanes, _ isNext: SIMDMask<SIMD4<Int32>>
  ) -> Lanes {
    let own = load(first)
    let left = own.evenHalf.replacing(with: own.oddHalf, where: isNext)
    let right = own.oddHalf.replacing(with: load(first + 2).evenHalf, where: isNext)
    let from = apart(left)
    return from + (apart(right) - from) * share
  }

  /// Cb of four samples and Cr of the same.
  @inline(always)
  private static func apart(_ pairs: SIMD4<UInt32>) -> Lanes {
    let low = pairs & SIMD4(repeating: 0xFFFF)
    let high = pairs &>> SIMD4(repeating: 16)
    return Lanes(small: SIMD8(lowHalf: low, highHalf: high))
  }

  @inline(always)
  private static func load(_ first: UnsafePointer<UInt32>) -> SIMD8<UInt32> {
    UnsafeRawPointer(first).loadUnaligned(as: SIMD8<UInt32>.self)
  }
}

/// The same one by one: along any line, and the plain twin.
///
/// Both components are interpolated at once in the halves of 64-bit numbers, with 8-bit shares: the
/// largest code in 1/256 stays within 32 bits.
func drawChromaPlainly(
  _ samples: Samples<UInt32>, along line: BlockLine, into target: ChromaTarget
) {
  // In 1/65536 of a sample, so that half of 1/256 rounds.
  func fixed(_ value: Float) -> Int { Int(value * 65536) }
  var (x, y) = (fixed(line.x) &+ 128, fixed(line.y) &+ 128)
  let (stepX, stepY) = (fixed(line.stepX), fixed(line.stepY))
  for site in 0..<SheetMap.pitch / 2 {
    let upper = samples.base + ((y >> 16) &* samples.stride &+ (x >> 16))
    let lower = upper + samples.stride
    func share(_ place: Int) -> UInt64 { UInt64(truncatingIfNeeded: place >> 8 & 255) }
    let (across, down) = (share(x), share(y))
    (x, y) = (x &+ stepX, y &+ stepY)
    func apart(_ pair: UInt32) -> UInt64 {
      UInt64(pair & 0xFFFF) | UInt64(pair >> 16) << 32
    }
    let top = apart(upper[0]) &* (256 &- across) &+ apart(upper[1]) &* across
    let bottom = apart(lower[0]) &* (256 &- across) &+ apart(lower[1]) &* across
    // From 1/256 codes, with two shares of 8 bits, to the nearest code.
    let sum = top &* (256 &- down) &+ bottom &* down &+ 0x0080_0000_0080_0000
    target.cb[site &* target.step] = UInt8(truncatingIfNeeded: sum >> 24)
    target.cr[site &* target.step] = UInt8(truncatingIfNeeded: sum >> 56)
  }
}
