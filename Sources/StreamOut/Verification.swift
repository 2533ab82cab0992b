/// What comparing a stream with an index came to.
public enum Verification: Hashable, Sendable {
  /// Every byte is as the index says, over so many frames, at least one.
  case agrees(frames: UInt64)
  case differs(Difference)

  /// The first thing that is not as the index says. Frames are counted in the stream, from 0.
  public enum Difference: Hashable, Sendable {
    /// The stream's first bytes, as far as they make a line.
    case header(expected: String, found: String)
    /// There is a header and nothing behind it, or nothing at all.
    case noFrames
    /// Bytes that are no frame, where one should begin; `offset` is that of the first.
    case noFrame(UInt64, offset: UInt64)
    /// A frame whose planes are others than those of its place in the loop; `shown` are the first two
    /// places that have such planes: a loop passes most of its poses twice.
    case frame(UInt64, place: Int, shown: [Int])
    /// The stream ends inside a frame, after so many of its bytes.
    case truncated(UInt64, bytes: Int, stride: Int)
  }

  /// The longest header that is read on to its line's end, to be shown.
  private static let longestLine = 100

  /// Reads a stream to its end, or to the first difference, in constant memory.
  ///
  /// - Parameters:
  ///   - index: one that has been checked.
  ///   - start: which frame of the endless stream the first one is.
  public init(
    of source: ByteSource, against index: FrameIndex, start: UInt64 = 0
  ) throws(ByteSource.Problem) {
    let (header, mark) = (Array(index.stream.header.utf8), Array(index.stream.frameMark.utf8))
    let (frameBytes, stride) = (index.stream.frameBytes, index.stream.frameStride)
    let found = try source.bytes(header.count)
    guard found == header else {
      self = try .differs(Self.header(header, found, source))
      return
    }
    let digest = RunningMD5()
    let firstPlace = index.place(ofFrame: start)
    var n: UInt64 = 0
    while true {
      let found = try source.bytes(mark.count)
      guard mark.starts(with: found) else {
        self = .differs(
          .noFrame(n, offset: UInt64(header.count) &+ n &* UInt64(stride)))
        return
      }
      let planes =
        found.count < mark.count
        ? 0 : try source.read(frameBytes) { digest.update($0) }
      if found.count + planes == 0 {
        self = n > 0 ? .agrees(frames: n) : .differs(.noFrames)
        return
      }
      guard planes == frameBytes else {
        self = .differs(.truncated(n, bytes: found.count + planes, stride: stride))
        return
      }
      let md5 = digest.finish()
      let place = (firstPlace + Int(n % UInt64(index.period))) % index.period
      guard md5 == index.frames[place].md5 else {
        let shown = index.frames.indices.lazy.filter { index.frames[$0].md5 == md5 }.prefix(2)
        self = .differs(.frame(n, place: place, shown: Array(shown)))
        return
      }
      n += 1
    }
  }

  /// What to say of a header that is not the index's.
  private static func header(
    _ expected: [UInt8], _ found: [UInt8], _ source: ByteSource
  ) throws(ByteSource.Problem) -> Difference {
    if found.isEmpty { return .noFrames }
    let newline = UInt8(ascii: "\n")
    var found = found
    while !found.contains(newline), found.count < longestLine,
      let byte = try source.bytes(1).first
    {
      found.append(byte)
    }
    func line(_ bytes: [UInt8]) -> String {
      String(decoding: bytes.prefix(longestLine).prefix { $0 != newline }, as: UTF8.self)
    }
    return .header(expected: line(expected), found: line(found))
  }
}
