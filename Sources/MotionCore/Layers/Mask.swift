extension Plane<Float> {
  /// Grey dilation by a disc of `radius` samples: each sample becomes the largest near it.
  ///
  /// Neighbours beyond the radius count less and less over one more sample, so that fractional radii
  /// grow an edge by a fraction.
  func dilated(by radius: Float) async -> Plane<Float> {
    let reach = Int(radius.rounded(.up))
    if reach == 0 { return self }
    var offsets: [(dx: Int, dy: Int, weight: Float)] = []
    for dy in -reach...reach {
      for dx in -reach...reach {
        let weight = min(max(radius + 1 - Float(dx * dx + dy * dy).squareRoot(), 0), 1)
        if weight > 0 { offsets.append((dx, dy, weight)) }
      }
    }
    let tiles = await EvenTiles(self, reach: reach)
    return await Plane(width: width, height: height) { [offsets] y, row in
      withUnsafeSamples { source in
        tiles.forEachRun(ofRow: y) { columns, value in
          if let value {
            // A sample's own weight is 1.
            for x in columns { row[x] = Swift.max(value, 0) }
            return
          }
          for x in columns { row[x] = 0 }
          for (dx, dy, weight) in offsets where y + dy >= 0 && y + dy < height {
            let line = (y + dy) * width + dx
            let inside = columns.clamped(to: Swift.max(0, -dx)..<Swift.max(0, -dx, width - dx))
            for x in inside {
              let value = source[line + x] * weight
              row[x] = value > row[x] ? value : row[x]
            }
          }
        }
      }
    }
  }

  /// Gaussian blur of standard deviation `sigma` samples; the edge repeats.
  func blurred(sigma: Float) async -> Plane<Float> {
    let reach = Int((3 * sigma).rounded(.up))
    if reach == 0 { return self }
    var kernel = (-reach...reach).map { offset in
      let x = Double(offset) / Double(sigma)
      return Float((Math.exp(-x * x / 2) * 0x1p24).rounded() / 0x1p24)
    }
    let sum = kernel.reduce(0, +)
    kernel = kernel.map { $0 / sum }
    let tiles = await EvenTiles(self, reach: reach)
    let across = await Plane(width: width, height: height) { [kernel] y, row in
      // The row with its ends repeated on both sides.
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width + 2 * reach) { line in
        withUnsafeSamples { source in
          for i in line.indices {
            line[i] = source[y * width + Swift.min(Swift.max(i - reach, 0), width - 1)]
          }
        }
        tiles.forEachRun(ofRow: y) { columns, value in
          if let value {
            let sum = kernel.reduce(0) { $0 + value * $1 }
            for x in columns { row[x] = sum }
            return
          }
          for x in columns { row[x] = 0 }
          for (offset, weight) in kernel.enumerated() {
            for x in columns { row[x] += line[x + offset] * weight }
          }
        }
      }
    }
    return await Plane(width: width, height: height) { [kernel] y, row in
      across.withUnsafeSamples { source in
        tiles.forEachRun(ofRow: y) { columns, value in
          if value != nil {
            let own = source[y * width + columns.lowerBound]
            let sum = kernel.reduce(0) { $0 + own * $1 }
            for x in columns { row[x] = sum }
            return
          }
          for x in columns { row[x] = 0 }
          for (offset, weight) in kernel.enumerated() {
            let line = Swift.min(Swift.max(y + offset - reach, 0), height - 1) * width
            for x in columns { row[x] += source[line + x] * weight }
          }
        }
      }
    }
  }

  /// 1 where every sample within `radius` (Euclidean, in samples) is at most `threshold`, else 0.
  func clear(of threshold: Float, by radius: Float) async -> Plane<Float> {
    // Farther than from end to end there is nothing.
    let radius = Swift.min(radius, Float(Swift.min(width + height, 32768)))
    let reach = Int32(radius)
    // Per sample, the distance to the nearest sample above the threshold in its own column, in two
    // sweeps; `reach + 1` means none is near enough.
    let column = Plane<Int32>(width: width, height: height) { column in
      withUnsafeSamples { source in
        for i in column.indices { column[i] = source[i] > threshold ? 0 : reach + 1 }
        for y in 1..<Swift.max(height, 1) {
          for i in y * width..<(y + 1) * width {
            column[i] = Swift.min(column[i], column[i - width] + 1)
          }
        }
        for y in (0..<Swift.max(height - 1, 0)).reversed() {
          for i in y * width..<(y + 1) * width {
            column[i] = Swift.min(column[i], column[i + width] + 1)
          }
        }
      }
    }
    let limit = Int32(radius * radius)
    return await Plane(width: width, height: height) { y, row in
      row.initialize(repeating: 1)
      for x in 0..<width {
        let vertical = column[x, y]
        if vertical > reach { continue }
        let half = Int(Float(limit - vertical * vertical).squareRoot())
        for near in Swift.max(0, x - half)..<Swift.min(width, x + half + 1) { row[near] = 0 }
      }
    }
  }
}
