internal import Kernels

/// A layer's luma and chroma, ready to be looked up: what the compose stage draws where one layer
/// shows alone.
///
/// Luma is the linear light of the luma, so that it is interpolated as light is; chroma has been
/// filtered as its sites want it. Both are good only where the layer is opaque. The planes are larger
/// than the layer: its edge repeats.
struct CodePlanes: Sendable {
  /// Samples beyond each edge.
  static let padding = 32
  /// Samples that may lie between two pixels, as seen at rest, and ever.
  static let restingSteps = 0.7...1.6
  static let steps = 0.5...2.0

  /// Linear light, 0…`lightMost`.
  let luma: Plane<UInt16>
  /// Codes in 1/256, one for two of luma along a row: in each row those of Cb, and then those of Cr.
  let chroma: Plane<UInt16>
  /// How far the first chroma sample lies to the right and below of the first luma sample.
  let chromaOffset: SIMD2<Float>

  /// - Parameters:
  ///   - step: samples between two pixels along each axis, for the chroma's filter.
  ///   - start: the sample that the frame's first pixel shows at rest. Those of its chroma's sites are kept,
  ///     so that where samples are pixels no chroma is drawn between two.
  init(
    _ layer: Layer, format: VideoFormat, step: SIMD2<Double>, start: Int, kernels: InstructionSet
  ) async {
    let (width, height) = (layer.grid.size.width, layer.grid.size.height)
    let padding = Self.padding
    let across = ChromaTaps(isBetween: format.siting == .jpeg, step: Float(step.x))
    let down = ChromaTaps(isBetween: format.siting != .paldv, step: Float(step.y))
    let parity = start & 1
    chromaOffset = SIMD2(across.offset + Float(parity), down.offset)
    let codes = SampleCodes(format, kernels)
    // Chroma before it is filtered, as it comes by the way.
    let sharp = PlaneMemory.allocate(width * height) as PlaneMemory.Block<UInt32>
    luma = await Plane<UInt16>(width: width + 2 * padding, height: height + 2 * padding) { y, row in
      let line = Self.inside(y - padding, height)
      let middle = UnsafeMutableBufferPointer(rebasing: row[padding..<padding + width])
      layer.colour.withUnsafeSamples { colour in
        codes.put(
          UnsafeBufferPointer(rebasing: colour[line * width..<(line + 1) * width]), luma: middle,
          // Rows beyond the edge are drawn again, and only their luma counts.
          chroma: line == y - padding ? sharp.base + line * width : nil)
      }
      row[..<padding].update(repeating: middle[0])
      row[(padding + width)...].update(repeating: middle[width - 1])
    }
    // One more, for a last site behind the last sample.
    let half = width / 2 + 1
    chroma = await Plane<UInt16>(width: 2 * (half + 2 * padding), height: height + 2 * padding) {
      y, row in
      let reach = ChromaTaps.reach
      let room = width + 2 * reach + 2
      withUnsafeTemporaryAllocation(of: SIMD2<Float>.self, capacity: room) { room in
        let blend = room.baseAddress! + reach
        room.update(repeating: .zero)
        for tap in -reach...reach where down.weights[tap + reach] != 0 {
          let weight = down.weights[tap + reach]
          let line = sharp.base + Self.inside(y - padding + tap, height) * width
          for x in 0..<width {
            let pair = line[x]
            blend[x] +=
              SIMD2(Float(Int32(truncatingIfNeeded: pair & 0xFFFF)), Float(Int32(pair >> 16)))
              * weight
          }
        }
        for x in 1...reach { blend[-x] = blend[0] }
        for x in width..<width + reach + 2 { blend[x] = blend[width - 1] }
        let (cb, cr) = (row.baseAddress!, row.baseAddress! + row.count / 2)
        across.weights.withUnsafeBufferPointer { weights in
          for site in 0..<half {
            var sum = SIMD2<Float>(repeating: 0.5)
            for tap in 0...2 * reach {
              sum += blend[2 &* site &+ parity &+ tap &- reach] * weights[tap]
            }
            cb[padding &+ site] = UInt16(sum.x)
            cr[padding &+ site] = UInt16(sum.y)
          }
        }
        for plane in [cb, cr] {
          plane.update(repeating: plane[padding], count: padding)
          (plane + padding + half).update(repeating: plane[padding + half - 1], count: padding)
        }
      }
    }
    PlaneMemory.deallocate(sharp)
  }

  private static func inside(_ index: Int, _ count: Int) -> Int { min(max(index, 0), count - 1) }

  /// The code of each step of linear light.
  static func lumaCodes(_ format: VideoFormat) -> [UInt8] {
    guard case .colour(let weights, let offset) = FrameEncoder.source(.luma, format) else {
      preconditionFailure("luma is made of colour")
    }
    return TransferFunction.sRGB.withEncoder { encode in
      (0..<lightSteps).map {
        UInt8(weights.sum() * encode(Float($0) / Float(lightSteps - 1)) + offset + 0.5)
      }
    }
  }
}

