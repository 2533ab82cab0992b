import Testing

@testable import MotionCore

@Suite struct SharpnessTests {
  /// A sphere and a wall with ripples a few pixels wide, in a photo three times as fine as the frame.
  private func scene() async throws -> Scene {
    func ripples(_ x: Double, _ y: Double) -> SIMD3<Double> {
      let wave = { (s: Double) in abs(s - s.rounded()) * 4 - 1 }
      return SIMD3(repeating: 0.3 + 0.07 * (wave(x / 23 + y / 61) + wave(y / 19 - x / 83)))
    }
    let fixture = SphereBeforeWall(
      width: 960, height: 720, radius: 250, sphere: ripples, wall: ripples)
    return try await fixture.scene(output: Size(width: 320, height: 240))
  }

  /// The mean step from a pixel to the next, to the right and below.
  private func sharpness(_ frame: Frame, _ size: Size) -> Double {
    frame.withUnsafeBytes { bytes in
      var sum = 0
      for y in 0..<size.height - 1 {
        for x in 0..<3 * (size.width - 1) {
          let i = 3 * y * size.width + x
          sum += abs(Int(bytes[i + 3 * size.width]) - Int(bytes[i]))
          sum += abs(Int(bytes[i + 3]) - Int(bytes[i]))
        }
      }
      return Double(sum) / Double(6 * (size.width - 1) * (size.height - 1))
    }
  }

  /// No frame looks softer or sharper than the one before it.
  @Test(arguments: ["push", "vertigo", "sway"]) func aLoopDoesNotBreathe(move: String) async throws
  {
    let size = Size(width: 320, height: 240)
    let shot = try await scene().shot(Move.named(move)!, output: size)
    var before: Double?
    for n: UInt64 in Array(0...4) + Array(52...60) {
      let here = sharpness(shot.frame(n), size)
      if let before, n != 52 {
        #expect(abs(here / before - 1) < 0.012, "\(move), frame \(n): \(before) to \(here)")
      }
      before = here
    }
  }
}
