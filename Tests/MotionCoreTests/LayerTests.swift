import Testing

@testable import MotionCore

@Suite struct LayerTests {
  /// A grey disc on a bright wall with a black shadow and a white line at its foot: within the
  /// feather the photo is darker and lighter than any fill could explain.
  private func scene(width: Int = 160, height: Int = 120) async throws -> Scene {
    var fixture = SphereBeforeWall(width: width, height: height, radius: 30)
    fixture.sphere = { _, _ in SIMD3(0.3, 0.25, 0.2) }
    fixture.wall = { x, y in
      if y > 84, y < 91, abs(x - 80) < 30 { return SIMD3(0.004, 0.002, 0.001) }
      if y >= 91, y < 93, abs(x - 80) < 30 { return SIMD3(repeating: 1) }
      return SIMD3(0.5, 0.35, 0.25)
    }
    return try await Scene(
      photo: fixture.photo, depth: nil, matte: fixture.matte,
      output: Size(width: width, height: height))
  }

  /// A card takes no light away and adds none beyond white, so that it looks the same over whatever
  /// it moves to; over its own background it is the photo.
  @Test func aCardHasAColourAndLaidDownIsThePhoto() async throws {
    let scene = try await scene()
    let grid = scene.pictureGrid
    let layers = await scene.layers(.layered, on: grid)
    let photo = await scene.photo.linear(onto: grid)
    let given = await scene.coverage.finished(scene.photo.linear(onto: grid), on: grid)
    let (background, card) = (layers[0].colour, layers[1].colour)
    let (left, top) = grid.samples(to: layers[1].grid)
    var (raised, darkest) = (0, Float(0))
    for y in 0..<card.height {
      for x in 0..<card.width {
        let (over, under) = (card[x, y], background[left + x, top + y])
        for channel in 0..<3 {
          let slack = Scene.invisible(under[channel]) + 1e-5
          #expect(over[channel] >= -slack && over[channel] <= over.w + slack)
          let both = over[channel] + under[channel] * (1 - over.w)
          #expect(abs(both - photo[left + x, top + y][channel]) < 1e-5)
        }
        let coverage = given[left + x, top + y]
        #expect(over.w >= coverage && (coverage > 0 || over.w == 0))
        if over.w > coverage + 0.1 { raised += 1 }
        let plain = photo[left + x, top + y] - under * (1 - coverage)
        if coverage > 0 { darkest = min(darkest, plain.x) }
      }
    }
    // With the coverage as it is, the card would have taken light away.
    #expect(raised > 20 && darkest < -0.1)
  }

  /// What nobody sees, noise and colours beyond sRGB, covers nothing.
  @Test func onlyWhatIsSeenRaisesTheCoverage() {
    let pairs: [(seen: SIMD4<Float>, behind: SIMD4<Float>)] = [
      ([0.3, -0.0021, 0.2, 1], [0.3, -0.002, 0.2, 1]),
      ([1.05, 0.5, 0.5, 1], [1.049, 0.5, 0.5, 1]),
      ([0.0002, 0, 0, 1], [0.0004, 0, 0, 1]), ([1, 1, 1, 1], [0.997, 0.997, 0.997, 1]),
      ([-0.2, 0, 0, 1], [0, 0, 0, 1]),
    ]
    for (seen, behind) in pairs { #expect(Scene.leastCoverage(seen, before: behind) == 0) }
    let half = Scene.leastCoverage([0.25, 0.5, 0.75, 1], before: [0.5, 0.5, 0.5, 1])
    #expect(abs(half - 0.5) < 0.01)
    #expect(Scene.leastCoverage([0, 0, 0, 1], before: [1, 1, 1, 1]) > 0.99)
  }

  /// Seen from aside, something is left of the light where the shadow that the feather took along
  /// lies on the shadow that stayed.
  @Test func noBlotsAreLeftAside() async throws {
    let scene = try await scene()
    let shot = try await scene.shot(.named("sway")!, amount: 1.5)
    #expect(shot.framing.amountUsed == 1.5)
    for pixel in shot.linear(shot.loop.pose(id: 30)).samples {
      #expect(min(pixel.x, pixel.y, pixel.z) > 1e-6)
    }
  }
}
