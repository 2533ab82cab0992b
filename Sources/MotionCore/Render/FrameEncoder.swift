/// Turns rows of linear light into the planes of a frame: transfer function, matrix, chroma sites,
/// range, code values.
struct FrameEncoder: Sendable {
  private let format: VideoFormat
  private let transfer = TransferFunction.sRGB
  /// The components that share sites, in the order of the planes.
  private let passes: [Pass]
  /// How many rows of pixels hold a whole row of every component: a strip.
  let stripRows: Int
  private let hasAlpha: Bool

  /// The components of all planes that are subsampled alike.
  private struct Pass {
    let layout: PlaneLayout
    let filter: ChromaFilter?
    var outputs: [Output]
  }

  /// How a component is computed, and where its codes stand.
  private struct Output {
    let source: Source
    /// Bytes from the frame's first to the component's first, from site to site and from row to row.
    let start: Int
    let step: Int
    let pitch: Int
  }

  /// A code is offset + weights · R'G'B', or a multiple of alpha.
  enum Source {
    case colour(_ weights: SIMD3<Float>, _ offset: Float)
    case alpha(_ weight: Float)
  }

  init(_ format: VideoFormat) {
    self.format = format
    let pixelFormat = format.pixelFormat
    var passes: [Pass] = []
    var start = 0
    for plane in pixelFormat.planes {
      let width = plane.size(in: format.size).width
      let step = plane.components.count * pixelFormat.codeBytes
      let outputs = plane.components.enumerated().map { index, component in
        Output(
          source: Self.source(component, format), start: start + index * pixelFormat.codeBytes,
          step: step, pitch: width * step)
      }
      let shares = passes.firstIndex {
        $0.layout.shiftX == plane.shiftX && $0.layout.shiftY == plane.shiftY
      }
      if let shares {
        passes[shares].outputs += outputs
      } else {
        passes.append(
          Pass(
            layout: plane, filter: ChromaFilter(plane, format.siting), outputs: outputs))
      }
      start += pixelFormat.byteCount(plane, format.size)
    }
    self.passes = passes
    stripRows = 1 << passes.map(\.layout.shiftY).max()!
    hasAlpha = pixelFormat.hasAlpha
  }

  /// A whole frame. `draw` is asked for each row once, from the top: R, G, B in linear light,
  /// premultiplied by the alpha in w, which counts only where the format's alpha is not opaque.
  func frame(
    _ draw: (_ y: Int, _ row: UnsafeMutableBufferPointer<SIMD4<Float>>) -> Void
  ) -> Frame {
    var canvas = Canvas(format: format)
    let (width, height) = (format.size.width, format.size.height)
    canvas.withUnsafeMutableBytes { bytes in
      withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { linear in
        // The row above, a strip of rows, and room for chroma.
        ColourRow.withRows(1 + stripRows + 2, width: width) { rows in
          var (strip, spare) = (Array(rows.dropLast(2)), (rows[stripRows + 1], rows[stripRows + 2]))
          for top in stride(from: 0, to: height, by: stripRows) {
            for y in 0..<stripRows {
              // Below the last row of an odd picture that row stands again.
              if top + y < height { draw(top + y, linear) }
              encode(linear, 0..<width, into: strip[1 + y])
              // And above the first.
              if top + y == 0 { encode(linear, 0..<width, into: strip[0]) }
            }
            write(strip, spare, top: top, 0..<width, into: bytes)
            strip.swapAt(0, stripRows)
          }
        }
      }
    }
    return canvas.finish()
  }

  /// Some columns of a strip that begins at row `top` of a frame's `bytes`: as `frame` has them, if
  /// `draw` gives it the same.
  ///
  /// - Parameters:
  ///   - columns: from a multiple of 8 to another, or to the frame's width.
  ///   - linear: room for a row.
  ///   - rows: room for what `rowsOfStrip` says.
  ///   - draw: fills the given columns of a row; it is asked for some beside the strip's own.
  @inline(always)
  func strip(
    _ top: Int, _ columns: Range<Int>, linear: UnsafeMutableBufferPointer<SIMD4<Float>>,
    rows: [ColourRow], into bytes: UnsafeMutableRawBufferPointer,
    draw: (
      _ y: Int, _ columns: Range<Int>, _ row: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) -> Void
  ) {
    let drawn = max(columns.lowerBound - 1, 0)..<columns.upperBound
    let first = takesRowAbove ? -1 : 0
    for y in first..<stripRows {
      draw(min(max(top + y, 0), format.size.height - 1), drawn, linear)
      encode(linear, drawn, into: rows[1 + y])
    }
    write(
      rows, (rows[stripRows + 1], rows[stripRows + 2]), top: top, columns, into: bytes)
  }

  /// How many rows `strip` needs room for.
  var rowsOfStrip: Int { 1 + stripRows + 2 }

  /// Whether chroma takes a part of the row above its strip.
  var takesRowAbove: Bool { passes.contains { $0.filter?.takesRowAbove ?? false } }

  private func encode(
    _ linear: UnsafeMutableBufferPointer<SIMD4<Float>>, _ columns: Range<Int>, into row: ColourRow
  ) {
    let (red, green, blue) = (row[0], row[1], row[2])
    if format.alpha != .opaque { divideByAlpha(linear) }
    transfer.withEncoder { encode in
      func put(_ pixel: SIMD4<Float>, _ x: Int) {
        red[x] = pixel.x
        green[x] = pixel.y
        blue[x] = pixel.z
      }
      let last = columns.upperBound - 1
      for x in stride(from: columns.lowerBound, to: last, by: 2) {
        let two = encode(Lanes(lowHalf: linear[x], highHalf: linear[x + 1]))
        put(two.lowHalf, x)
        put(two.highHalf, x + 1)
      }
      if columns.count % 2 == 1 { put(encode(linear[last]), last) }
    }
    guard hasAlpha else { return }
    let alpha = row[ColourRow.alpha]
    for x in columns {
      alpha[x] = format.alpha == .opaque ? 1 : linear[x].w
      guard format.alpha == .premultiplied else { continue }
      red[x] *= alpha[x]
      green[x] *= alpha[x]
      blue[x] *= alpha[x]
    }
  }

