/// Turns rows of linear light into the planes of a frame: transfer function, matrix, chroma sites,
/// range, code values.
struct FrameEncoder: Sendable {
  private let format: VideoFormat
  private let transfer = TransferFunction.sRGB
  /// The components that share sites, in the order of the planes.
  private let passes: [Pass]
  /// How many rows of pixels hold a whole row of every component.
  private let stripRows: Int

  /// The components of all planes that are subsampled alike.
  private struct Pass {
    let layout: PlaneLayout
    /// Sites a row.
    let width: Int
    var outputs: [Output]
  }

  /// How a component is computed from R'G'B', the code being offset + weights · R'G'B', and where
  /// its codes stand.
  private struct Output {
    let weights: SIMD3<Float>
    let offset: Float
    /// Bytes from the frame's first to the component's first, from site to site and from row to row.
    let start: Int
    let step: Int
    let pitch: Int
  }

  init(_ format: VideoFormat) {
    self.format = format
    var passes: [Pass] = []
    var start = 0
    for plane in format.pixelFormat.planes {
      let width = plane.size(in: format.size).width
      let step = plane.components.count
      let outputs = plane.components.enumerated().map { index, component in
        let (weights, offset) = Self.recipe(component, format)
        return Output(
          weights: weights, offset: offset, start: start + index, step: step, pitch: width * step)
      }
      let shares = passes.firstIndex {
        $0.layout.shiftX == plane.shiftX && $0.layout.shiftY == plane.shiftY
      }
      if let shares {
        passes[shares].outputs += outputs
      } else {
        passes.append(Pass(layout: plane, width: width, outputs: outputs))
      }
      start += format.pixelFormat.byteCount(plane, format.size)
    }
    self.passes = passes
    stripRows = 1 << passes.map(\.layout.shiftY).max()!
  }

  /// A whole frame. `draw` is asked for each row once, from the top: R, G, B in linear light.
  func frame(
    _ draw: (_ y: Int, _ row: UnsafeMutableBufferPointer<SIMD4<Float>>) -> Void
  ) -> Frame {
    var canvas = Canvas(format: format)
    let (width, height) = (format.size.width, format.size.height)
    canvas.withUnsafeMutableBytes { bytes in
      withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { linear in
        // R'G'B' of a strip of rows, then of one row of subsampled sites.
        let room = (width + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * room * (stripRows + 1)) {
          $0.initialize(repeating: 0)
          let strip = (0...stripRows).map { [base = $0.baseAddress!] row in
            Colours(base + 3 * room * row, room: room)
          }
          for top in stride(from: 0, to: height, by: stripRows) {
            for y in 0..<stripRows {
              // Below the last row of an odd picture that row stands again.
              if top + y < height { draw(top + y, linear) }
              encode(linear, into: strip[y])
            }
            write(strip, top: top, into: bytes)
          }
        }
      }
    }
    return canvas.finish()
  }

  /// A row of R', G' and B', each on its own, with room for whole `Lanes`.
  private struct Colours {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>

    init(_ base: UnsafeMutablePointer<Float>, room: Int) {
      (red, green, blue) = (base, base + room, base + 2 * room)
    }

    var each: [UnsafeMutablePointer<Float>] { [red, green, blue] }
  }

  private func encode(_ linear: UnsafeMutableBufferPointer<SIMD4<Float>>, into row: Colours) {
    transfer.withEncoder { encode in
      func put(_ pixel: SIMD4<Float>, _ x: Int) {
        row.red[x] = pixel.x
        row.green[x] = pixel.y
        row.blue[x] = pixel.z
      }
      for x in stride(from: 0, to: linear.count - 1, by: 2) {
        let two = encode(Lanes(lowHalf: linear[x], highHalf: linear[x + 1]))
        put(two.lowHalf, x)
        put(two.highHalf, x + 1)
      }
      if linear.count % 2 == 1 { put(encode(linear[linear.count - 1]), linear.count - 1) }
    }
  }

