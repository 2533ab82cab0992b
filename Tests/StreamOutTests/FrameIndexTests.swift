import Foundation
import MotionCore
import Testing

@testable import StreamOut

/// An index of frames that tests make up, and a stream of them.
struct TestIndex {
  let index: FrameIndex
  let frames: [[UInt8]]

  init(_ container: Container = .y4m, _ format: VideoFormat = videoFormat(17, 5), loop: Loop? = nil)
  {
    let loop = loop ?? Loop(period: 6, move: .push, amount: 1)
    let drawn = (0..<loop.period).map { place in
      testFrame(format, seed: loop.poseID(ofFrame: UInt64(place)))
    }
    var digests = PoseDigests(loop)
    for (place, frame) in drawn.enumerated() { digests.see(frame, at: place) }
    index = FrameIndex(
      generator: FrameIndex.Generator(name: "test", version: "1"), recipe: SHA256("recipe"),
      container: container, format: format, loop: loop, digests: digests)
    frames = drawn.map { $0.bytes }
  }

  /// Frames `start` to `start + count` of the endless stream.
  func stream(start: Int = 0, count: Int) -> [UInt8] {
    Array(index.stream.header.utf8)
      + (start..<start + count).flatMap {
        Array(index.stream.frameMark.utf8) + frames[$0 % frames.count]
      }
  }

  /// The index with some of its JSON replaced.
  func changed(_ change: (inout [String: Any]) -> Void) throws -> FrameIndex {
    var object =
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(index)) as? [String: Any] ?? [:]
    change(&object)
    return try JSONDecoder().decode(
      FrameIndex.self, from: JSONSerialization.data(withJSONObject: object))
  }
}

@Suite struct FrameIndexTests {
  @Test func itTellsWhereFramesAre() throws {
    let test = TestIndex()
    let stream = test.index.stream
    let bytes = test.stream(count: 13)
    for k in [0, 5, 12] {
      let at = stream.headerLength + k * stream.frameStride + stream.frameMark.utf8.count
      #expect(Array(bytes[at..<at + stream.frameBytes]) == test.frames[k % 6])
    }
    #expect(bytes.count == stream.headerLength + 13 * stream.frameStride)
    #expect(stream.siting == "mpeg2" && stream.fps.num == 30 && stream.fps.den == 1)
    #expect(test.index.period == 6 && test.index.poses.map { $0.id } == [0, 1, 2, 3])
    #expect(test.index.frames.map { $0.pose } == [0, 1, 2, 3, 2, 1])
    #expect(test.index.frames.map { $0.phase } == (0..<6).map { "\($0)/6" })
  }

  @Test func rawHasNothingBesideItsPlanes() throws {
    let stream = TestIndex(.raw, videoFormat(3, 3, .rgb24)).index.stream
    #expect(stream.headerLength == 0 && stream.header.isEmpty && stream.frameMark.isEmpty)
    #expect(stream.frameBytes == 27 && stream.frameStride == 27 && stream.siting == nil)
  }

  @Test func aHoldStandsAtPhase0() {
    let index = TestIndex(loop: Loop(period: 6, hold: 2, move: .push, amount: 1)).index
    #expect(index.frames.map { $0.phase } == ["0/4", "1/4", "2/4", "3/4", "0/4", "0/4"])
    #expect(index.frames.map { $0.pose } == [0, 1, 2, 1, 0, 0])
    #expect(throws: Never.self) { try index.check() }
  }

  @Test(arguments: Container.all.filter { $0.hasIndex && !$0.isEncoded })
  func whatIsWrittenIsSound(_ container: Container) throws {
    let index = TestIndex(container).index
    try index.check()
    let again = try JSONDecoder().decode(FrameIndex.self, from: JSONEncoder().encode(index))
    #expect(again == index)
  }

  /// What a member is changed to, and what is then said.
  static let damages: [(path: [String], value: Int, expected: FrameIndex.Damage)] = [
    (["schemaVersion"], 2, .unknownVersion(2)),
    (["schemaVersion"], -1, .unknownVersion(-1)),
    (["period"], 5, .frames(6, period: 5)), (["period"], 0, .number("period")),
    (["period"], Int.max, .number("period")), (["period"], Int.min, .number("period")),
    (["stream", "headerLength"], 0, .number("headerLength")),
    (["stream", "headerLength"], -1, .number("headerLength")),
    (["stream", "frameBytes"], 0, .number("frameBytes")),
    (["stream", "frameBytes"], Int.max, .number("frameBytes")),
    (["stream", "frameBytes"], Int.min, .number("frameBytes")),
    (["stream", "frameStride"], 0, .number("frameStride")),
    (["stream", "frameStride"], Int.min, .number("frameStride")),
    (["stream", "fps", "den"], 0, .number("fps")),
    (["stream", "size", "width"], 0, .number("size")),
    (["stream", "size", "height"], 16385, .number("size")),
  ]

  @Test(arguments: damages)
  func numbersThatCannotBe(_ row: (path: [String], value: Int, expected: FrameIndex.Damage)) throws
  {
    func put(_ object: inout [String: Any], _ path: ArraySlice<String>) {
      guard let name = path.first else { return }
      if path.count == 1 {
        object[name] = row.value
      } else {
        var inner = object[name] as? [String: Any] ?? [:]
        put(&inner, path.dropFirst())
        object[name] = inner
      }
    }
    let index = try TestIndex().changed { put(&$0, row.path[...]) }
    #expect(throws: row.expected) { try index.check() }
  }

  @Test func framesThatContradict() throws {
    func index(_ change: @escaping (inout [[String: Any]]) -> Void) throws -> FrameIndex {
      try TestIndex().changed { object in
        var frames = object["frames"] as? [[String: Any]] ?? []
        change(&frames)
        object["frames"] = frames
      }
    }
    let missing = try index { $0.removeLast() }
    #expect(throws: FrameIndex.Damage.frames(5, period: 6)) { try missing.check() }
    let swapped = try index { $0.swapAt(1, 2) }
    #expect(throws: FrameIndex.Damage.frame(1)) { try swapped.check() }
    let unknown = try index { $0[3]["pose"] = 77 }
    #expect(throws: FrameIndex.Damage.frame(3)) { try unknown.check() }
    // Frames 2 and 4 show one pose.
    let other = try index { $0[4]["md5"] = String(repeating: "0", count: 32) }
    #expect(throws: FrameIndex.Damage.frame(4)) { try other.check() }
    let phases = try index { frames in
      for place in frames.indices { frames[place]["phase"] = "x" }
    }
    #expect(throws: FrameIndex.Damage.frame(0)) { try phases.check() }
  }
}
