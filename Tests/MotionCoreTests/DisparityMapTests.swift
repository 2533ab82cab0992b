import Testing

@testable import MotionCore

@Suite struct DisparityMapTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let kind: DepthKind
    let samples: [Float]
    let expected: [Float]
    var testDescription: String { name }

    init(_ name: String, _ kind: DepthKind, _ samples: [Float], _ expected: [Float]) {
      (self.name, self.kind, self.samples, self.expected) = (name, kind, samples, expected)
    }
  }

  static let white = DepthKind.relative(nearIsWhite: true, range: 4)
  static let black = DepthKind.relative(nearIsWhite: false, range: 4)

  static let cases: [Case] = [
    Case("relative, bright is near", white, [0, 0.5, 1], [0.25, 0.625, 1]),
    Case("relative, dark is near", black, [0, 0.5, 1], [1, 0.625, 0.25]),
    Case("relative, any scale", white, [-30, 10, -10], [0.25, 1, 0.625]),
    Case(
      "relative, unknown", white, [.nan, 2, .infinity, 4, -.infinity], [.nan, 0.25, .nan, 1, .nan]),
    Case("relative, flat", white, [3, 3, .nan], [1, 1, .nan]),
    Case("relative, flat and black", black, [0, 0], [1, 1]),
    Case(
      "relative, the largest floats", white,
      [-.greatestFiniteMagnitude, 0, .greatestFiniteMagnitude], [0.25, 0.625, 1]),
    Case(
      "relative, range 1 is flat", .relative(nearIsWhite: true, range: 1), [0, 1], [1, 1]),
    Case(
      "disparity", .disparity, [0.5, 3, 0, -1, .infinity, .nan, -.infinity],
      [0.5, 3, 0, 0, .nan, .nan, 0]),
    Case(
      "metric", .metric, [2, 0.5, .infinity, 0, -1, .nan, -.infinity],
      [0.5, 2, 0, .nan, .nan, .nan, .nan]),
    Case("metric, no inverse", .metric, [.leastNonzeroMagnitude, -0.0, 4], [.nan, .nan, 0.25]),
  ]

  @Test(arguments: cases) func meaning(_ test: Case) throws {
    let samples = Plane(width: test.samples.count, height: 1, samples: test.samples)
    let map = try DisparityMap(samples: samples, kind: test.kind)
    for (value, expected) in zip(map.disparity.samples, test.expected) {
      #expect(value == expected || (value.isNaN && expected.isNaN), "\(value) for \(expected)")
    }
  }

  @Test func outliersAreClamped() throws {
    // A ramp of 3000 samples with two wild ones at each end, out of order.
    let values: [Float] = (0..<3000).map { index in
      let ramp = (index * 7) % 3000
      return switch ramp {
      case 0, 1: -1000
      case 2998, 2999: 9000
      default: Float(ramp)
      }
    }
    let map = try DisparityMap(
      samples: Plane(width: 100, height: 30, samples: values), kind: Self.white)
    for (value, disparity) in zip(values, map.disparity.samples) {
      let expected = 0.25 + 0.75 * min(max((value - 2) / 2995, 0), 1)
      #expect(abs(disparity - expected) < 1e-5)
    }
    #expect(map.knownRange == 0.25...1)
  }

  @Test func aSmallSubjectIsSeen() throws {
    let samples = Plane<Float>(width: 100, height: 100) { y, row in
      for x in 0..<100 { row[x] = x < 2 && y < 2 ? 0.75 : 0.5 }
    }
    let map = try DisparityMap(samples: samples, kind: Self.white)
    #expect(map.disparity[0, 0] == 1)
    #expect(map.disparity[50, 50] == 0.25)
  }

  @Test func ranksAreThoseOfSorting() {
    var state: UInt32 = 1
    let values: [Float] = (0..<999).map { index in
      state = state &* 1_664_525 &+ 1_013_904_223
      return index % 10 == 0 ? .nan : (Float(state >> 8) - 8_000_000) / Float(1 + index % 5)
    }
    let plane = Plane(width: 37, height: 27, samples: values)
    let sorted = values.filter(\.isFinite).sorted()
    for rank in stride(from: 0, through: sorted.count - 1, by: 29) {
      #expect(plane.finiteValue(rank: rank) == sorted[rank])
    }
  }

  @Test(arguments: [
    (DepthKind.disparity, [Float.nan, .infinity], DisparityMap.Unusable.nothingKnown),
    (.metric, [0, -1, .nan], .nothingKnown),
    (white, [.nan, .infinity], .nothingKnown),
    (white, [], .nothingKnown),
    (.disparity, [0, -1, .nan], .everythingInfinitelyFar),
    (.metric, [.infinity], .everythingInfinitelyFar),
  ])
  func unusable(kind: DepthKind, samples: [Float], error: DisparityMap.Unusable) {
    #expect(throws: error) {
      try DisparityMap(
        samples: Plane(width: samples.count, height: 1, samples: samples), kind: kind)
    }
  }
}
