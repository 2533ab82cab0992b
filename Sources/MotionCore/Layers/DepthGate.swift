extension Plane<Float> {
  /// A mask without what lies far behind its subject: networks that find subjects take in what is
  /// of one colour with them, and depth tells that apart.
  ///
  /// The mask is multiplied by (d − (d₀ − lo)) / 0.08, clamped to 0…1, where d is the depth, d₀ its
  /// median on the subject, and lo, within 0.25…0.4, as much as lets the subject's farthest tenth pass.
  ///
  /// - Parameter depth: how near each place is, 0…1, at the mask's size; NaN, where it is unknown,
  ///   gates nothing.
  public func gated(by depth: Plane<Float>) -> Plane<Float> {
    precondition(depth.size == size)
    var inside: [Float] = []
    for y in 0..<height {
      for x in 0..<width where self[x, y] > 0.5 && !depth[x, y].isNaN { inside.append(depth[x, y]) }
    }
    guard let median = inside.median else { return self }
    let farthest = inside.withUnsafeBufferPointer { $0.value(rank: $0.count / 10) { _ in true } }
    let wanted = median - farthest + Gate.ramp
    let room = Swift.min(Swift.max(wanted, Gate.room.lowerBound), Gate.room.upperBound)
    let level = median - room
    return Plane(width: width, height: height) { y, row in
      for x in row.indices {
        let passed = (depth[x, y] - level) / Gate.ramp
        row[x] = passed.isNaN ? self[x, y] : self[x, y] * Swift.min(Swift.max(passed, 0), 1)
      }
    }
  }
}

private enum Gate {
  /// How far behind its middle a subject may reach, as a part of the depth's range.
  static let room: ClosedRange<Float> = 0.25...0.4
  /// Over how much the gate closes.
  static let ramp: Float = 0.08
}

extension DisparityMap {
  /// How near each place is, 0…1 from the 0.1 to the 99.9 percentile, at any size; NaN where it is
  /// unknown.
  public func nearness(at size: Size) async -> Plane<Float> {
    let known = disparity.withUnsafeSamples { $0.count { $0.isFinite } }
    guard known > 0 else { return Plane(width: size.width, height: size.height, repeating: .nan) }
    let outside = (known - 1) / Self.outliers
    let far = disparity.finiteValue(rank: outside)
    let near = disparity.finiteValue(rank: known - 1 - outside)
    let range = near - far
    guard range > 0 else { return Plane(width: size.width, height: size.height, repeating: .nan) }
    // What is not known counts for nothing, unless it is most of what a sample is made of.
    let sums = await disparity.map { $0.isNaN ? 0 : $0 }.scaled(to: size)
    let shares = await disparity.map { $0.isNaN ? 0 : 1 }.scaled(to: size)
    return await Plane(width: size.width, height: size.height) { y, row in
      for x in row.indices {
        let value = (sums[x, y] / shares[x, y] - far) / range
        row[x] = shares[x, y] < 0.5 ? .nan : Swift.min(Swift.max(value, 0), 1)
      }
    }
  }
}
