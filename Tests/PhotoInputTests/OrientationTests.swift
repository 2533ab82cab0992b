import MotionCore
import Testing

@testable import PhotoInput

@Suite struct OrientationTests {
  // Six samples stored as "abc" over "def", and what each orientation makes of them.
  @Test(arguments: [
    (1, ["abc", "def"]), (2, ["cba", "fed"]), (3, ["fed", "cba"]), (4, ["def", "abc"]),
    (5, ["ad", "be", "cf"]), (6, ["da", "eb", "fc"]), (7, ["fc", "eb", "da"]),
    (8, ["cf", "be", "ad"]),
  ])
  func sixSamples(value: Int, upright: [String]) throws {
    let stored = Plane(width: 3, height: 2, samples: Array("abcdef".utf8))
    let turned = stored.turnedUpright(from: try #require(Orientation(rawValue: value)))
    #expect(turned.size == Size(width: upright[0].utf8.count, height: upright.count))
    #expect(turned.samples == upright.flatMap { Array($0.utf8) })
  }

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func oneAfterTheOther(first: Orientation, next: Orientation) {
    let stored = Plane(width: 3, height: 2, samples: Array("abcdef".utf8))
    let turned = stored.turnedUpright(from: first).turnedUpright(from: next)
    let atOnce = stored.turnedUpright(from: first.followed(by: next))
    #expect(turned.size == atOnce.size && turned.samples == atOnce.samples)
  }

  /// Sizes around the tiles in which samples are moved.
  @Test(arguments: [1, 31, 32, 33, 70], [1, 32, 65])
  func everySampleOnce(width: Int, height: Int) {
    let stored = Plane(width: width, height: height, samples: Array(0..<(width * height)))
    for orientation in Orientation.allCases {
      let turned = stored.turnedUpright(from: orientation)
      for y in 0..<turned.height {
        for x in 0..<turned.width {
          var (sx, sy) = orientation.transposes ? (y, x) : (x, y)
          if orientation.reversesX { sx = width - 1 - sx }
          if orientation.reversesY { sy = height - 1 - sy }
          #expect(turned[x, y] == stored[sx, sy])
        }
      }
    }
  }
}
