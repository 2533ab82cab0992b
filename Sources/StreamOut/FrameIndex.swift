public import MotionCore

/// What a program must know to find, show and check any frame of a loop in a stream of its frames:
/// the content of an index file, whose schema is `docs/frame-index.schema.json`.
///
/// It tells of one round of the loop and of the stream's layout, and nothing of paths, times or
/// machines. Frame k of an endless stream is frame k mod `period`; in a file its planes stand at
/// `headerLength + k · frameStride + frameMark`'s length.
public struct FrameIndex: Sendable, Codable, Hashable {
  /// The version of the schema. It rises when a reader of the older one would go wrong.
  public static let schemaVersion = 1

  /// Frames of the longest loop that has an index: an index is read and written as a whole.
  public static let maximumFrames = 1 << 18

  /// The program that wrote it.
  public struct Generator: Sendable, Codable, Hashable {
    public let name, version: String

    public init(name: String, version: String) { (self.name, self.version) = (name, version) }
  }

  public struct Dimensions: Sendable, Codable, Hashable { public let width, height: Int }

  /// Frames a second, exactly.
  public struct Rate: Sendable, Codable, Hashable { public let num, den: Int }

  /// How a film is encoded.
  public struct Film: Sendable, Codable, Hashable {
    public let encoder: String
    /// What it was asked for; the rest was left to it.
    public let crf: Double?
    public let bitrate: Int?
    public let preset, tune: String?
    public let threads: Int
    /// Of its pictures.
    public let size: Dimensions
    /// Seconds a unit of its times.
    public let timeBase: Rate
    /// How many codes of 255 a cell of a picture may differ from its likeness.
    public let tolerance: Int

    init(_ encoding: Encoding, _ size: Size, _ places: FilmPlaces) {
      (encoder, preset, tune) = (encoding.encoder, encoding.preset, encoding.tune)
      (crf, bitrate) = (encoding.quality, encoding.bitrate)
      threads = encoding.threads
      (timeBase, tolerance) = (places.timeBase, places.tolerance)
      self.size = Dimensions(width: size.width, height: size.height)
    }
  }

  /// How frames stand in the stream, and what their samples mean. Those of a film that is encoded do
  /// not stand in it: there are no header, no marks and no stride then.
  public struct Stream: Sendable, Codable, Hashable {
    public let container: String
    public let size: Dimensions
    public let pixFmt: String
    /// Of 4:2:0; left out for others.
    public let siting: String?
    public let range, matrix: String
    public let fps: Rate
    /// The first bytes, as text, and how many they are.
    public let header: String
    public let headerLength: Int
    /// What stands before each frame's planes, as text; the planes' bytes; and the bytes of both.
    public let frameMark: String
    public let frameBytes: Int
    public let frameStride: Int
    /// Nil where frames are not encoded.
    public let film: Film?

    init(_ container: Container, _ format: VideoFormat, _ film: Film?) {
      precondition(container.hasIndex && container.isEncoded == (film != nil))
      let layout = container.layout?(format)
      self.film = film
      self.container = container.name
      size = Dimensions(width: format.size.width, height: format.size.height)
      pixFmt = format.pixelFormat.name
      siting = format.pixelFormat.hasSiting ? format.siting.rawValue : nil
      range = format.range.rawValue
      matrix = format.matrix.rawValue
      fps = Rate(num: format.rate.numerator, den: format.rate.denominator)
      header = String(decoding: layout?.header ?? [], as: UTF8.self)
      headerLength = layout?.header.count ?? 0
      frameMark = String(decoding: layout?.frameMark ?? [], as: UTF8.self)
      frameBytes = format.frameBytes
      frameStride = layout.map { $0.frameMark.count + format.frameBytes } ?? 0
    }
  }

  /// A camera of the loop: its offset in units of the subject's distance, and its zoom.
  public struct Camera: Sendable, Codable, Hashable {
    public let id: Int
    public let x, y, z, zoom: Double
  }

  /// A frame of the loop.
  public struct Entry: Sendable, Codable, Hashable {
    /// How far the move has come, as a fraction of the frames in which the camera moves, not reduced:
    /// `45/120`; 0 of them while it holds still.
    public let phase: String
    /// The id of the camera.
    public let pose: Int
    /// Of its planes, as they were drawn.
    public let md5: MD5
    /// Of its picture, where frames are encoded.
    public let likeness: Likeness?
  }

  /// A frame of an encoded film, where it stands in its file and when it is shown.
  public struct Packet: Sendable, Codable, Hashable {
    /// In bytes, as libavformat has them.
    public let offset, size: Int
    /// In units of the film's time base.
    public let pts, dts: Int
    /// Whether a decoder can begin with it.
    public let key: Bool

