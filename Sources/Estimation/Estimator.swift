public import MotionCore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A subject that a model found, before anything else is done to it.
public struct Lift: Sendable {
  /// How much of each place it covers, 0…1, at the photo's aspect.
  public let coverage: Plane<Float>
  /// Whether there is anything that the model is sure of.
  public let hasSubject: Bool
}

/// A depth that a model guessed.
public struct DepthEstimate: Sendable {
  /// Inverse depth of unknown scale, at the photo's aspect.
  public let samples: Plane<Float>
  public let nearIsWhite: Bool
}

extension Worker {
  /// What the model takes for the subject.
  ///
  /// - Parameter photo: its samples must not be pending.
  public func lift(_ photo: Photo, with model: Model) async throws(EstimationError) -> Lift {
    let raw = try await plane(of: photo, through: model)
    let (low, high) = (raw.bounds.lowerBound, raw.bounds.upperBound)
    let output = model.card.output
    let isDark = output.polarity == .dark
    let scaled: Plane<Float> =
      switch output.scaling ?? .none {
      case .none: raw.map { min(max($0, 0), 1) }
      case .sigmoid: raw.map { 1 / (1 + exp(-$0)) }
      // Halves, since the difference of two floats may be larger than any float.
      case .range where high > low: raw.map { ($0 / 2 - low / 2) / (high / 2 - low / 2) }
      case .range: raw.map { _ in 0 }
      }
    let upright = isDark ? scaled.map { 1 - $0 } : scaled
    // As coarse as it is: that says how far its contour may be off.
    let size = photo.size.scaled(toLongSide: min(upright.size.longSide, photo.size.longSide))
    let coverage = await upright.scaled(to: size)
    let isSure = output.least.map { isDark ? low <= $0 : high >= $0 } ?? true
    return Lift(coverage: coverage, hasSubject: isSure && coverage.bounds.upperBound > 0.5)
  }

  /// How near the model takes everything to be.
  ///
  /// - Parameter photo: its samples must not be pending.
  public func depth(_ photo: Photo, with model: Model) async throws(EstimationError)
    -> DepthEstimate
  {
    let raw = try await plane(of: photo, through: model)
    guard raw.bounds.lowerBound < raw.bounds.upperBound else {
      throw .model(path: model.path, .constant)
    }
    // The model's sides are multiples of something, or fixed.
    let samples = await raw.scaled(to: photo.size.scaled(toLongSide: raw.size.longSide))
    return DepthEstimate(samples: samples, nearIsWhite: model.card.output.polarity != .dark)
  }

  /// The model's one output plane, at the size that it has there.
  private func plane(of photo: Photo, through model: Model) async throws(EstimationError)
    -> Plane<Float>
  {
    let size = model.card.input.size(for: photo.size)
    let pixels = await photo.encoded(at: size)
    let result = try output(of: model, for: Tensor(pixels, model.card.input))
    let sides = result.sides.drop { $0 == 1 }
    // An output of one row or column is none either.
    guard sides.count == 2, sides[sides.startIndex] * size.width == sides.last! * size.height else {
      throw .model(path: model.path, .shape(result.sides, input: [1, 3, size.height, size.width]))
    }
    guard result.samples.allSatisfy(\.isFinite) else {
      throw .model(path: model.path, .notNumbers)
    }
    return Plane(width: sides.last!, height: sides[sides.startIndex], samples: result.samples)
  }
}

extension ModelCard.Input {
  /// The size at which a photo is given to the model.
  func size(for photo: Size) -> Size {
    if let size { return Size(width: size[0], height: size[1]) }
    // The card was checked to have both of these without a size.
    let (step, long) = (multiple!, longSide!)
    let side = min(max(photo.longSide, long[0]), long[1])
    let scaled = photo.scaled(toLongSide: side)
    func rounded(_ length: Int) -> Int {
      min(max((length + step / 2) / step, 1), max(long[1] / step, 1)) * step
    }
    return Size(width: rounded(scaled.width), height: rounded(scaled.height))
  }
}

extension Tensor {
  /// The pixels channel by channel, as a card wants them.
  init(_ pixels: Plane<SIMD4<Float>>, _ input: ModelCard.Input) {
    let count = pixels.width * pixels.height
    let order = input.channels == .bgr ? [2, 1, 0] : [0, 1, 2]
    samples = pixels.withUnsafeSamples { pixels in
      var white: Float =
        switch input.white ?? .one {
        case .one: 1
        case .byte: 255
        case .largest: 0
        }
      if white == 0 {
        var largest: Float = 0
        for pixel in pixels { largest = max(largest, pixel.x, pixel.y, pixel.z) }
        white = largest > 0 ? 1 / largest : 1
      }
      return [Float](unsafeUninitializedCapacity: 3 * count) { samples, initialized in
        for (place, channel) in order.enumerated() {
          let mean = input.mean?[place] ?? 0
          let scale = 1 / (input.deviation?[place] ?? 1)
          for i in 0..<count {
            samples[place * count + i] = (pixels[i][channel] * white - mean) * scale
          }
        }
        initialized = 3 * count
      }
    }
    sides = [1, 3, pixels.height, pixels.width]
  }
}

extension Plane<Float> {
  /// The least and the largest sample, of which there is one.
  fileprivate var bounds: ClosedRange<Float> { withUnsafeSamples { $0.min()!...$0.max()! } }
}
