import Testing

@testable import MotionCore

/// Frame n is the same bytes whatever draws it, from where, with what it remembers.
@Suite struct ShotTests {
  private func shot(_ move: Move, period: Int) async throws -> Shot {
    let scene = try await SphereBeforeWall(width: 64, height: 48, radius: 12).scene()
    return try await scene.shot(move, period: period, pixelFormat: .yuv420p)
  }

  private func frames(
    _ shot: Shot, _ range: FrameRange, threads: Int, cacheBytes: Int
  ) async throws -> [[UInt8]] {
    var frames: [[UInt8]] = []
    try await shot.render(range, threads: threads, cacheBytes: cacheBytes) { frame in
      frames.append(frame.bytes)
      return true
    }
    return frames
  }

  @Test(arguments: Move.all, [11, 12])
  func theBytesDependOnTheFrameAlone(move: Move, period: Int) async throws {
    let shot = try await shot(move, period: period)
    let expected = (0..<40).map { shot.frame(UInt64($0)).bytes }
    for n in 0..<40 - period { #expect(expected[n] == expected[n + period]) }
    for threads in [1, 2, 3, 7] {
      for cacheBytes in [0, 3 * shot.format.frameBytes, Shot.defaultCacheBytes] {
        let drawn = try await frames(
          shot, FrameRange(start: 0, count: 40), threads: threads, cacheBytes: cacheBytes)
        #expect(drawn == expected)
      }
    }
    for start in [1, 5, 37] as [UInt64] {
      let drawn = try await frames(
        shot, FrameRange(start: start, count: 3), threads: 2, cacheBytes: 0)
      #expect(drawn == Array(expected[Int(start)..<Int(start) + 3]))
    }
  }

  @Test func theLastFrameOf64BitsCanBeHad() async throws {
    let shot = try await shot(.push, period: 12)
    let drawn = try await frames(
      shot, FrameRange(start: .max - 1, count: 4), threads: 2, cacheBytes: 0)
    let place = Int((UInt64.max - 1) % 12)
    #expect(drawn == (0..<4).map { shot.frame(UInt64(place + $0)).bytes })
  }

  @Test func anEndlessRunEndsWhenToldTo() async throws {
    let shot = try await shot(.push, period: 12)
    var count = 0
    try await shot.render(FrameRange(count: nil), threads: 2) { _ in
      count += 1
      return count < 100
    }
    #expect(count == 100)
  }

  @Test func anErrorOfTheReaderComesOut() async throws {
    struct Full: Error {}
    let shot = try await shot(.push, period: 12)
    await #expect(throws: Full.self) {
      try await shot.render(FrameRange(count: nil), threads: 2) { _ in throw Full() }
    }
  }

  /// The layers apart, laid over one another, are the picture; what little light a card may take away
  /// is clamped when it lies on nothing.
  @Test(arguments: Move.all) func layersApartAreThePicture(move: Move) async throws {
    let scene = try await SphereBeforeWall(width: 64, height: 48, radius: 12).scene()
    let pose = move.extremes(amount: 1)[0]
    let all = try await scene.shot(move).linear(pose)
    let subject = try await scene.shot(move, layers: .subject).linear(pose)
    let background = try await scene.shot(move, layers: .background).linear(pose)
    var (open, covered) = (0, 0)
    for y in 0..<48 {
      for x in 0..<64 {
        let (over, under) = (subject[x, y], background[x, y])
        #expect(under.w == 1)
        if over.w == 0 { open += 1 }
        if over.w == 1 { covered += 1 }
        let error = over + under * (1 - over.w) - all[x, y]
        #expect(max(abs(error.x), abs(error.y), abs(error.z)) < 2e-3)
      }
    }
    #expect(open > 1000 && covered > 100)
  }

  /// The frame of a pose that the loop passes is the loop's own, byte for byte.
  @Test(arguments: Move.all) func aFixedPoseOfTheLoopIsItsFrame(move: Move) async throws {
    let scene = try await SphereBeforeWall(width: 64, height: 48, radius: 12).scene()
    let shot = try await scene.shot(move, pixelFormat: .yuv420p)
    for n in [0, 7, 30, 60] as [UInt64] {
      let pose = shot.loop.pose(id: shot.loop.poseID(ofFrame: n))
      let fixed = try await scene.shot(at: pose, move, pixelFormat: .yuv420p)
      #expect(fixed.frame(0).bytes == shot.frame(n).bytes)
      #expect(fixed.frame(5).bytes == shot.frame(n).bytes)
      #expect(!fixed.framing.looksBeyond)
    }
  }

  /// Pinned, the target stays; free, it goes where the camera sees it: f · o_x to the left.
  @Test func aFreeTargetMovesAsTheCameraSeesIt() async throws {
    let scene = try await SphereBeforeWall(width: 96, height: 64, radius: 12).scene()
    let pose = Pose(x: 0.05)
    func middle(_ isPinned: Bool) async throws -> SIMD2<Double> {
      let shot = try await scene.shot(at: pose, .push, isPinned: isPinned)
      return shot.linear(pose).centroid { max($0.x - 3 * $0.y, 0) }
    }
    let (pinned, free) = (try await middle(true), try await middle(false))
    let crop = try await scene.shot(.push).framing.crop
    let expected = SIMD2(-scene.optics.focal * 0.05 * crop, 0)
    #expect(length(free - pinned - expected) < 0.05)
    #expect(abs(pinned.x - 48) < 0.1)
  }

  @Test func aPoseThatLooksBeyondThePhotoSaysSo() async throws {
    let scene = try await SphereBeforeWall(width: 64, height: 48, radius: 12).scene()
    for pose in [Pose(x: 0.5), Pose(z: -50), Pose(x: -10, y: 10, z: 0.9, zoom: 0.01)] {
      let shot = try await scene.shot(at: pose, .push)
      #expect(shot.framing.looksBeyond)
      #expect(shot.frame(0).bytes.count == shot.format.frameBytes)
    }
    #expect(try await !scene.shot(at: Pose(zoom: 3), .push).framing.looksBeyond)
  }

  @Test func oneSheetIsAnotherPicture() async throws {
    let scene = try await SphereBeforeWall(width: 64, height: 48, radius: 12).scene()
    let layered = try await scene.shot(.named("sway")!)
    let sheet = try await scene.shot(.named("sway")!, method: .oneSheet)
    #expect(layered.frame(30).bytes != sheet.frame(30).bytes)
  }
}
