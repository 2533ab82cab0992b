import Testing

@testable import MotionCore

@Suite struct PlaneMemoryTests {
  /// The next plane has the memory of the last, unless another thread was quicker.
  @Test func memoryIsUsedAgain() {
    var reused = 0
    for _ in 0..<20 {
      let first = PlaneMemory.allocate(1_200_007) as PlaneMemory.Block<Float>
      PlaneMemory.deallocate(first)
      let second = PlaneMemory.allocate(1_200_001) as PlaneMemory.Block<Float>
      if second.base == first.base { reused += 1 }
      PlaneMemory.deallocate(second)
    }
    #expect(reused > 0)
  }

  /// Freed blocks come back, to one plane each and large enough.
  @Test func planesKeepTheirSamplesWhileOthersComeAndGo() async {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          var held: [(plane: Plane<Int32>, value: Int32)] = []
          for round in 0..<24 {
            // From less than a large page to several of them, no two lengths alike.
            let count = 300_001 + 170_003 * ((round * 5 + task) % 9)
            let value = Int32(task * 100 + round)
            held.append((Plane(width: count, height: 1, repeating: value), value))
            if held.count > 2 {
              let (plane, value) = held.removeFirst()
              #expect(plane.withUnsafeSamples { $0.allSatisfy { $0 == value } })
            }
            if round % 8 == 7 { PlaneMemory.returnKept() }
          }
        }
      }
    }
  }
}
