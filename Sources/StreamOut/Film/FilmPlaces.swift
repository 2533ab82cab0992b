public import MotionCore

/// Where the frames of a film stand in its file, in the order in which they are shown.
public struct FilmPlaces: Sendable {
  let packets: [FrameIndex.Packet]
  /// Seconds a unit of their times.
  let timeBase: FrameIndex.Rate

  /// Reads a file that was written here. Offsets and times are those that ffprobe prints.
  ///
  /// - Parameters:
  ///   - path: the file's.
  ///   - rate: that of a container without times: they are in frames then.
  /// - Throws: `FilmProblem`.
  public init(ofFile path: String, _ rate: FrameRate) throws(FilmProblem) {
    #if H264
      let reader = try FilmReader(name: Array(path.utf8))
      var places: [PacketPlace] = []
      while let place = try reader.nextPacket() { places.append(place) }
      if reader.hasTimes {
        packets = places.sorted { $0.pts < $1.pts }.map { FrameIndex.Packet($0) }
        timeBase = FrameIndex.Rate(num: reader.timeBase.num, den: reader.timeBase.den)
      } else {
        packets = try Self.ordered(places, path)
        timeBase = FrameIndex.Rate(num: rate.denominator, den: rate.numerator)
      }
    #else
      throw .leftOut
    #endif
  }

  #if H264
    /// Packets that have no times, in the order in which a decoder shows them.
    private static func ordered(
      _ places: [PacketPlace], _ path: String
    ) throws(FilmProblem) -> [FrameIndex.Packet] {
      let reader = try FilmReader(name: Array(path.utf8))
      var order: [Int] = []
      while let picture = try reader.nextPicture() { order.append(picture.time) }
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
  #endif
}