  /// Turns premultiplied colours, clamped to 0…alpha, into the subject's own: black where nothing is
  /// covered.
  private func divideByAlpha(_ row: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    for x in 0..<row.count {
      let alpha = min(max(row[x].w, 0), 1)
      var colour = SIMD4<Float>.zero
      if alpha > 0 {
        colour = row[x].clamped(lowerBound: .zero, upperBound: SIMD4(repeating: alpha)) / alpha
      }
      colour.w = alpha
      row[x] = colour
    }
  }

  /// Writes what some columns of a strip of rows, the first of which is the one above, hold of every
  /// component.
  private func write(
    _ strip: [ColourRow], _ spare: (ColourRow, ColourRow), top: Int, _ columns: Range<Int>,
    into bytes: UnsafeMutableRawBufferPointer
  ) {
    for pass in passes {
      let rowStep = 1 << pass.layout.shiftY
      // An odd picture's last site has half of its columns.
      let round = (1 << pass.layout.shiftX) - 1
      let sites =
        columns.lowerBound >> pass.layout.shiftX..<(columns.upperBound + round)
        >> pass.layout.shiftX
      for y in stride(from: 0, to: min(stripRows, format.size.height - top), by: rowStep) {
        var row = strip[1 + y]
        if let filter = pass.filter {
          filter(
            strip[y], row, strip[y + rowStep], blend: spare.0, into: spare.1, sites: sites,
            columns: columns, width: format.size.width)
          row = spare.1
        }
        for output in pass.outputs {
          let line = output.start + ((top + y) >> pass.layout.shiftY) * output.pitch
          write(row, sites, output, into: bytes.baseAddress! + line)
        }
      }
    }
  }

  private func write(
    _ row: ColourRow, _ sites: Range<Int>, _ output: Output, into bytes: UnsafeMutableRawPointer
  ) {
    switch output.source {
    case .colour(let weights, let offset):
      let (red, green, blue) = (row[0], row[1], row[2])
      write(sites, output, into: bytes) { load in
        load(red) * weights.x + load(green) * weights.y + load(blue) * weights.z + offset
      }
    case .alpha(let weight):
      let alpha = row[ColourRow.alpha]
      write(sites, output, into: bytes) { load in load(alpha) * weight }
    }
  }

  /// Writes the codes of a row's values, which `value` gives for eight at once.
  @inline(always)
  private func write(
    _ sites: Range<Int>, _ output: Output, into bytes: UnsafeMutableRawPointer,
    value: (_ load: (UnsafeMutablePointer<Float>) -> Lanes) -> Lanes
  ) {
    let (bitDepth, shift) = (format.pixelFormat.bitDepth, format.pixelFormat.codeShift)
    let largest = Float(1 << bitDepth - 1)
    for x in stride(from: sites.lowerBound, to: sites.upperBound, by: Lanes.scalarCount) {
      func load(_ from: UnsafeMutablePointer<Float>) -> Lanes {
        UnsafeRawPointer(from + x).loadUnaligned(as: Lanes.self)
      }
      let code = value(load).clamped(to: largest).nearest.index
      let isWhole = x + Lanes.scalarCount <= sites.upperBound
      if bitDepth == 8 {
        put(SIMD8<UInt8>(truncatingIfNeeded: code), isWhole)
      } else {
        put(SIMD8<UInt16>(truncatingIfNeeded: code &<< Int32(shift)), isWhole)
      }

      func put<Code: FixedWidthInteger & SIMDScalar & BitwiseCopyable>(
        _ codes: SIMD8<Code>, _ isWhole: Bool
      ) {
        if isWhole && output.step == MemoryLayout<Code>.size {
          bytes.storeBytes(
            of: codes, toByteOffset: x * MemoryLayout<Code>.size, as: SIMD8<Code>.self)
        } else {
          for lane in 0..<min(Lanes.scalarCount, sites.upperBound - x) {
            bytes.storeBytes(
              of: codes[lane].littleEndian, toByteOffset: (x + lane) * output.step, as: Code.self)
          }
        }
      }
    }
  }

  static func source(_ component: Component, _ format: VideoFormat) -> Source {
    let (red, blue) = format.matrix.lumaWeights
    let luma = SIMD3(red, 1 - red - blue, blue)
    let bits = format.pixelFormat.bitDepth
    let (largest, unit) = (Float(1 << bits - 1), Float(1 << (bits - 8)))
    // Pixels of R'G'B' are always full range.
    let isLimited = format.range == .limited
    let chroma = isLimited ? 224 * unit : largest
    switch component {
    case .luma:
      return isLimited ? .colour(luma * (219 * unit), 16 * unit) : .colour(luma * largest, 0)
    case .cb: return .colour((SIMD3(0, 0, 1) - luma) * (chroma / (2 * (1 - blue))), 128 * unit)
    case .cr: return .colour((SIMD3(1, 0, 0) - luma) * (chroma / (2 * (1 - red))), 128 * unit)
    case .red: return .colour(SIMD3(largest, 0, 0), 0)
    case .green: return .colour(SIMD3(0, largest, 0), 0)
    case .blue: return .colour(SIMD3(0, 0, largest), 0)
    case .alpha: return .alpha(largest)
    case .unused: return .colour(.zero, largest)
    }
  }
}