    init(_ place: PacketPlace) {
      (offset, size, pts, dts) = (place.offset, place.size, place.pts, place.dts)
      key = place.isKey
    }
  }

  public let schemaVersion: Int
  public let generator: Generator
  /// SHA-256 of all that the stream's bytes follow from, for who wants to know whether it is stale.
  public let recipe: String
  public let stream: Stream
  /// Frames of one round.
  public let period: Int
  /// Every camera once.
  public let poses: [Camera]
  /// Every frame of one round, in order.
  public let frames: [Entry]
  /// Every frame of the film in the order in which they are shown; nil where frames are not encoded.
  public let packets: [Packet]?

  /// - Parameters:
  ///   - recipe: what the stream's bytes follow from.
  ///   - container: one that has an index and can carry the format.
  ///   - digests: of every pose of the loop.
  ///   - film: how it is encoded and where its frames are, where it is.
  public init(
    generator: Generator, recipe: SHA256, container: Container, format: VideoFormat, loop: Loop,
    digests: PoseDigests, film: (encoding: Encoding, places: FilmPlaces)? = nil
  ) {
    precondition(digests.isComplete)
    schemaVersion = Self.schemaVersion
    self.generator = generator
    self.recipe = "\(recipe)"
    stream = Stream(
      container, format,
      film.map { Film($0, container.pictureSize(format.size), $1) })
    packets = film?.places.packets
    period = loop.period
    poses = digests.ids.map { id in
      let pose = loop.pose(id: id)
      return Camera(id: id, x: pose.x, y: pose.y, z: pose.z, zoom: pose.zoom)
    }
    frames = (0..<loop.period).map { place in
      let id = loop.poseID(ofFrame: UInt64(place))
      let digest = digests[id]!
      return Entry(
        phase: Self.phase(place, moving: loop.moving), pose: id, md5: digest.md5,
        likeness: digest.likeness)
    }
  }

  /// The place in the loop of a stream's frame.
  public func place(ofFrame n: UInt64) -> Int { Int(n % UInt64(frames.count)) }
}

extension FrameIndex {
  /// Why an index cannot be worked with.
  public enum Damage: Error, Hashable, Sendable {
    case unknownVersion(Int)
    /// A number that no index has.
    case number(String)
    /// Frames that are there, of a period.
    case frames(Int, period: Int)
    /// A frame that has another phase than its place, a pose that is not listed, or another MD5 than
    /// a frame of the same pose.
    case frame(Int)
    /// A film without one of its parts.
    case film
  }

  private static func phase(_ place: Int, moving: Int) -> String {
    "\(place < moving ? place : 0)/\(moving)"
  }

  /// More bytes than any container has as a header or before a frame.
  private static let longestMark = 4096

  /// Looks for what would lead its reader astray; whoever decoded one must ask before using it.
  public func check() throws(Damage) {
    guard schemaVersion == Self.schemaVersion else { throw .unknownVersion(schemaVersion) }
    let sides = 1...VideoFormat.maximumSide
    // No pixel has more than 16 bytes.
    let mostBytes = VideoFormat.maximumSide * VideoFormat.maximumSide * 16
    let (header, mark) = (stream.header.utf8.count, stream.frameMark.utf8.count)
    // Numbers from a stranger's file: the difference must not trap.
    let numbers = [
      ("size", sides.contains(stream.size.width) && sides.contains(stream.size.height)),
      ("fps", stream.fps.num > 0 && stream.fps.den > 0),
      ("headerLength", stream.headerLength == header && header <= Self.longestMark),
      ("frameBytes", (1...mostBytes).contains(stream.frameBytes)),
      (
        "frameStride",
        stream.film != nil
          || mark <= Self.longestMark && stream.frameStride &- stream.frameBytes == mark
      ),
      ("period", (1...Self.maximumFrames).contains(period)),
    ]
    for case (let name, false) in numbers { throw .number(name) }
    guard frames.count == period else { throw .frames(frames.count, period: period) }
    let moving = frames.first.flatMap { Int($0.phase.dropFirst(2)) } ?? 0
    let ids = Set(poses.map { $0.id })
    var digests: [Int: MD5] = [:]
    for (place, frame) in frames.enumerated() {
      guard frame.phase == Self.phase(place, moving: moving), ids.contains(frame.pose),
        digests[frame.pose] == nil || digests[frame.pose] == frame.md5
      else { throw .frame(place) }
      digests[frame.pose] = frame.md5
    }
    if let film = stream.film {
      guard let packets, (1...Self.maximumFrames).contains(packets.count),
        frames.allSatisfy({ $0.likeness != nil }), (0...255).contains(film.tolerance),
        film.timeBase.num > 0, film.timeBase.den > 0,
        sides.contains(film.size.width), sides.contains(film.size.height)
      else { throw .film }
    }
  }
}
