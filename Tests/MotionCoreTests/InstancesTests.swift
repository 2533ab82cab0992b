import Testing

@testable import MotionCore

@Suite struct InstancesTests {
  /// A picture from lines of digits, tenths.
  private func plane(_ lines: String...) -> Plane<Float> {
    let rows = lines.map { $0.map { Float(String($0))! / 9 } }
    return Plane(width: rows[0].count, height: rows.count, samples: rows.flatMap { $0 })
  }

  private let two = ["00000000000", "09990003990", "09993003990", "00000000000"]

  private func chosen(_ x: Double?, depth: Plane<Float>? = nil) -> [Float]? {
    let mask = plane(two[0], two[1], two[2], two[3])
    return mask.instance(under: x.map { SIMD2($0, 0.5) }, depth: depth)?.samples
  }

  @Test func thePartUnderTheTap() throws {
    let left = try #require(chosen(0.2))
    let right = try #require(chosen(0.8))
    let mask = plane(two[0], two[1], two[2], two[3]).samples
    // Together they are the mask, soft edges included, and nothing is in both.
    #expect(zip(left, right).map { $0 + $1 } == mask)
    #expect(left[11 + 2] == 1 && left[11 + 8] == 0 && right[11 + 2] == 0 && right[11 + 8] == 1)
    #expect(left[22 + 4] > 0 && right[22 + 7] > 0)
  }

  @Test func withoutATapTheMostInTheMiddle() {
    #expect(chosen(nil) == chosen(0.2))
    // The background is no part.
    #expect(chosen(0.5) == chosen(0.2))
  }

  @Test func nothing() {
    #expect(plane("0400", "0040").instance(under: nil, depth: nil) == nil)
  }

  @Test func aLeapOfTheDepthParts() throws {
    let mask = Plane<Float>(width: 40, height: 20, repeating: 1)
    let depth = Plane<Float>(width: 40, height: 20) { _, row in
      for x in row.indices { row[x] = x < 25 ? 0.9 : 0.3 }
    }
    let near = try #require(mask.instance(under: SIMD2(0.2, 0.5), depth: depth))
    let far = try #require(mask.instance(under: SIMD2(0.8, 0.5), depth: depth))
    #expect(near[24, 10] == 1 && near[25, 10] == 0 && far[24, 10] == 0 && far[25, 10] == 1)
    // A slope does not, nor does what nobody knows.
    let slope = Plane<Float>(width: 40, height: 20) { _, row in
      for x in row.indices { row[x] = Float(x) / 40 }
    }
    #expect(mask.instance(under: SIMD2(0.2, 0.5), depth: slope)?.samples == mask.samples)
    let unknown = Plane<Float>(width: 40, height: 20, repeating: .nan)
    #expect(mask.instance(under: nil, depth: unknown)?.samples == mask.samples)
  }

  @Test func splintersBelongToTheirNeighbours() throws {
    let mask = Plane<Float>(width: 60, height: 60) { y, row in
      for x in row.indices { row[x] = x < 50 || (x == 55 && y == 30) ? 1 : 0 }
    }
    let whole = try #require(mask.instance(under: SIMD2(55.5 / 60, 30.5 / 60), depth: nil))
    #expect(whole.samples == mask.samples)
  }
}
