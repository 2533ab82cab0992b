import MotionCore
import PhotoInput
import Testing

@testable import StreamOut

@Suite struct PoseDigestsTests {
  /// Both numbers of frames, with and without a hold.
  private static let loops = [
    Loop(period: 12, move: .push, amount: 1), Loop(period: 13, move: Move.all[1], amount: 1),
    Loop(period: 12, move: Move.all[1], amount: 1),
    Loop(period: 15, hold: 3, move: .push, amount: 1),
  ]

  /// A frame that is told from others by its pose.
  private func frame(_ loop: Loop, _ place: Int) -> Frame {
    testFrame(videoFormat(16, 16), seed: loop.poseID(ofFrame: UInt64(place)))
  }

  @Test(arguments: loops)
  func everyPoseIsSeenOnce(_ loop: Loop) {
    var digests = PoseDigests(loop)
    #expect(Set(digests.ids).count == digests.ids.count)
    var places: [Int] = []
    for place in 0..<loop.period {
      if !digests.isComplete { places.append(place) }
      digests.see(frame(loop, place), at: place)
    }
    #expect(digests.isComplete)
    #expect(Set(places.map { loop.poseID(ofFrame: UInt64($0)) }) == Set(digests.ids))
    for place in 0..<loop.period {
      let id = loop.poseID(ofFrame: UInt64(place))
      #expect(digests[id]?.md5 == MD5(frame(loop, place)))
    }
  }

  @Test(arguments: loops)
  func theFirstFrameOfAPoseCounts(_ loop: Loop) {
    var digests = PoseDigests(loop)
    for place in 0..<loop.period { digests.see(frame(loop, place), at: place) }
    let first = digests[0]
    digests.see(testFrame(videoFormat(16, 16), seed: 200), at: 0)
    #expect(digests[0] == first)
  }
}
