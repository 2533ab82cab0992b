import Foundation
import MotionCore
import Testing

@testable import StreamOut

@Suite struct VerificationTests {
  private let test = TestIndex()

  private func verify(
    _ bytes: [UInt8], _ test: TestIndex? = nil, start: UInt64 = 0
  ) throws -> Verification {
    let scratch = ScratchFolder()
    let path = scratch.file("stream")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try Verification(
      of: ByteSource(name: Array(path.utf8)), against: (test ?? self.test).index, start: start)
  }

  @Test(arguments: [1, 5, 6, 13])
  func whatWasWrittenAgrees(_ count: Int) throws {
    #expect(try verify(test.stream(count: count)) == .agrees(frames: UInt64(count)))
    let raw = TestIndex(.raw)
    #expect(try verify(raw.stream(count: count), raw) == .agrees(frames: UInt64(count)))
  }

  @Test(arguments: [1, 5, 6, 7, 600])
  func aStreamMayBeginAnywhere(_ start: Int) throws {
    let stream = test.stream(start: start, count: 8)
    #expect(try verify(stream, start: UInt64(start)) == .agrees(frames: 8))
  }

  @Test func aStreamMayBeginAtTheEndOfCounting() throws {
    let place = Int(UInt64.max % 6)
    #expect(try verify(test.stream(start: place, count: 8), start: .max) == .agrees(frames: 8))
  }

  /// Every bit of every byte of a stream.
  @Test func everyFlippedBitIsFound() throws {
    let stream = test.stream(count: 3)
    let layout = test.index.stream
    for at in stream.indices {
      var bytes = stream
      bytes[at] ^= 1 << (at % 8)
      let verification = try verify(bytes)
      guard case .differs(let difference) = verification else {
        Issue.record("byte \(at): \(verification)")
        continue
      }
      let frame = (at - layout.headerLength) / layout.frameStride
      let inFrame = (at - layout.headerLength) % layout.frameStride
      switch difference {
      case .header(let expected, let found):
        #expect(at < layout.headerLength && expected + "\n" == layout.header && found != expected)
      case .noFrame(UInt64(frame), let offset):
        #expect(inFrame < 6 && offset == UInt64(at - inFrame))
      case .frame(UInt64(frame), place: frame, shown: []): #expect(inFrame >= 6)
      default: Issue.record("byte \(at): \(difference)")
      }
    }
  }

  @Test func everyEndInsideIsFound() throws {
    let stream = test.stream(count: 3)
    let layout = test.index.stream
    for count in stream.indices {
      let verification = try verify(Array(stream.prefix(count)))
      let rest = count - layout.headerLength
      if count == 0 || rest == 0 {
        #expect(verification == .differs(.noFrames))
      } else if rest < 0 {
        guard case .differs(.header) = verification else {
          Issue.record("\(count) bytes: \(verification)")
          continue
        }
      } else if rest % layout.frameStride == 0 {
        #expect(verification == .agrees(frames: UInt64(rest / layout.frameStride)))
      } else {
        #expect(
          verification
            == .differs(
              .truncated(
                UInt64(rest / layout.frameStride), bytes: rest % layout.frameStride,
                stride: layout.frameStride)))
      }
    }
  }

  @Test func whatFollowsIsFound() throws {
    let stream = test.stream(count: 2)
    #expect(
      try verify(stream + [0]) == .differs(.noFrame(2, offset: UInt64(stream.count))))
    // In raw there is no telling.
    let raw = TestIndex(.raw)
    #expect(
      try verify(raw.stream(count: 2) + [0], raw)
        == .differs(.truncated(2, bytes: 1, stride: raw.index.stream.frameStride)))
  }

  @Test func aFrameOfAnotherPlaceIsRecognised() throws {
    // The loop passes the pose of frame 2 twice.
    let frames = test.index.frames
    let shown = frames.indices.filter { frames[$0].md5 == frames[2].md5 }
    #expect(shown.count == 2 && shown[0] == 2)
    #expect(
      try verify(test.stream(start: 2, count: 4)) == .differs(.frame(0, place: 0, shown: shown)))
    let layout = test.index.stream
    var bytes = test.stream(count: 6)
    bytes.removeSubrange(
      layout.headerLength + layout.frameStride..<layout.headerLength + 2 * layout.frameStride)
    #expect(try verify(bytes) == .differs(.frame(1, place: 1, shown: shown)))
  }

  /// Another program's header may be longer, and is shown to its line's end; what is no text at all is
  /// not read for ever.
  @Test func aHeaderIsShownWhole() throws {
    let header = "YUV4MPEG2 W17 H5 F25:1 Ip A1:1 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED"
    guard
      case .differs(.header(_, let found)) = try verify(Array("\(header)\nFRAME\n".utf8))
    else {
      Issue.record("no header differs")
      return
    }
    #expect(found == header)
    guard
      case .differs(.header(_, let junk)) = try verify([UInt8](repeating: 65, count: 1 << 20))
    else {
      Issue.record("no header differs")
      return
    }
    #expect((40...200).contains(junk.utf8.count))
  }

  @Test func aPipeIsReadAsAFileIs() throws {
    let pipe = TestPipe()
    let stream = test.stream(count: 30)
    let writeEnd = pipe.writeEnd
    Thread.detachNewThread {
      for start in stride(from: 0, to: stream.count, by: 7) {
        let piece = Array(stream[start..<min(start + 7, stream.count)])
        precondition(write(writeEnd, piece, piece.count) == piece.count)
      }
      pipe.closeWriteEnd()
    }
    let source = try ByteSource(name: Array("/dev/fd/\(pipe.readEnd)".utf8))
    #expect(try Verification(of: source, against: test.index) == .agrees(frames: 30))
  }

  @Test func whatCannotBeReadIsSaid() {
    let scratch = ScratchFolder()
    func problem(_ path: String) -> ByteSource.Problem? {
      do throws(ByteSource.Problem) {
        _ = try ByteSource(name: Array(path.utf8)).readAll(limit: 10)
        return nil
      } catch {
        return error
      }
    }
    #expect(problem(scratch.path) == .isDirectory)
    #expect(problem(scratch.file("none")) == .cannotOpen(ENOENT))
    put("0123456789", at: scratch.file("a"))
    #expect(problem(scratch.file("a")) == nil)
    put("0123456789a", at: scratch.file("b"))
    #expect(problem(scratch.file("b")) == .tooManyBytes(limit: 10))
    #expect(problem("/dev/zero") == .tooManyBytes(limit: 10))
  }
}
