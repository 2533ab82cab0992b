import Testing

@testable import MotionCore

@Suite struct FramingTests {
  /// A wall that comes nearer towards the picture's lower edge, as a table does.
  private func tableScene(tap: SIMD2<Double>? = nil) async throws -> Scene {
    let fixture = SphereBeforeWall(width: 200, height: 150, radius: 30)
    return try await Scene(
      photo: fixture.photo,
      depth: DisparityMap(
        disparity: plane(200, 150) { x, y in
          fixture.distance(x, y) < 30 ? 1 : y < 90 ? 0.5 : 0.5 + (y - 90) / 60 * 1.5
        }), matte: fixture.matte, tap: tap, output: Size(width: 200, height: 150))
  }

  @Test(arguments: Move.all, [0.0, 0.5, 1, 3])
  func noPoseLooksBeyondThePhoto(move: Move, amount: Double) async throws {
    for tap in [nil, SIMD2(0.1, 0.9), SIMD2(0.5, 0.5)] as [SIMD2<Double>?] {
      let scene = try await tableScene(tap: tap)
      let framing = Framing(
        scene, move: move, amount: amount, output: Size(width: 160, height: 90))
      #expect(framing.amountUsed <= amount)
      #expect(framing.crop <= 1.15)
      #expect(framing.crop >= Framing.leastCrop(amount: framing.amountUsed))
      for pose in [.rest] + move.extremes(amount: framing.amountUsed) {
        let lookup = SheetLookup(
          scene.backgroundDisparity, rounds: 32, camera: framing.camera(pose))
        for x in 0..<160 {
          for y in 0..<90 where x == 0 || y == 0 || x == 159 || y == 89 {
            let q = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
            let p = lookup.photoPoint(framing.window.photoPoint(q, crop: framing.crop))
            #expect(p.x >= 0 && p.y >= 0 && p.x <= 200 && p.y <= 150)
          }
        }
      }
    }
  }

  @Test func anAmountWithoutRoomIsReduced() async throws {
    let scene = try await tableScene(tap: SIMD2(0.5, 0.02))
    let framing = Framing(
      scene, move: .named("vertigo")!, amount: 3, output: Size(width: 200, height: 150))
    #expect(framing.amountAsked == 3)
    #expect(framing.amountUsed < 3)
    #expect(framing.amountUsed > 0)
  }

  @Test func amountZeroIsNotCropped() async throws {
    let scene = try await tableScene()
    #expect(Framing(scene, move: .push, amount: 0, output: scene.photo.size).crop == 1)
  }

  /// A tap on the background keeps the target there and the distance the subject's.
  @Test func aTapOnTheBackgroundIsSaid() async throws {
    let fixture = SphereBeforeWall(width: 200, height: 150, radius: 30)
    let untapped = try await fixture.scene()
    let tapped = try await fixture.scene(tap: SIMD2(0.1, 0.1))
    #expect(tapped.notes == [.tapOnBackground])
    #expect(tapped.target == SIMD2(20, 15))
    #expect(tapped.subjectDisparity == untapped.subjectDisparity)
    #expect(try await fixture.scene(tap: SIMD2(0.5, 0.5)).notes.isEmpty)
  }
}
