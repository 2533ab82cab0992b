public import MotionCore

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
    /// A film whose pictures have another size.
    case size(expected: Size, found: Size)
    /// A picture that differs by so many codes from its place in the loop; `shown` is what it is most
    /// like, within the tolerance.
    case picture(UInt64, place: Int, by: Int, allowed: Int, shown: Int?)
    /// A picture that is shown at another time, in seconds after the first.
    case time(UInt64, expected: Double, found: Double)
    /// A film that has fewer frames than its index.
    case missing(frames: UInt64, of: Int)
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

extension Verification {
  /// Reads a film to its end, or to the first difference, in constant memory: pictures are compared
  /// within the tolerance of the index, and their times within a unit of the film's clock.
  ///
  /// - Parameters:
  ///   - name: a file's, as the system has it; nil for standard input.
  ///   - index: that of a film that is encoded, checked.
  ///   - start: which frame of the endless stream the first one is.
  public init(
    ofFilm name: [UInt8]?, against index: FrameIndex, start: UInt64 = 0
  ) throws(FilmProblem) {
    guard let film = index.stream.film else { preconditionFailure("no index of a film") }
    #if H264
      let reader = try FilmReader(name: name)
      let expected = Size(width: film.size.width, height: film.size.height)
      let fps = Double(index.stream.fps.num) / Double(index.stream.fps.den)
      let unit = Double(reader.timeBase.num) / Double(reader.timeBase.den)
      let firstPlace = index.place(ofFrame: start)
      var firstTime = 0
      var n: UInt64 = 0
      while let picture = try reader.nextPicture() {
        guard picture.size == expected else {
          self = .differs(.size(expected: expected, found: picture.size))
          return
        }
        let place = (firstPlace + Int(n % UInt64(index.period))) % index.period
        let distances = index.frames.lazy.map { $0.likeness!.distance(to: picture.likeness) }
        let distance = index.frames[place].likeness!.distance(to: picture.likeness)
        if distance > film.tolerance {
          let nearest = distances.enumerated().min { $0.element < $1.element }
          let shown = nearest.flatMap { $0.element > film.tolerance ? nil : $0.offset }
          self = .differs(
            .picture(n, place: place, by: distance, allowed: film.tolerance, shown: shown))
          return
        }
        if n == 0 { firstTime = picture.time }
        let time = (Double(picture.time) - Double(firstTime)) * unit
        if reader.hasTimes, abs(time - Double(n) / fps) > unit {
          self = .differs(.time(n, expected: Double(n) / fps, found: time))
          return
        }
        n += 1
      }
      let count = index.packets?.count ?? 0
      self = n < count ? .differs(.missing(frames: n, of: count)) : .agrees(frames: n)
    #else
      throw .leftOut
    #endif
  }
}
