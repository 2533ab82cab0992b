extension Plane<Float> {
  /// The subject that is meant, of all that a mask covers: the other ones become 0.
  ///
  /// What is covered by more than half is parted where it does not hang together, or where the depth
  /// leaps from one sample to the next; what is covered less belongs to the nearest part. The part
  /// under the tap is taken, else the one that weighs most round the middle of the picture.
  ///
  /// - Parameters:
  ///   - depth: how near each place is, 0…1, at the mask's size; nil where nobody knows it.
  ///   - tap: the place that is meant, as fractions of the sides.
  /// - Returns: nil where nothing is covered by more than half.
  public func instance(under tap: SIMD2<Double>?, depth: Plane<Float>?) -> Plane<Float>? {
    precondition(depth.map { $0.size == size } ?? true)
    let coverage = samples
    let covered = coverage.map { $0 > 0.5 }
    guard covered.contains(true) else { return nil }
    // In a finer picture a leap is spread over more samples.
    let leap = Instance.leap * min(1, Instance.longSide / Float(size.longSide))
    let near = depth?.samples
    var parts = ConnectedParts(covered, width: width) { i, next in
      // A depth that is not known parts nothing.
      near.map { !(abs($0[i] - $0[next]) > leap) } ?? true
    }
    var areas = [Int](repeating: 0, count: parts.count + 1)
    for label in parts.labels { areas[label] += 1 }
    areas[0] = 0
    let least = Int(Float(areas.max()!) * Instance.leastShare)
    // Splinters, as along a leap, belong to the nearest part too.
    for i in parts.labels.indices where areas[parts.labels[i]] < least { parts.labels[i] = 0 }
    spread(&parts.labels)

    let (middle, long) = (SIMD2(Float(width), Float(height)) / 2, Float(size.longSide))
    var weights = [Float](repeating: 0, count: parts.count + 1)
    for y in 0..<height {
      for x in 0..<width where covered[y * width + x] {
        let offset = (SIMD2(Float(x), Float(y)) + 0.5 - middle) / long
        weights[parts.labels[y * width + x]] += 1 / (1 + 16 * (offset * offset).sum())
      }
    }
    var chosen = weights.indices.dropFirst().max { weights[$0] < weights[$1] }!
    if let tap {
      let x = min(max(Int(tap.x * Double(width)), 0), width - 1)
      let y = min(max(Int(tap.y * Double(height)), 0), height - 1)
      if covered[y * width + x] { chosen = parts.labels[y * width + x] }
    }
    let labels = parts.labels
    return Plane(width: width, height: height) { y, row in
      for x in row.indices {
        row[x] = labels[y * width + x] == chosen ? coverage[y * width + x] : 0
      }
    }
  }

  /// Gives every sample without a label that of the nearest one with, by steps along the sides.
  private func spread(_ labels: inout [Int]) {
    var front = labels.indices.filter { labels[$0] != 0 }
    while !front.isEmpty {
      var next: [Int] = []
      for i in front {
        func reach(_ neighbour: Int) {
          guard labels[neighbour] == 0 else { return }
          labels[neighbour] = labels[i]
          next.append(neighbour)
        }
        let x = i % width
        if x > 0 { reach(i - 1) }
        if x < width - 1 { reach(i + 1) }
        if i >= width { reach(i - width) }
        if i + width < labels.count { reach(i + width) }
      }
      front = next
    }
  }
}

/// What tells one subject from another.
private enum Instance {
  /// Neighbours in a picture of this long side whose depth differs by more do not hang together: a
  /// network's depth spreads a step over some samples. Tunable.
  static let leap: Float = 0.08
  static let longSide: Float = 160
  /// A part this much smaller than the largest is no subject.
  static let leastShare: Float = 0.02
}
