import Foundation
import MotionCore
import Testing

@testable import StreamOut

@Suite struct LikenessTests {
  /// A picture of one luma in each of its four quarters.
  private func quarters(_ width: Int, _ height: Int, _ lumas: [UInt8]) -> Frame {
    var canvas = Canvas(format: videoFormat(width, height))
    canvas.withUnsafeMutableBytes { bytes in
      for y in 0..<height {
        for x in 0..<width {
          bytes[y * width + x] = lumas[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]
        }
      }
    }
    return canvas.finish()
  }

  @Test func cellsAreMeansFromTheUpperLeft() {
    let likeness = Likeness(quarters(64, 48, [10, 20, 30, 255]), size: Size(width: 64, height: 48))
    let (upper, lower) = ("0a0a0a0a14141414", "1e1e1e1effffffff")
    #expect(
      "\(likeness)"
        == String(repeating: upper, count: 4) + String(repeating: lower, count: 4))
    #expect(Likeness("\(likeness)") == likeness)
  }

  /// Sides that are no multiple of eight, smaller ones, and rows longer than the picture.
  @Test(arguments: [(17, 13), (8, 8), (3, 2), (101, 7)])
  func everyPixelCountsOnce(_ width: Int, _ height: Int) {
    for (cutX, cutY) in [(0, 0), (1, 1)] {
      let size = Size(width: width - cutX, height: height - cutY)
      let frame = quarters(width, height, [200, 200, 200, 200])
      let cells = "\(Likeness(frame, size: size))"
      let filled = min(size.width, 8) * min(size.height, 8)
      #expect(cells.count { $0 == "c" } == filled && cells.count { $0 == "8" } == filled)
    }
  }

  @Test func theDistanceIsThatOfTheFarthestCell() {
    let size = Size(width: 64, height: 48)
    let first = Likeness(quarters(64, 48, [10, 20, 30, 40]), size: size)
    let second = Likeness(quarters(64, 48, [12, 20, 23, 40]), size: size)
    #expect(first.distance(to: first) == 0)
    #expect(first.distance(to: second) == 7 && second.distance(to: first) == 7)
  }

  @Test(arguments: [
    "", "00", String(repeating: "0", count: 127) + "g", String(repeating: "+1", count: 64),
    String(repeating: "-0", count: 64),
  ])
  func othersAreNoLikeness(_ text: String) { #expect(Likeness(text) == nil) }
}
