import Testing

@testable import MotionCore

@Suite struct LoopTests {
  @Test(arguments: Move.all, [2, 3, 7, 48, 119, 120])
  func framesComeBackAfterAPeriod(move: Move, period: Int) {
    let loop = Loop(period: period, move: move, amount: 1)
    for n in 0..<UInt64(period) {
      let id = loop.poseID(ofFrame: n)
      #expect(id == loop.poseID(ofFrame: n + UInt64(period)))
      #expect((0..<period).contains(id))
      // The id is a place that shows the pose itself.
      #expect(loop.poseID(ofFrame: UInt64(id)) == id)
      // What shares an id is the same pose, to the precision of the cosine.
      let own = place(loop, n)
      #expect(abs(own - place(loop, UInt64(id))) < 1e-9)
    }
  }

  /// The part of the travel at a frame, from its own phase.
  private func place(_ loop: Loop, _ n: UInt64) -> Double {
    let phase = Double(n) / Double(loop.period)
    switch loop.move.course {
    case .outAndBack: return loop.easing.outAndBack(phase)
    case .sideToSide: return 2 * loop.easing.outAndBack(phase + 0.25) - 1
    }
  }

  @Test func aLoopHasAboutHalfAsManyPosesAsFrames() {
    let ids = { (move: String, period: Int) in
      let loop = Loop(period: period, move: .named(move)!, amount: 1)
      return Set((0..<UInt64(period)).map { loop.poseID(ofFrame: $0) }).count
    }
    #expect(ids("push", 120) == 61)
    #expect(ids("push", 119) == 60)
    #expect(ids("vertigo", 120) == 61)
    #expect(ids("sway", 120) == 61)
    #expect(ids("sway", 119) == 119)
  }

  @Test(arguments: Move.all, [2, 3, 7, 48, 119])
  func aHoldShowsTheFirstFrame(move: Move, moving: Int) {
    let loop = Loop(period: moving + 5, hold: 5, move: move, amount: 1)
    #expect(loop.moving == moving)
    for n in 0..<5 { #expect(loop.poseID(ofFrame: UInt64(moving + n)) == 0) }
    #expect(loop.pose(id: 0) == .rest)
    for n in 0..<UInt64(moving) {
      let id = loop.poseID(ofFrame: n)
      #expect((0..<moving).contains(id))
      #expect(loop.poseID(ofFrame: UInt64(id)) == id)
      #expect(loop.poseID(ofFrame: n + UInt64(loop.period)) == id)
    }
  }

  /// Out-and-back moves rest at the seam anyway: there the hold only adds frames.
  @Test(arguments: ["push", "vertigo"]) func aHoldLeavesTheMoveAlone(_ name: String) {
    let move = Move.named(name)!
    let plain = Loop(period: 48, move: move, amount: 1)
    let held = Loop(period: 60, hold: 12, move: move, amount: 1)
    for n in 0..<48 {
      let id = plain.poseID(ofFrame: UInt64(n))
      #expect(held.poseID(ofFrame: UInt64(n)) == id)
      #expect(held.pose(id: id) == plain.pose(id: id))
    }
  }

  /// Without a hold sway is fastest at the seam; with one it has to start and end at rest.
  @Test(arguments: Easing.all) func swayStartsOutOfAHoldAtRest(easing: Easing) {
    let loop = Loop(
      period: 480, hold: 120, move: .named("sway")!, amount: 1, easing: easing)
    let xs = (0...360).map { loop.pose(id: loop.poseID(ofFrame: UInt64($0))).x }
    let steps = zip(xs, xs.dropFirst()).map { abs($1 - $0) }
    #expect(steps[0] < steps.max()! / 20 && steps[359] < steps.max()! / 20)
    // Both sides are reached, and the way back is the way out mirrored.
    #expect(abs(xs.max()! - 0.02) < 2e-4 && abs(xs.min()! + 0.02) < 2e-4)
    for n in 0...360 { #expect(abs(xs[n] + xs[360 - n]) < 1e-8) }
  }

  @Test func anyFrameOf64BitsHasAPlace() {
    let loop = Loop(period: 120, move: .push, amount: 1)
    #expect(loop.place(ofFrame: .max) == Int(UInt64.max % 120))
  }

  @Test func swayIsASine() {
    let loop = Loop(period: 360, move: .named("sway")!, amount: 1)
    for n in 0..<360 {
      let pose = loop.pose(id: loop.poseID(ofFrame: UInt64(n)))
      let expected = 0.02 * Math.cos(2 * .pi * (Double(n) / 360 - 0.25))
      #expect(abs(pose.x - expected) < 1e-8)
    }
  }

  @Test(arguments: Easing.all)
  func everyEasingGoesOutAndBack(easing: Easing) {
    #expect(abs(easing.outAndBack(0)) < 1e-12)
    #expect(abs(easing.outAndBack(0.5) - 1) < 1e-12)
    var last = -1e-12
    for i in 0...50 {
      let value = easing.outAndBack(Double(i) / 100)
      #expect(value >= last)
      #expect(abs(value - easing.outAndBack(1 - Double(i) / 100)) < 1e-12)
      last = value
    }
  }

  @Test func periodsAreWholeFrames() {
    #expect(Loop.period(seconds: 4, rate: FrameRate(30)!) == 120)
    #expect(Loop.period(seconds: 4, rate: FrameRate(30000, 1001)!) == 120)
    #expect(Loop.period(seconds: 0.01, rate: FrameRate(30)!) == 2)
  }
}
