public import CVector

// Blocks at edges: laid in linear light, pixel by pixel, and encoded. Pixels stand in a list, eight of
// each block and then one for each block, which lies before its first and which its chroma takes in.

/// Fills in where the pixels of blocks look, along lines between the edges of a row.
///
/// - Parameter first: the number of the first block in the list that is wanted.
public func placePixels(
  _ edges: MSEdges, _ blocks: MSBlocks, from first: Int, x: UnsafeMutablePointer<Float>,
  y: UnsafeMutablePointer<Float>
) {
  let ramp = SIMD8<Float>(0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875)
  for index in first..<blocks.count {
    let block = Int(blocks.numbers[index])
    // At the frame's left edge the first pixel is its own neighbour.
    let before = block > 0 ? (block: block &- 1, share: Float(0.875)) : (block: 0, share: 0)
    @inline(always) func put(_ edges: UnsafePointer<Float>, _ into: UnsafeMutablePointer<Float>) {
      let (from, to) = (edges[block], edges[block &+ 1])
      UnsafeMutableRawPointer(into + (8 &* index)).storeBytes(
        of: from + ramp * (to - from), as: SIMD8<Float>.self)
      let left = edges[before.block]
      into[8 &* blocks.count &+ index] =
        left + before.share * (edges[before.block &+ 1] - left)
    }
    put(edges.x, x)
    put(edges.y, y)
  }
}

/// The same pixel by pixel.
public func placePixelsPlainly(
  _ edges: MSEdges, _ blocks: MSBlocks, from first: Int, x: UnsafeMutablePointer<Float>,
  y: UnsafeMutablePointer<Float>
) {
  for index in first..<blocks.count {
    let block = Int(blocks.numbers[index])
    func put(_ edges: UnsafePointer<Float>, _ into: UnsafeMutablePointer<Float>) {
      func place(_ column: Int) -> Float {
        let from = edges[column / 8]
        return from + Float(column % 8) / 8 * (edges[column / 8 + 1] - from)
      }
      for pixel in 0..<8 { into[8 * index + pixel] = place(8 * block + pixel) }
      into[8 * blocks.count + index] = place(max(8 * block - 1, 0))
    }
    put(edges.x, x)
    put(edges.y, y)
  }
}

/// Lays a layer into pixels of linear light: its colour, bilinear, at the points that they look at.
///
/// - Parameters:
///   - count: of pixels, a multiple of eight.
///   - isOver: whether it lies over what is there, by the coverage in w, or replaces it.
///   - places: room for as many pixels.
///   - light: R, G, B and coverage of each pixel.
public func layColour(
  _ layer: MSColours, x: UnsafePointer<Float>, y: UnsafePointer<Float>, count: Int, isOver: Bool,
  places: MSPlaces, into light: UnsafeMutablePointer<SIMD4<Float>>
) {
  let width = Int(layer.width)
  // First where each pixel's samples stand; they are asked for, so that nothing waits for the memory.
  var first = 0
  while first < count {
    @inline(always)
    func cell(
      _ from: UnsafePointer<Float>, _ density: Float, _ offset: Float, _ last: Float,
      _ lastPair: Float
    ) -> (whole: SIMD8<Int32>, share: SIMD8<Float>) {
      let place =
        UnsafeRawPointer(from + first).loadUnaligned(as: SIMD8<Float>.self) * density + offset
      let inside = msClamped(place, last)
      let lower = Sheet.lower(inside, lastPair)
      return (msWhole(lower), inside - lower)
    }
    let column = cell(x, layer.densityX, layer.offsetX, layer.lastX, layer.lastPairX)
    let row = cell(y, layer.densityY, layer.offsetY, layer.lastY, layer.lastPairY)
    let at = row.whole &* SIMD8(repeating: layer.width) &+ column.whole
    @inline(always) func put<Values>(_ values: Values, _ into: UnsafeMutableRawPointer) {
      (into + 4 &* first).storeBytes(of: values, as: Values.self)
    }
    put(at, places.first)
    put(column.share, places.across)
    put(row.share, places.down)
    // Neighbours mostly share a line of the cache.
    @inline(always) func ask(_ lane: Int) {
      let upper = layer.colour + Int(at[lane])
      msPrefetch(upper)
      msPrefetch(upper + width)
    }
    ask(0)
    ask(2)
    ask(4)
    ask(6)
    ask(7)
    first &+= 8
  }
  @inline(always) func sample(_ pixel: Int) -> SIMD4<Float> {
    let upper = UnsafeRawPointer(layer.colour + Int(places.first[pixel]))
    @inline(always) func pair(_ offset: Int) -> SIMD8<Float> {
      upper.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
    }
    let (above, below) = (pair(0), pair(16 &* width))
    let both = above + (below - above) * places.down[pixel]
    return both.lowHalf + (both.highHalf - both.lowHalf) * places.across[pixel]
  }
  if isOver {
    for pixel in 0..<count {
      let over = sample(pixel)
      light[pixel] = over + light[pixel] * (1 - msSpreadLast(over))
    }
  } else {
    for pixel in 0..<count { light[pixel] = sample(pixel) }
  }
}

