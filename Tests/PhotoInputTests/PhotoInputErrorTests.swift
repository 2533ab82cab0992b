import MotionCore
import Testing

@testable import PhotoInput

@Suite struct PhotoInputErrorTests {
  @Test(arguments: [
    (0, 5, Problem.zeroSize(size: Size(width: 0, height: 5))),
    (5, 0, .zeroSize(size: Size(width: 5, height: 0))),
    (-5, 5, .zeroSize(size: Size(width: -5, height: 5))),
    (4, 26, .tooLarge(size: Size(width: 4, height: 26), maxPixels: 100)),
    (.max, .max, .tooLarge(size: Size(width: .max, height: .max), maxPixels: 100)),
  ])
  func sizesThatAreRefused(width: Int, height: Int, problem: Problem) {
    #expect(throws: problem) { try Size(header: width, height, maxPixels: 100) }
  }

  @Test func theLargestSizeIsTaken() throws {
    #expect(try Size(header: 4, 25, maxPixels: 100) == Size(width: 4, height: 25))
  }
}
