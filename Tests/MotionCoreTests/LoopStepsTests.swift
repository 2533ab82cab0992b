import Testing

@testable import MotionCore

@Suite struct LoopStepsTests {
  @Test func figures() {
    let odd = LoopSteps(seam: 2, steps: [3, 1, 2])
    #expect(odd.least == 1 && odd.median == 2 && odd.largest == 3 && !odd.seamIsSeen)
    let even = LoopSteps(seam: 4, steps: [4, 1, 2, 3])
    #expect(even.median == 2.5 && !even.seamIsSeen)
    #expect(LoopSteps(seam: 4.001, steps: [4, 1, 2, 3]).seamIsSeen)
    let one = LoopSteps(seam: 0, steps: [1])
    #expect(one.least == 1 && one.median == 1 && one.largest == 1)
  }

  /// A loop out and back takes its first step at the seam once more, backwards.
  @Test(arguments: [1, 3])
  func stepsAreThoseOfTheFrames(_ threads: Int) async throws {
    let scene = try await SphereBeforeWall(width: 64, height: 48, radius: 12).scene()
    let shot = try await scene.shot(.push, period: 8, pixelFormat: .rgb24)
    let frames = (0...8).map { shot.frame(UInt64($0)).bytes }
    let differences = (0..<8).map { n in
      let sum = zip(frames[n], frames[n + 1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      return Double(sum) / Double(frames[n].count)
    }
    let steps = try await shot.steps(threads: threads)
    #expect(steps == LoopSteps(seam: differences[7], steps: Array(differences[..<7])))
    #expect(steps.seam == differences[0] && steps.largest > steps.seam && !steps.seamIsSeen)
  }
}