/// The same pixel by pixel.
public func layColourPlainly(
  _ layer: MSColours, x: UnsafePointer<Float>, y: UnsafePointer<Float>, count: Int, isOver: Bool,
  places: MSPlaces, into light: UnsafeMutablePointer<SIMD4<Float>>
) {
  for pixel in 0..<count {
    let column = Sheet.cell(
      x[pixel] * layer.densityX + layer.offsetX, layer.lastX, layer.lastPairX)
    let row = Sheet.cell(y[pixel] * layer.densityY + layer.offsetY, layer.lastY, layer.lastPairY)
    let upper = layer.colour + (Int(row.lower) * Int(layer.width) + Int(column.lower))
    let lower = upper + Int(layer.width)
    let left = upper[0] + (lower[0] - upper[0]) * row.share
    let right = upper[1] + (lower[1] - upper[1]) * row.share
    let over = left + (right - left) * column.share
    light[pixel] = isOver ? over + light[pixel] * (1 - over.w) : over
  }
}

/// Encodes pixels of linear light: R', G' and B', each in a row of its own.
///
/// - Parameters:
///   - count: of pixels, a multiple of eight.
///   - table: encoded values of light at `steps` + 1 places from 0 to 1, and one more.
///   - encoded: room for three rows of `count`.
public func encodeLight(
  _ light: UnsafePointer<SIMD4<Float>>, count: Int, table: UnsafePointer<Float>, steps: Float,
  into encoded: UnsafeMutablePointer<Float>
) {
  var first = 0
  while first < count {
    let pixels = UnsafeRawPointer(light + first).assumingMemoryBound(to: Float.self)
    for channel in 0..<3 {
      let place = msClamped(msEveryFourth(pixels + channel), 1) * steps
      let lower = Sheet.lower(place, steps)
      let pairs = msPairs(table, msWhole(lower))
      let value = msFirst(pairs) + (msSecond(pairs) - msFirst(pairs)) * (place - lower)
      UnsafeMutableRawPointer(encoded + (channel &* count &+ first)).storeBytes(
        of: value, as: SIMD8<Float>.self)
    }
    first &+= 8
  }
}

/// The same value by value.
public func encodeLightPlainly(
  _ light: UnsafePointer<SIMD4<Float>>, count: Int, table: UnsafePointer<Float>, steps: Float,
  into encoded: UnsafeMutablePointer<Float>
) {
  for pixel in 0..<count {
    for channel in 0..<3 {
      let value = light[pixel][channel]
      let place = (value > 0 ? min(value, 1) : 0) * steps
      let lower = min(Sheet.nearest(place - 0.5), steps)
      let entry = table + Int(lower)
      encoded[channel * count + pixel] = entry[0] + (entry[1] - entry[0]) * (place - lower)
    }
  }
}

/// Writes the luma of encoded blocks of a row.
///
/// - Parameters:
///   - count: of the pixels in each row of `encoded`.
///   - matrix: what makes luma's codes of R', G' and B'.
///   - out: where the row's first block stands.
public func putLuma(
  _ encoded: UnsafePointer<Float>, count: Int, _ blocks: MSBlocks, _ matrix: MSMatrixRow,
  into out: UnsafeMutablePointer<UInt8>
) {
  for index in 0..<blocks.count {
    @inline(always) func load(_ channel: Int) -> SIMD8<Float> {
      UnsafeRawPointer(encoded + (channel &* count &+ 8 &* index)).loadUnaligned(
        as: SIMD8<Float>.self)
    }
    let codes = Light.codes(matrix, load(0), load(1), load(2))
    UnsafeMutableRawPointer(out + 8 &* Int(blocks.numbers[index])).storeBytes(
      of: codes, as: SIMD8<UInt8>.self)
  }
}

