import Testing

@testable import MotionCore

/// What every move owes to the camera it imitates, measured on drawn frames.
@Suite struct GeometryTests {
  @Test(arguments: Move.all)
  func theSubjectStaysInPlaceAtEveryPose(move: Move) async throws {
    let scene = try await SphereBeforeWall(width: 320, height: 240, radius: 60).scene()
    let shot = try await scene.shot(move, period: 24)
    #expect(shot.framing.amountUsed == 1)
    let magenta = { (pixel: SIMD4<Float>) in max(pixel.x - pixel.y - 0.02, 0) }
    let home = shot.framing.window.framePoint(scene.target, crop: shot.framing.crop)
    for id in Set((0..<24).map { shot.loop.poseID(ofFrame: $0) }) {
      let seen = shot.linear(shot.loop.pose(id: id)).centroid(magenta)
      #expect(length(seen - home) < 0.5, "\(move), pose \(id)")
    }
  }

  /// In vertigo what is as far as the subject keeps its size, and the wall grows behind it.
  @Test func vertigoKeepsTheSubjectsSize() async throws {
    let dot = { (x: Double, y: Double, at: SIMD2<Double>) in
      let d = length(SIMD2(x, y) - at)
      return min(max(2.5 - d, 0), 1)
    }
    let onSphere = [SIMD2(180.0, 180.0), SIMD2(220.0, 180.0)]
    let onWall = [SIMD2(180.0, 40.0), SIMD2(220.0, 40.0)]
    var fixture = SphereBeforeWall(width: 400, height: 360, radius: 70)
    fixture.sphere = { x, y in SIMD3(repeating: onSphere.map { dot(x, y, $0) }.max()!) }
    fixture.wall = { x, y in SIMD3(repeating: onWall.map { dot(x, y, $0) }.max()!) }
    // The subject is a card of its own: its depth is one value.
    let scene = try await Scene(
      photo: fixture.photo,
      depth: DisparityMap(
        disparity: plane(400, 360) { x, y in fixture.distance(x, y) < 70 ? 1 : 0.5 }),
      matte: fixture.matte, output: Size(width: 400, height: 360))
    let shot = try await scene.shot(.named("vertigo")!)
    #expect(shot.framing.amountUsed == 1)
    #expect(shot.framing.crop == 1.04)
    let frame = shot.linear(shot.loop.pose(id: 60))
    func gap(rows: Range<Int>) -> Double {
      let (left, right) = (
        frame.centroid(columns: 0..<200, rows: rows) { $0.y },
        frame.centroid(columns: 200..<400, rows: rows) { $0.y }
      )
      return length(right - left)
    }
    #expect(abs(gap(rows: 150..<210) - 40 * shot.framing.crop) < 1)
    #expect(gap(rows: 0..<60) > 44)
  }

  /// A picture that has not moved is the photo, soft hair included.
  @Test(arguments: Move.all)
  func atAmountZeroTheFrameIsThePhoto(move: Move) async throws {
    let (width, height) = (240, 180)
    // Strands a third to two pixels wide over a textured wall.
    let coverage = { (x: Double, y: Double) in
      let body = min(max(50 - length(SIMD2(x - 120, y - 110)) + 0.5, 0), 1)
      let strand = (0..<9).map { i -> Double in
        let along = (y - 20) / 60
        let centre = 80 + Double(i) * 10 + 6 * along * along
        let half = 0.2 + 0.1 * Double(i)
        return y > 20 && y < 80 ? min(max(half - abs(x - centre) + 0.5, 0), min(1, 2 * half)) : 0
      }.max()!
      return max(body, strand)
    }
    let photo = paint(width, height) { x, y in
      let wall = SIMD3(0.2 + 0.15 * Double((Int(x) * 7 + Int(y) * 13) % 11) / 11, 0.3, 0.4)
      let a = coverage(x, y)
      return SIMD3(0.5, 0.35, 0.1) * a + wall * (1 - a)
    }
    let scene = try await Scene(
      photo: photo, depth: nil, matte: Matte(coverage: plane(width, height, coverage)),
      output: photo.size)
    let shot = try await scene.shot(move, amount: 0)
    #expect(shot.framing.amountUsed == 0)
    #expect(shot.framing.crop == 1)
    let grid = Grid(photo: photo.size, density: 1)
    let truth = await photo.linear(onto: grid)
    for n in [0, 30, 60, 77] as [UInt64] {
      let linear = shot.linear(shot.loop.pose(id: shot.loop.poseID(ofFrame: n)))
      var error = 0.0
      for (a, b) in zip(linear.samples, truth.samples) {
        let difference = a - b
        error += Double(abs(difference.x) + abs(difference.y) + abs(difference.z)) / 3
      }
      #expect(error / Double(width * height) < 0.02)
      let codes = shot.frame(n).bytes
      let worst = TransferFunction.sRGB.withEncoder { encode in
        zip(codes, truth.samples.flatMap { [$0.x, $0.y, $0.z] }).map { code, linear in
          abs(Float(code) - encode(linear) * 255)
        }.max()!
      }
      #expect(worst <= 1)
    }
  }

