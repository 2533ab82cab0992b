public import MotionCore

/// What is known of a film only when it is whole: where its frames stand in its file, in the order in
/// which they are shown, and how much encoding has changed them.
public struct FilmPlaces: Sendable {
  let packets: [FrameIndex.Packet]
  /// Seconds a unit of their times.
  let timeBase: FrameIndex.Rate
  /// How many codes of 255 a cell of a picture may differ from its likeness: what encoding has
  /// changed it by in the film's first round, and a little more.
  let tolerance: Int

  /// Reads a file that was written here. Offsets and times are those that ffprobe prints.
  ///
  /// - Parameters:
  ///   - path: the file's.
  ///   - rate: that of a container without times: they are in frames then.
  ///   - digests: of every pose of the loop, with their likeness.
  ///   - start: the place in the loop of the film's first frame.
  /// - Throws: `FilmProblem`.
  public init(
    ofFile path: String, in container: Container, _ rate: FrameRate, _ loop: Loop,
    _ digests: PoseDigests, start: Int
  ) throws(FilmProblem) {
    #if H264
      func open() throws(FilmProblem) -> FilmReader {
        try FilmReader(name: Array(path.utf8), demuxer: container.demuxer)
      }
      let reader = try open()
      var places: [PacketPlace] = []
      while let place = try reader.nextPacket() { places.append(place) }
      // A second time, decoded.
      let pictures = try open()
      var (order, change): ([Int], Int) = ([], 0)
      while order.count < (reader.hasTimes ? loop.period : .max),
        let picture = try pictures.nextPicture()
      {
        if order.count < loop.period {
          let id = loop.poseID(ofFrame: UInt64(start + order.count))
          change = max(change, digests[id]?.likeness?.distance(to: picture.likeness) ?? 0)
        }
        order.append(picture.time)
      }
      tolerance = min(change + Likeness.tolerance, 255)
      if reader.hasTimes {
        packets = places.sorted { $0.pts < $1.pts }.map { FrameIndex.Packet($0) }
        timeBase = FrameIndex.Rate(num: reader.timeBase.num, den: reader.timeBase.den)
      } else {
        packets = try Self.packets(places, shownIn: order)
        timeBase = FrameIndex.Rate(num: rate.denominator, den: rate.numerator)
      }
    #else
      throw .leftOut
    #endif
  }

  /// Packets that have no times, in the order in which a decoder shows them.
  private static func packets(
    _ places: [PacketPlace], shownIn order: [Int]
  ) throws(FilmProblem) -> [FrameIndex.Packet] {
    guard order.sorted() == Array(places.indices) else {
      throw .damaged(frame: UInt64(order.count), detail: "frames are missing")
    }
    // How many frames later than its place each is decoded, at most.
    let delay = order.enumerated().reduce(0) { max($0, $1.element - $1.offset) }
    return order.enumerated().map { shown, decoded in
      var place = places[decoded]
      (place.pts, place.dts) = (shown, decoded - delay)
      return FrameIndex.Packet(place)
    }
  }
}
