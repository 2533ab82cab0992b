import MotionCore
import Testing

@testable import StreamOut

struct ContainerTests {
  @Test func namesAndEndingsAreUnique() {
    let names = Container.all.map(\.name)
    #expect(Set(names).count == names.count)
    let endings = Container.all.flatMap(\.endings).map(\.name)
    #expect(Set(endings).count == endings.count)
    #expect(endings.allSatisfy { $0 == $0.lowercased() && !$0.contains(".") })
  }

  @Test(arguments: [
    ("a.y4m", "y4m"), ("/b.raw/a.Y4M", "y4m"), ("a.yuv", "raw"), ("a.b.rgb", "raw"),
    ("a.avi", nil), ("y4m", nil), ("a.y4m/b", nil), ("", nil), ("a.", nil), (".y4m", nil),
  ])
  func pathMeansContainer(_ path: String, _ name: String?) {
    #expect(Container.forPath(path)?.name == name)
  }

  @Test func refusesWhatItCannotCarryBeforeItOpens() {
    let scratch = ScratchFolder()
    let output = Output.file(path: scratch.file("a.y4m"), overwrite: false)
    #expect(
      failure { () throws(StreamOutError) in
        _ = try Container.y4m.open(output, videoFormat(4, 4, .rgb24))
      } == .cannotCarry(.rgb24, .mpeg2, container: "y4m"))
    #expect(scratch.names.isEmpty)
    #expect(!Container.y4m.pixelFormats.contains(.rgb24))
    #expect(Container.raw.pixelFormats == PixelFormat.all)
  }

  @Test func droppedWriterLeavesNothing() throws {
    let scratch = ScratchFolder()
    let format = videoFormat(4, 4)
    do {
      let output = Output.file(path: scratch.file("a.y4m"), overwrite: false)
      let writer = try Container.y4m.open(output, format)
      try writer.write(testFrame(format))
      #expect(scratch.names.count == 1)
    }
    #expect(scratch.names.isEmpty)
  }
}
