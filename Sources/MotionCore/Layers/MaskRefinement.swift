extension Plane<Float> {
  /// The least width, in samples, of the band around a contour in which a mask is uncertain: a
  /// photo's own edges are about as wide.
  private static var leastBand: Float { 2 }
  /// The most; a mask coarser than this is not mended by the photo's colours.
  private static var mostBand: Float { 16 }

  /// A mask whose contour has been moved onto the photo's edge.
  ///
  /// Within a band around the contour the mask is taken from the photo's colours, so far as those of
  /// the subject and of the background can be told apart there; beyond it is 0 or 1. That is done
  /// again and again in ever narrower bands around the contour that came out.
  ///
  /// - Parameters:
  ///   - light: the photo in linear light, of the mask's size.
  ///   - reach: by how many samples the contour may be wrong.
  func refined(by light: Plane<SIMD4<Float>>, reach: Float) async -> Plane<Float> {
    var mask = self
    var band = Swift.min(Swift.max(reach, Self.leastBand), Self.mostBand)
    while true {
      mask = await mask.predicted(
        by: light, known: await mask.sides(within: band), radius: Int((2 * band).rounded(.up)))
      if band <= Self.leastBand { return mask }
      band = Swift.max(band / 2, Self.leastBand)
    }
  }

  /// What a sample and all within `radius` of it (Euclidean, in samples, less than 254) are: 1 for above
  /// ½, 0 for the rest, and NaN where some are this and some are that.
  func sides(within radius: Float) async -> Plane<Float> {
    let reach = Int(radius)
    precondition(reach < 254)
    let beyond = UInt8(reach + 1)
    // How far along a row those are near enough that are so many rows away.
    let limit = Int(radius * radius)
    let halves = (0...reach).map { Int(Float(limit - $0 * $0).squareRoot()) }
    return await Plane(width: width, height: height) { rows, row in
      let span = Swift.max(rows.lowerBound - reach, 0)..<Swift.min(rows.upperBound + reach, height)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * span.count * width) { bytes in
        // Which side a sample is on, and how far it is in its column to one on the other.
        let sides = UnsafeMutableBufferPointer(rebasing: bytes[..<(span.count * width)])
        let distances = UnsafeMutableBufferPointer(rebasing: bytes[(span.count * width)...])
        withUnsafeSamples { samples in
          let first = span.lowerBound * width
          for i in sides.indices { sides[i] = samples[first &+ i] > 0.5 ? 1 : 0 }
        }
        for i in 0..<width { distances[i] = beyond }
        for i in width..<Swift.max(sides.count, width) {
          let next = Swift.min(distances[i &- width] &+ 1, beyond)
          distances[i] = sides[i] == sides[i &- width] ? next : 1
        }
        for i in (0..<sides.count - width).reversed() {
          let next = Swift.min(distances[i], distances[i &+ width] &+ 1)
          distances[i] = sides[i] == sides[i &+ width] ? next : 1
        }
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * (width + 1)) { marks in
          for y in rows {
            let start = (y - span.lowerBound) * width
            Self.mark(
              UnsafeBufferPointer(rebasing: sides[start..<start + width]),
              UnsafeBufferPointer(rebasing: distances[start..<start + width]), halves, marks)
            let target = row(y)
            var (near0, near1): (Int32, Int32) = (0, 0)
            for x in 0..<width {
              near0 &+= marks[2 &* x]
              near1 &+= marks[2 &* x &+ 1]
              let isOne = sides[start &+ x] == 1
              target[x] = (isOne ? near1 : near0) > 0 ? .nan : isOne ? 1 : 0
            }
          }
        }
      }
    }
  }

  /// Where in a row the samples of each side have one of the other within reach: by how many more at each
  /// column than at the one before it, those of 0 first.
  private static func mark(
    _ sides: UnsafeBufferPointer<UInt8>, _ distances: UnsafeBufferPointer<UInt8>, _ halves: [Int],
    _ marks: UnsafeMutableBufferPointer<Int32>
  ) {
    let width = sides.count
    marks.initialize(repeating: 0)
    func mark(_ side: UInt8, _ x: Int, _ half: Int) {
      marks[2 * Swift.max(x - half, 0) + Int(side)] += 1
      marks[2 * Swift.min(x + half + 1, width) + Int(side)] -= 1
    }
    for x in 0..<width {
      if Int(distances[x]) < halves.count { mark(sides[x], x, halves[Int(distances[x])]) }
      if x > 0, sides[x] != sides[x - 1] {
        mark(sides[x], x - 1, halves[0])
        mark(sides[x - 1], x, halves[0])
      }
    }
  }
}
