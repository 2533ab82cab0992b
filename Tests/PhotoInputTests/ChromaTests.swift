import MotionCore
import Testing

@testable import PhotoInput

@Suite struct ChromaTests {
  @Test(arguments: [
    // A step between two samples, enlarged: weights are those of the distances to their centres.
    (2, 4, 0, [0, 40, 120, 160]),
    (2, 8, 0, [0, 0, 20, 60, 100, 140, 160, 160]),
  ])
  func centred(count: Int, width: Int, shiftY: Int, expected: [UInt8]) {
    let shift = width == 4 ? 1 : 2
    let samples: [UInt8] = [0, 160]
    samples.withUnsafeBufferPointer { samples in
      let row = Chroma(
        samples.baseAddress!, 2, picture: Size(width: width, height: 1), shift, shiftY)
      #expect(row.enlarged() == expected)
      let column = Chroma(
        samples.baseAddress!, 1, picture: Size(width: 1, height: width), shiftY, shift)
      #expect(column.enlarged() == expected)
    }
  }

  @Test(arguments: 1...9, 1...9) func flatStaysFlat(width: Int, height: Int) {
    let samples = [UInt8](repeating: 77, count: 9 * 9)
    samples.withUnsafeBufferPointer { samples in
      for (shiftX, shiftY) in [(0, 1), (1, 1), (2, 0), (2, 2)] {
        let plane = Chroma(
          samples.baseAddress!, 9, picture: Size(width: width, height: height), shiftX, shiftY)
        #expect(plane.enlarged() == [UInt8](repeating: 77, count: width * height))
      }
    }
  }
}
