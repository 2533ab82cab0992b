import Testing

@testable import MotionCore

@Suite struct DepthGateTests {
  /// Ten samples on the subject and two far behind it, which the mask has taken in.
  @Test func whatLiesFarBehindIsLeftOut() {
    let depth = Plane<Float>(
      width: 13, height: 1,
      samples: [0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.2, 0.69, .nan])
    let mask = Plane<Float>(
      width: 13, height: 1, samples: [Float](repeating: 1, count: 10) + [1, 0.5, 0.8])
    let gated = mask.gated(by: depth)
    #expect(gated.samples[0..<10] == mask.samples[0..<10])
    #expect(gated[10, 0] == 0)
    // At 0.69 the gate, which closes from 0.73 to 0.65, is half open.
    #expect(abs(gated[11, 0] - 0.25) < 0.01)
    // What nobody knows is let pass.
    #expect(gated[12, 0] == 0.8)
  }

  /// A subject that is deep keeps more of what is behind its middle.
  @Test func deepSubjects() {
    let depth = Plane<Float>(width: 20, height: 1) { _, row in
      for x in row.indices { row[x] = x < 15 ? 0.9 : 0.55 }
    }
    let mask = Plane<Float>(width: 20, height: 1, repeating: 1)
    #expect(mask.gated(by: depth)[19, 0] > 0.5)
    let flat = Plane<Float>(width: 20, height: 1) { _, row in
      for x in row.indices { row[x] = x < 19 ? 0.9 : 0.55 }
    }
    #expect(mask.gated(by: flat)[19, 0] == 0)
  }

  @Test func nothingToGateBy() {
    let mask = Plane<Float>(width: 4, height: 1, samples: [1, 1, 0, 0])
    let unknown = Plane<Float>(width: 4, height: 1, repeating: .nan)
    #expect(mask.gated(by: unknown).samples == mask.samples)
    let empty = Plane<Float>(width: 4, height: 1, repeating: 0)
    #expect(empty.gated(by: mask).samples == empty.samples)
  }

  @Test func nearness() async {
    let map = DisparityMap(
      disparity: Plane(width: 4, height: 1, samples: [2, 4, .nan, 6]), source: .file)
    let near = await map.nearness(at: Size(width: 4, height: 1))
    #expect(near[0, 0] == 0 && near[1, 0] == 0.5 && near[2, 0].isNaN && near[3, 0] == 1)
    let flat = DisparityMap(disparity: Plane(width: 4, height: 1, repeating: 1), source: .file)
    #expect(await flat.nearness(at: Size(width: 2, height: 1))[0, 0].isNaN)
  }
}
