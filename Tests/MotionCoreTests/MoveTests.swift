import Testing

@testable import MotionCore

@Suite struct MoveTests {
  @Test func theTableNamesEachMoveOnce() {
    #expect(Set(Move.all.map(\.name)).count == Move.all.count)
    for move in Move.all { #expect(Move.named(move.name) == move) }
    #expect(Move.named("dolly") == nil)
  }

  @Test(arguments: Move.all)
  func amountZeroIsRest(move: Move) {
    for part in [-1, 0, 0.3, 1] { #expect(move.pose(part, amount: 0) == .rest) }
  }

  @Test func theFarthestPoses() {
    #expect(Move.push.extremes(amount: 2) == [Pose(z: 0.3)])
    let sway = Move.named("sway")!.extremes(amount: 1).map(\.x)
    #expect(abs(sway[0] - 0.02) < 1e-9 && sway[1] == -sway[0])
    let vertigo = Move.named("vertigo")!.extremes(amount: 1)[0]
    #expect(abs(vertigo.z + 0.3) < 1e-9 && abs(vertigo.zoom - 1.3) < 1e-9)
  }
}
