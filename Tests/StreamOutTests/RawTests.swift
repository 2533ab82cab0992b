import MotionCore
import Testing

@testable import StreamOut

struct RawTests {
  @Test(arguments: PixelFormat.all, [(1, 1), (3, 5), (127, 95)])
  func streamIsTheFramesAlone(_ pixelFormat: PixelFormat, _ sides: (Int, Int)) throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.raw")
    let format = videoFormat(sides.0, sides.1, pixelFormat)
    let frames = (0..<2).map { testFrame(format, seed: 7 * $0) }
    let writer = try Container.raw.open(.file(path: path, overwrite: false), format)
    for frame in frames { try writer.write(frame) }
    try writer.finish()
    #expect(contents(path) == frames.flatMap(\.bytes))
  }
}
