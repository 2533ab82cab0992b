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

  @Test func oneSheetIsAnotherPicture() async throws {
    let scene = try await SphereBeforeWall(width: 64, height: 48, radius: 12).scene()
    let layered = try await scene.shot(.named("sway")!)
    let sheet = try await scene.shot(.named("sway")!, method: .oneSheet)
    #expect(layered.frame(30).bytes != sheet.frame(30).bytes)
  }
}
