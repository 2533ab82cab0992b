#if H264
  import Foundation
  import MotionCore
  import Testing

  @testable import StreamOut

  /// Films of strangers beside an index: whatever stands in them, `Verification` ends, and says so.
  @Suite struct FilmVerificationTests {
    private let scratch = ScratchFolder()

    private func index(_ loop: TestLoop, _ container: Container, _ path: String) throws
      -> FrameIndex
    {
      let made = Loop(period: loop.period, move: Move.named("sway")!, amount: 1)
      var digests = PoseDigests(made, picture: container.pictureSize(loop.format.size))
      for place in 0..<loop.period { digests.see(movingFrame(loop.format, place), at: place) }
      let places = try FilmPlaces(
        ofFile: path, in: container, loop.format.rate, made, digests, start: loop.start)
      return FrameIndex(
        generator: FrameIndex.Generator(name: "test", version: "1"), recipe: SHA256("recipe"),
        container: container, format: loop.format, loop: made, digests: digests,
        film: (loop.encoding, places))
    }

    private func verify(_ bytes: [UInt8], _ index: FrameIndex) throws -> Verification? {
      let path = scratch.file("other")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return try? Verification(ofFilm: Array(path.utf8), against: index)
    }

    /// Bytes that are changed at random, the same each time, cut off and put in.
    @Test(arguments: films)
    func damageIsNoHarm(_ container: Container) throws {
      var loop = TestLoop(count: 7)
      loop.period = 7
      let path = scratch.file("film." + container.name)
      try loop.film(container, path)
      let index = try index(loop, container, path)
      try index.check()
      let whole = try #require(contents(path))
      #expect(try verify(whole, index) == .agrees(frames: 7))
      var state: UInt64 = 1
      func random(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
      }
      var found = 0
      for round in 0..<60 {
        var bytes = whole
        switch round % 3 {
        case 0: for _ in 0...random(8) { bytes[random(bytes.count)] = UInt8(random(256)) }
        case 1: bytes.removeLast(random(bytes.count - 1) + 1)
        default: bytes.insert(contentsOf: bytes[random(bytes.count)...], at: random(bytes.count))
        }
        if try verify(bytes, index) != .agrees(frames: 7) { found += 1 }
      }
      #expect(found > 20)
    }

    /// An IVF of one H.264 frame twice, at the two ends of time.
    @Test func timesMayBeAnything() throws {
      let loop = TestLoop(period: 1, count: 1)
      let path = scratch.file("film.h264")
      let h264 = try #require(Container.named("h264"))
      try loop.film(h264, path)
      let frame = try #require(contents(path))
      func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
      }
      let film = scratch.file("film.mkv")
      var moving = TestLoop(count: 6)
      moving.period = 6
      try moving.film(try #require(Container.named("mkv")), film)
      let index = try index(moving, try #require(Container.named("mkv")), film)
      for times: [Int64] in [[1 << 62, -(1 << 62) - (1 << 61)], [.max, .min + 1], [5, .min]] {
        var ivf = Array("DKIF".utf8) + bytes(UInt16(0)) + bytes(UInt16(32)) + Array("H264".utf8)
        ivf += bytes(UInt16(64)) + bytes(UInt16(48)) + bytes(UInt32(30)) + bytes(UInt32(1))
        ivf += bytes(UInt64(2))
        for time in times { ivf += bytes(UInt32(frame.count)) + bytes(time) + frame }
        #expect(try verify(ivf, index) != .agrees(frames: 2))
      }
    }
  }
#endif