  /// A photo that is larger than the output is at rest what scaling it down gives, at the very edge
  /// of the subject too.
  @Test(arguments: Move.all, [2.1, 1.37])
  func aLargerPhotoIsScaledDownAndNothingElse(move: Move, scale: Double) async throws {
    var fixture = SphereBeforeWall(width: 420, height: 320, radius: 60)
    fixture.wall = { x, y in
      SIMD3(repeating: (Int(x / 3) + Int(y / 3)) % 2 == 0 ? 0.6 : 0.05)
    }
    let output = Size(width: Int(420 / scale) / 2 * 2, height: Int(320 / scale) / 2 * 2)
    let scene = try await fixture.scene(output: output)
    let framing = Framing(scene, move: move, amount: 1, output: output)
    let layers = await scene.layers(.layered, for: framing)
    let truth = await fixture.photo.linear(onto: framing.layerGrid)
    let coverage = await scene.coverage.finished(
      scene.photo.linear(onto: framing.layerGrid), on: framing.layerGrid)
    for y in 0..<truth.height {
      for x in 0..<truth.width where coverage[x, y] == 0 {
        let difference = layers[0].colour[x, y] - truth[x, y]
        #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-5)
      }
    }
  }

  /// No number in a depth picture, however wild, can do more than look odd.
  @Test(arguments: [1e-30, 1e-6, 1, 1e6, 1e30], [1e-30, 0, 1e30, Double.nan])
  func wildDepthsAreDrawn(subject: Double, wall: Double) async throws {
    let fixture = SphereBeforeWall(width: 64, height: 48, radius: 12)
    let depth = plane(64, 48) { x, y in
      fixture.distance(x, y) < 12 ? subject : x < 3 ? wall : subject / 2
    }
    let scene = try await Scene(
      photo: fixture.photo, depth: DisparityMap(disparity: depth), matte: fixture.matte,
      output: Size(width: 64, height: 48))
    for move in Move.all {
      let shot = try await scene.shot(move, period: 4)
      #expect(shot.frame(1).bytes.count == 64 * 48 * 3)
      #expect(shot.frame(2).bytes.count == 64 * 48 * 3)
    }
  }

  /// No whole-pixel steps and no jitter: a dot on the wall moves as the formula says.
  @Test func aDotMovesSmoothlyUnderASlowPush() async throws {
    let dot = SIMD2(135.0, 38.0)
    var fixture = SphereBeforeWall(width: 200, height: 150, radius: 18)
    fixture.sphere = { _, _ in .zero }
    fixture.wall = { x, y in
      let d = length(SIMD2(x, y) - dot)
      return SIMD3(repeating: 0.9 * Math.exp(-d * d / (2 * 1.8 * 1.8)))
    }
    let scene = try await fixture.scene()
    let shot = try await scene.shot(.push, period: 480)
    #expect(shot.framing.amountUsed == 1)
    let delta = 0.5 / scene.subjectDisparity
    for n in 0...240 as ClosedRange<UInt64> {
      let pose = shot.loop.pose(id: shot.loop.poseID(ofFrame: n))
      let seen = shot.framing.camera(pose).project(dot, disparity: delta)
      let expected = shot.framing.window.framePoint(seen, crop: shot.framing.crop)
      let (x, y) = (Int(expected.x), Int(expected.y))
      let centroid = shot.linear(pose).centroid(
        columns: x - 9..<x + 10, rows: y - 9..<y + 10
      ) { $0.y }
      #expect(length(centroid - expected) < 0.03, "frame \(n)")
    }
  }
}