/// Turns samples in linear light into the light of their luma and the codes of their chroma.
private struct SampleCodes: Sendable {
  private let luma: SIMD3<Float>
  private let cb: SIMD3<Float>
  private let cr: SIMD3<Float>
  private let offset: Float
  private let kernels: InstructionSet
  /// Linear light, 0…`lightMost`, of encoded luma.
  private let light: [UInt16]

  /// Steps of encoded luma: far below a code.
  private static let steps = 8192

  init(_ format: VideoFormat, _ kernels: InstructionSet) {
    self.kernels = kernels
    let (red, blue) = format.matrix.lumaWeights
    luma = SIMD3(red, 1 - red - blue, blue)
    guard case .colour(let cb, let offset) = FrameEncoder.source(.cb, format),
      case .colour(let cr, _) = FrameEncoder.source(.cr, format)
    else { preconditionFailure("chroma is made of colour") }
    (self.cb, self.cr, self.offset) = (cb * 256, cr * 256, offset * 256)
    let linear = TransferFunction.sRGB.linear16
    light = (0...Self.steps).map {
      UInt16(linear[($0 * 65535 + Self.steps / 2) / Self.steps] * Float(lightMost) + 0.5)
    }
  }

  /// - Parameters:
  ///   - luma: filled with linear light.
  ///   - chroma: filled with pairs of codes in 1/256, if there.
  func put(
    _ row: UnsafeBufferPointer<SIMD4<Float>>, luma: UnsafeMutableBufferPointer<UInt16>,
    chroma: UnsafeMutablePointer<UInt32>?
  ) {
    let width = row.count
    // In whole vectors: what is beyond the last sample has to be a number.
    let room = (width + 7) / 8 * 8
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: room) { samples in
      samples.initialize(repeating: .zero)
      samples.baseAddress!.update(from: row.baseAddress!, count: width)
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * room) { encoded in
        TransferFunction.sRGB.withTable {
          kernels.encodeLight(samples.baseAddress!, room, $0, $1, encoded.baseAddress!)
        }
        put(encoded.baseAddress!, room, luma: luma, chroma: chroma)
      }
    }
  }

  /// - Parameter encoded: R', G' and B', rows of `room` samples one behind the other.
  private func put(
    _ encoded: UnsafePointer<Float>, _ room: Int, luma: UnsafeMutableBufferPointer<UInt16>,
    chroma: UnsafeMutablePointer<UInt32>?
  ) {
    let width = luma.count
    light.withUnsafeBufferPointer { light in
      for x in stride(from: 0, to: width, by: Lanes.scalarCount) {
        func load(_ channel: Int) -> Lanes {
          UnsafeRawPointer(encoded + channel * room + x).loadUnaligned(as: Lanes.self)
        }
        let (r, g, b) = (load(0), load(1), load(2))
        func dot(_ w: SIMD3<Float>) -> Lanes { r * w.x + g * w.y + b * w.z }
        let index = (dot(self.luma).clamped(to: 1) * Float(Self.steps)).nearest.index
        let cb = (dot(cb) + offset).clamped(to: 65280).nearest.index
        let cr = (dot(cr) + offset).clamped(to: 65280).nearest.index
        let pairs = cb | cr &<< 16
        for lane in 0..<min(Lanes.scalarCount, width - x) {
          luma[x + lane] = light[Int(index[lane])]
          chroma?[x + lane] = UInt32(bitPattern: pairs[lane])
        }
      }
    }
  }
}

/// What of a layer's samples along an axis makes the chroma of a site: `ChromaFilter`'s weights,
/// spread over the samples that lie between two pixels.
struct ChromaTaps: Sendable {
  static let reach = 2
  /// From `reach` samples before to `reach` behind.
  let weights: [Float]
  /// How far the site lies behind the sample.
  let offset: Float

  /// - Parameters:
  ///   - isBetween: whether sites lie between two pixels, and not on one.
  ///   - step: samples between two pixels, at most 2.
  init(isBetween: Bool, step: Float) {
    offset = isBetween ? 0.5 : 0
    let places: [Float] = isBetween ? [-0.5, 0.5] : [-1, 0, 1]
    let shares: [Float] = isBetween ? [0.5, 0.5] : [0.25, 0.5, 0.25]
    var weights = [Float](repeating: 0, count: 2 * Self.reach + 2)
    for (place, share) in zip(places, shares) {
      let at = place * step + offset
      let lower = at.rounded(.down)
      let index = Int(lower) + Self.reach
      weights[index] += share * (1 - (at - lower))
      weights[index + 1] += share * (at - lower)
    }
    self.weights = Array(weights.dropLast())
  }
}