  /// Writes what a strip of rows holds of every component; its last element is room for sites.
  private func write(_ strip: [Colours], top: Int, into bytes: UnsafeMutableRawBufferPointer) {
    for pass in passes {
      let (layout, sites) = (pass.layout, strip[stripRows])
      for y in stride(from: 0, to: min(stripRows, format.size.height - top), by: 1 << layout.shiftY)
      {
        var row = strip[y]
        if layout.shiftX > 0 || layout.shiftY > 0 {
          let below = strip[layout.shiftY > 0 ? y + 1 : y]
          for (target, (upper, lower)) in zip(sites.each, zip(row.each, below.each)) {
            filter(upper, lower, everySecond: layout.shiftX > 0, into: target, pass.width)
          }
          row = sites
        }
        for output in pass.outputs {
          let line = output.start + ((top + y) >> layout.shiftY) * output.pitch
          write(row, pass.width, output, into: bytes.baseAddress! + line)
        }
      }
    }
  }

  /// One of R', G', B' at the chroma sites of MPEG-2: halfway between the rows, and on every second
  /// column. Chroma is linear in R'G'B', so filtering these is filtering it.
  private func filter(
    _ upper: UnsafeMutablePointer<Float>, _ lower: UnsafeMutablePointer<Float>, everySecond: Bool,
    into sites: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    guard everySecond else {
      for x in 0..<count { sites[x] = (upper[x] + lower[x]) * 0.5 }
      return
    }
    let last = format.size.width - 1
    var left = upper[0] + lower[0]
    for x in 0..<count {
      let (middle, next) = (2 &* x, min(2 &* x &+ 1, last))
      let right = upper[next] + lower[next]
      sites[x] = (left + 2 * (upper[middle] + lower[middle]) + right) * 0.125
      left = right
    }
  }

  private func write(
    _ row: Colours, _ count: Int, _ output: Output, into codes: UnsafeMutableRawPointer
  ) {
    let (red, green, blue) = (output.weights.x, output.weights.y, output.weights.z)
    for x in stride(from: 0, to: count, by: Lanes.scalarCount) {
      func load(_ from: UnsafeMutablePointer<Float>) -> Lanes {
        UnsafeRawPointer(from + x).loadUnaligned(as: Lanes.self)
      }
      let value = load(row.red) * red + load(row.green) * green + load(row.blue) * blue
      let code = (value + output.offset).clamped(to: 255).nearest.index
      let bytes = SIMD8<UInt8>(truncatingIfNeeded: code)
      if output.step == 1 && x + Lanes.scalarCount <= count {
        codes.storeBytes(of: bytes, toByteOffset: x, as: SIMD8<UInt8>.self)
      } else {
        for lane in 0..<min(Lanes.scalarCount, count - x) {
          codes.storeBytes(
            of: bytes[lane], toByteOffset: (x + lane) * output.step, as: UInt8.self)
        }
      }
    }
  }

  private static func recipe(
    _ component: Component, _ format: VideoFormat
  ) -> (weights: SIMD3<Float>, offset: Float) {
    let (red, blue) = format.matrix.lumaWeights
    let luma = SIMD3(red, 1 - red - blue, blue)
    let isLimited = format.range == .limited
    let chroma: Float = isLimited ? 224 : 255
    // R'G'B' frames are always full range.
    switch component {
    case .luma: return isLimited ? (luma * 219, 16) : (luma * 255, 0)
    case .cb: return ((SIMD3(0, 0, 1) - luma) * (chroma / (2 * (1 - blue))), 128)
    case .cr: return ((SIMD3(1, 0, 0) - luma) * (chroma / (2 * (1 - red))), 128)
    case .red: return (SIMD3(255, 0, 0), 0)
    case .green: return (SIMD3(0, 255, 0), 0)
    case .blue: return (SIMD3(0, 0, 255), 0)
    }
  }
}