/// The same pixel by pixel.
public func putLumaPlainly(
  _ encoded: UnsafePointer<Float>, count: Int, _ blocks: MSBlocks, _ matrix: MSMatrixRow,
  into out: UnsafeMutablePointer<UInt8>
) {
  for index in 0..<blocks.count {
    for pixel in 0..<8 {
      let at = encoded + (8 * index + pixel)
      out[8 * Int(blocks.numbers[index]) + pixel] =
        Light.code(matrix, at[0], at[count], at[2 * count])
    }
  }
}

/// Writes the chroma of encoded blocks of a strip.
///
/// - Parameters:
///   - upper, lower: its rows, encoded; `count` pixels in each of their rows.
///   - filter: how much of each a site takes.
public func putChroma(
  _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, count: Int, _ blocks: MSBlocks,
  _ filter: MSSiteFilter, _ cb: MSMatrixRow, _ cr: MSMatrixRow, into target: MSChromaTarget
) {
  for index in 0..<blocks.count {
    @inline(always) func site(_ channel: Int) -> SIMD4<Float> {
      let at = channel &* count &+ 8 &* index
      @inline(always) func load(_ row: UnsafePointer<Float>) -> SIMD8<Float> {
        UnsafeRawPointer(row + at).loadUnaligned(as: SIMD8<Float>.self)
      }
      let mixed = load(upper) * filter.upper + load(lower) * filter.lower
      let before = channel &* count &+ 8 &* blocks.count &+ index
      let (own, next) = (mixed.evenHalf, mixed.oddHalf)
      let left = SIMD4(
        upper[before] * filter.upper + lower[before] * filter.lower, next.x, next.y, next.z)
      return left * filter.left + own * filter.own + next * filter.right
    }
    let (red, green, blue) = (site(0), site(1), site(2))
    @inline(always) func both(_ cb: Float, _ cr: Float) -> SIMD8<Float> {
      SIMD8(lowHalf: SIMD4(repeating: cb), highHalf: SIMD4(repeating: cr))
    }
    @inline(always) func twice(_ value: SIMD4<Float>) -> SIMD8<Float> {
      SIMD8(lowHalf: value, highHalf: value)
    }
    let value =
      twice(red) * both(cb.red, cr.red) + twice(green) * both(cb.green, cr.green)
      + twice(blue) * both(cb.blue, cr.blue) + both(cb.offset, cr.offset)
    Chroma.put(
      msBytes(msNearest(msClamped(value, 255))), Int(blocks.numbers[index]), into: target)
  }
}

/// The same site by site.
public func putChromaPlainly(
  _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, count: Int, _ blocks: MSBlocks,
  _ filter: MSSiteFilter, _ cb: MSMatrixRow, _ cr: MSMatrixRow, into target: MSChromaTarget
) {
  for index in 0..<blocks.count {
    for site in 0..<Chroma.sites {
      func value(_ channel: Int) -> Float {
        func mixed(_ pixel: Int) -> Float {
          let at = channel * count + pixel
          return upper[at] * filter.upper + lower[at] * filter.lower
        }
        let own = 8 * index + 2 * site
        let left = mixed(site == 0 ? 8 * blocks.count + index : own - 1)
        return left * filter.left + mixed(own) * filter.own + mixed(own + 1) * filter.right
      }
      let (red, green, blue) = (value(0), value(1), value(2))
      let at = (Int(blocks.numbers[index]) * Chroma.sites + site) * target.step
      target.cb[at] = Light.code(cb, red, green, blue)
      target.cr[at] = Light.code(cr, red, green, blue)
    }
  }
}

enum Light {
  @inline(always)
  static func codes(
    _ matrix: MSMatrixRow, _ red: SIMD8<Float>, _ green: SIMD8<Float>, _ blue: SIMD8<Float>
  ) -> SIMD8<UInt8> {
    let value = red * matrix.red + green * matrix.green + blue * matrix.blue + matrix.offset
    return msBytes(msNearest(msClamped(value, 255)))
  }

  static func code(_ matrix: MSMatrixRow, _ red: Float, _ green: Float, _ blue: Float) -> UInt8 {
    let value = red * matrix.red + green * matrix.green + blue * matrix.blue + matrix.offset
    return UInt8((value > 0 ? min(value, 255) : 0) + 0.5)
  }
}
