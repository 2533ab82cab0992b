import Testing

@testable import MotionCore

@Suite struct SceneTests {
  private let size = Size(width: 120, height: 90)

  private func problem(
    photo: Photo? = nil, depth: Plane<Float>? = nil, matte: Plane<Float>? = nil
  ) async -> Scene.Problem? {
    let fixture = SphereBeforeWall(width: 120, height: 90, radius: 25)
    do {
      _ = try await Scene(
        photo: photo ?? fixture.photo, depth: depth.map { DisparityMap(disparity: $0) },
        matte: matte.map { Matte(coverage: $0) }, output: size)
      return nil
    } catch { return error }
  }

  @Test func whatCannotBeUsedIsRefused() async {
    let flat = Plane<Float>(width: 120, height: 90, repeating: 0.5)
    let disc = plane(120, 90) { x, y in length(SIMD2(x - 60, y - 45)) < 25 ? 1 : 0 }
    #expect(await problem() == .nothingToCut)
    #expect(await problem(depth: flat) == .flatDepth)
    #expect(await problem(matte: flat.map { _ in 0 }) == .emptyMatte(.file))
    #expect(await problem(matte: flat.map { _ in 1 }) == .fullMatte(.file))
    #expect(
      await problem(depth: flat.map { _ in 0 }, matte: disc) == .noSubjectDistance)
    // Two by two has no shape of its own, and is still not the photo's.
    let tiny = Plane<Float>(width: 2, height: 2, repeating: 0.5)
    #expect(
      await problem(depth: tiny, matte: disc)
        == .aspect(.depth, Size(width: 2, height: 2), photo: size))
    // One pixel of background is background.
    let pixel = plane(120, 90) { x, y in length(SIMD2(x - 10, y - 10)) < 1 ? 0 : 1 }
    #expect(await problem(matte: pixel) == nil)
    let wide = Plane<Float>(width: 120, height: 60, repeating: 0.5)
    #expect(
      await problem(matte: wide)
        == .aspect(.matte, Size(width: 120, height: 60), photo: size))
    #expect(
      await problem(depth: wide, matte: disc)
        == .aspect(.depth, Size(width: 120, height: 60), photo: size))
  }

  /// The aspect of a small map is known to within a sample of a side.
  @Test(arguments: [(40, 30), (41, 30), (40, 31), (20, 15), (21, 15)])
  func smallMapsFit(width: Int, height: Int) async {
    let matte = plane(width, height) { x, _ in x < 5 ? 1 : 0 }
    #expect(await problem(matte: matte) == nil)
  }

  @Test func aSubjectBehindItsBackgroundIsToldOf() async throws {
    let fixture = SphereBeforeWall(width: 120, height: 90, radius: 25)
    let turned = fixture.depth.disparity.map { 1.5 - $0 }
    // Of a guess nobody said which end is near.
    for (depth, source, isBehind) in [
      (fixture.depth.disparity, .file, false), (turned, .file, true), (turned, .estimated, false),
    ] as [(Plane<Float>, Source, Bool)] {
      let scene = try await Scene(
        photo: fixture.photo, depth: DisparityMap(disparity: depth, source: source),
        matte: fixture.matte, output: size)
      #expect(scene.notes.contains(.subjectBehind) == isBehind)
    }
  }

  /// Matte and depth may be of other sizes than the photo.
  @Test func mapsOfOtherSizesFit() async throws {
    let fixture = SphereBeforeWall(width: 120, height: 90, radius: 25)
    let small = SphereBeforeWall(width: 60, height: 45, radius: 12.5)
    let scene = try await Scene(
      photo: fixture.photo, depth: small.depth, matte: small.matte, output: size)
    #expect(length(scene.target - SIMD2(60, 45)) < 0.2)
    let disparity = await scene.photoDisparity().plane
    let middle = disparity[60, 45]
    #expect(abs(middle - 1) < 0.08)
    // Not smeared: two pixels inside and outside the contour each side keeps its own depth.
    #expect(disparity[60 + 22, 45] > 0.85)
    #expect(disparity[60 + 28, 45] < 0.55)
  }

  /// The background's δ lies on the depth's own samples, or on several for one where those are few, and
  /// is the depth's; pictures are as fine as the output.
  @Test(arguments: [(Size(width: 600, height: 450), 1), (Size(width: 200, height: 150), 3)])
  func coarseDepthStaysCoarse(depth: Size, multiple: Int) async throws {
    let photo = Size(width: 1200, height: 900)
    let sphere = SphereBeforeWall(width: 1200, height: 900, radius: 150)
    // A wall that comes nearer to the right.
    func wall(_ x: Double) -> Double { 0.3 + 0.2 * x / 1200 }
    let sample = Double(photo.width) / Double(depth.width)
    let scene = try await Scene(
      photo: sphere.photo,
      depth: DisparityMap(
        disparity: plane(depth.width, depth.height) { x, y in
          sphere.distance(x * sample, y * sample) < 150 ? 1 : wall(x * sample)
        }), matte: sphere.matte, output: Size(width: 1000, height: 750))
    #expect(length(scene.target - SIMD2(600, 450)) < 0.2)
    let field = scene.backgroundDisparity
    let size = Size(width: multiple * depth.width, height: multiple * depth.height)
    #expect(field.grid.size == size && field.plane.size == size)
    for (x, y) in [(100, 70), (40, 220), (size.width - 60, 300)] {
      let place = field.grid.photoPoint(x, y)
      #expect(abs(Double(field.plane[x, y]) - wall(place.x)) < 1e-3)
    }
    // What the subject hides goes on as around it.
    let middle = field.plane[size.width / 2, size.height / 2]
    #expect(abs(middle - 0.4) < 0.02)
    let picture = Size(width: 1000, height: 750)
    #expect(await scene.photoDisparity().plane.size == picture)
    let pictures = await scene.layerPictures()
    #expect(pictures.backgroundDisparity.size == picture && pictures.background.size == picture)
  }

  /// What is thinner than the depth's samples is found all the same.
  @Test func aTapNamesAThinPart() async throws {
    let photo = paint(1920, 1080) { _, _ in SIMD3(repeating: 0.4) }
    func matte(_ covers: @escaping (Double, Double) -> Bool) -> Matte {
      Matte(coverage: plane(1920, 1080) { x, y in covers(x, y) ? 1 : 0 })
    }
    func scene(_ matte: Matte, tap: SIMD2<Double>?) async throws -> Scene {
      try await Scene(
        photo: photo, depth: DisparityMap(disparity: plane(256, 144) { x, _ in 0.5 + x / 512 }),
        matte: matte, tap: tap, output: Size(width: 1920, height: 1080))
    }
    let barred = matte { x, y in
      abs(y - 540) < 1.6 && x > 900 || (x - 300) * (x - 300) + (y - 540) * (y - 540) < 40000
    }
    let onBar = try await scene(barred, tap: SIMD2(0.7, 0.5))
    #expect(!onBar.notes.contains(.tapOnBackground))
    #expect(try await scene(barred, tap: SIMD2(0.7, 0.6)).notes.contains(.tapOnBackground))
    // The bar's own distance, at the right, and not the disc's.
    let whole = try await scene(barred, tap: nil)
    #expect(onBar.subjectDisparity > whole.subjectDisparity)
  }

  /// What was worked out of a thin photo is as near to its shape as whole sides come.
  @Test(arguments: [Source.lift, .grabCut, .file]) func aMaskOfAThinPhoto(_ source: Source)
    async throws
  {
    let photo = paint(900, 4) { x, _ in SIMD3(repeating: abs(x - 450) < 100 ? 0.8 : 0.1) }
    let mask = plane(320, 1) { x, _ in abs(x - 160) < 36 ? 1 : 0 }
    func scene() async throws -> Scene {
      try await Scene(
        photo: photo, depth: nil, matte: Matte(coverage: mask, isRough: true, source: source),
        output: size)
    }
    if source == .file {
      await #expect(throws: Scene.Problem.aspect(.matte, mask.size, photo: photo.size)) {
        try await scene()
      }
    } else {
      #expect(abs(try await scene().target.x - 450) < 3)
    }
  }

  @Test func withoutDepthTheBackgroundIsAPlane() async throws {
    let fixture = SphereBeforeWall(width: 120, height: 90, radius: 25)
    let scene = try await Scene(
      photo: fixture.photo, depth: nil, matte: fixture.matte, output: size)
    #expect(scene.depthSource == .plane)
    #expect(scene.backgroundDisparity.plane.samples.allSatisfy { $0 == Scene.planeDisparity })
  }

  @Test func withoutMatteTheDepthIsCut() async throws {
    let fixture = SphereBeforeWall(width: 120, height: 90, radius: 25)
    let scene = try await Scene(
      photo: fixture.photo, depth: fixture.depth, matte: nil, output: size)
    #expect(scene.matteSource == .cut)
    #expect(length(scene.target - SIMD2(60, 45)) < 1)
  }

  /// The photo's alpha is the matte, and colour below alpha 0 counts for nothing.
  @Test func alphaIsAMatte() async throws {
    let photo = Photo(
      samples: .eight(
        await Plane(width: 120, height: 90) { y, row in
          for x in 0..<120 {
            let inside = length(SIMD2(Double(x) - 60, Double(y) - 45)) < 25
            row[x] = inside ? SIMD4(200, 100, 50, 255) : SIMD4(255, 0, 255, 0)
          }
        }), hasAlpha: true)
    let scene = try await Scene(photo: photo, depth: nil, matte: nil, output: size)
    #expect(scene.matteSource == .alpha)
    #expect(scene.notes == [.nothingBehindSubject])
    let frame = try await scene.shot(.push).frame(0)
    // Behind the subject there is nothing to see, and no magenta.
    #expect(frame.bytes.prefix(3).elementsEqual([0, 0, 0]))
  }

  /// The fill is made of the background alone, and goes on as the background goes.
  @Test func theFillTakesNoColourFromTheSubject() async throws {
    var fixture = SphereBeforeWall(width: 240, height: 160, radius: 40)
    fixture.sphere = { _, _ in SIMD3(0.8, 0, 0.8) }
    fixture.wall = { x, _ in SIMD3(repeating: 0.1 + 0.5 * x / 240) }
    let scene = try await fixture.scene()
    let framing = Framing(
      scene, move: .push, amount: 0, output: Size(width: 240, height: 160))
    let background = await scene.layers(.layered, for: framing)[0].colour
    for y in 0..<160 {
      for x in 0..<240 {
        let pixel = background[x, y]
        #expect(abs(pixel.x - pixel.y) < 0.002 && abs(pixel.z - pixel.y) < 0.002)
        let ramp = Float(0.1 + 0.5 * (Double(x) + 0.5) / 240)
        #expect(abs(pixel.y - ramp) < 0.06, "\(x),\(y)")
      }
    }
    // Seen from far enough aside the frame shows the fill, and no magenta there either.
    let shot = try await scene.shot(.named("sway")!, amount: 2)
    #expect(shot.framing.amountUsed == 2)
    let frame = shot.linear(shot.loop.pose(id: 30))
    var share = 0.0
    for pixel in frame.samples where pixel.x - pixel.y > 0.02 { share += 1 }
    let disc = Double.pi * 40 * 40 * shot.framing.crop * shot.framing.crop
    #expect(abs(share / disc - 1) < 0.08)
  }
}
