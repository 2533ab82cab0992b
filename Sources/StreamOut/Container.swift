public import MotionCore

/// A way to lay frames into a stream: a row of the table below.
public struct Container: Sendable, CustomStringConvertible {
  /// The name `--format` knows it by.
  public let name: String
  /// Endings of file names that mean this container.
  let endings: [Ending]
  /// Whether it holds one frame and no more.
  public let isStill: Bool
  /// What its colours always are, since its readers take them for that or it is what they read best;
  /// nil where there is a choice.
  public let colours: Colours?
  /// Pixels of the largest picture.
  private let mostPixels: Int
  private let carries: @Sendable (PixelFormat, ChromaSiting) -> Bool
  /// What stands around the planes of a format that it can carry; nil where frames are not laid in
  /// as they are.
  let layout: (@Sendable (VideoFormat) -> StreamLayout)?
  /// How encoded frames are laid into it; nil where it holds them as they are, or one of them.
  private let muxing: Muxing?
  private let makeWriter: MakeWriter

  public struct Colours: Sendable, Hashable {
    /// Nil where there is no Y'CbCr.
    public let matrix: ColorMatrix?
    public let range: ColorRange
    /// Of 4:2:0.
    public let siting: ChromaSiting
  }

  /// The end of a file's name, in lower case and without the dot, and what its pixels are unless
  /// said otherwise. The first is what holds for other names too.
  struct Ending: Sendable {
    let name: String
    let pixelFormat: PixelFormat
  }

  private typealias MakeWriter =
    @Sendable (Output, VideoFormat, Encoding, Rounds?) throws(StreamOutError) -> any FrameWriter

  private init(
    _ name: String, endings: [Ending],
    carries: @escaping @Sendable (PixelFormat, ChromaSiting) -> Bool,
    layout: @escaping @Sendable (VideoFormat) -> StreamLayout,
    makeWriter:
      @escaping @Sendable (ByteSink, VideoFormat) throws(StreamOutError) -> any FrameWriter
  ) {
    (self.name, self.endings, self.carries) = (name, endings, carries)
    (isStill, colours, self.layout, mostPixels, muxing) = (false, nil, layout, .max, nil)
    self.makeWriter = { (output, format, _, _) throws(StreamOutError) in
      try makeWriter(ByteSink(output), format)
    }
  }

  /// A container of one frame.
  private init(
    still name: String, endings: [Ending], colours: Colours, mostPixels: Int = .max,
    carries: @escaping @Sendable (PixelFormat, ChromaSiting) -> Bool,
    encode: @escaping Still.Encode
  ) {
    (self.name, self.endings, self.carries) = (name, endings, carries)
    (isStill, self.colours, layout, self.mostPixels) = (true, colours, nil, mostPixels)
    muxing = nil
    makeWriter = { (output, format, _, _) throws(StreamOutError) in
      Still.Writer(sink: try ByteSink(output), format: format, encode)
    }
  }

  #if H264
    /// A container of H.264.
    private init(film name: String, endings: [String], _ muxing: Muxing) {
      (self.name, self.muxing) = (name, muxing)
      self.endings = endings.map { Ending(name: $0, pixelFormat: .yuv420p) }
      // What players take high definition for, and what every decoder reads.
      colours = Colours(matrix: .bt709, range: .limited, siting: .mpeg2)
      (isStill, layout, mostPixels) = (false, nil, Self.mostEncodedPixels)
      carries = { $0 == .yuv420p && $1 == .mpeg2 }
      makeWriter = { (output, format, encoding, rounds) throws(StreamOutError) in
        try FilmWriter(muxing, to: output, format, encoding, rounds)
      }
    }
  #endif

  /// libavcodec keeps room for what an encoded picture could come to at worst.
  private static let mostEncodedPixels = 1 << 27

  /// THE TABLE of containers: a new one is a new row and its writer's file.
  public static let all = frames + stills + films

  private static let frames = [
    Container(
      "y4m", endings: [Ending(name: "y4m", pixelFormat: .yuv420p)],
      carries: { $0.y4mTag($1) != nil },
      layout: { StreamLayout(header: Y4M.header(for: $0), frameMark: Y4M.frameMark) },
      makeWriter: { (sink, format) throws(StreamOutError) in
        try Y4M.Writer(sink: sink, format: format)
      }),
    Container(
      "raw",
      endings: [
        Ending(name: "raw", pixelFormat: .rgb24), Ending(name: "rgb", pixelFormat: .rgb24),
        Ending(name: "rgba", pixelFormat: .rgba), Ending(name: "yuv", pixelFormat: .yuv420p),
      ],
      carries: { _, _ in true },
      layout: { _ in StreamLayout(header: [], frameMark: []) },
      makeWriter: { (sink, format) throws(StreamOutError) in Raw.Writer(sink: sink, format: format)
      }),
  ]

  private static let stills = [
    Container(
      still: "png", endings: [Ending(name: "png", pixelFormat: .rgb24)],
      colours: Colours(matrix: nil, range: .full, siting: .mpeg2),
      carries: { pixelFormat, _ in PNG.layout(of: pixelFormat) != nil },
      encode: { PNG.encode($0) }),
    Container(
      still: "jpeg",
      endings: [
        Ending(name: "jpg", pixelFormat: .yuv444p), Ending(name: "jpeg", pixelFormat: .yuv444p),
      ],
      colours: Colours(matrix: .bt601, range: .full, siting: .jpeg),
      mostPixels: mostEncodedPixels,
      carries: { JPEG.codecFormat($0) != nil && (!$0.hasSiting || $1 == .jpeg) },
      encode: { JPEG.encode($0) }),
  ]

  #if H264
    private static let films = [
      Container(film: "h264", endings: ["h264", "264"], Muxing(muxer: "h264", demuxer: "h264")),
      Container(
        film: "mp4", endings: ["mp4"],
        Muxing(
          muxer: "mp4", demuxer: "mov", options: ["movflags": "+faststart"],
          clockOption: "video_track_timescale", goesBack: true, streamed: "fmp4")),
      Container(
        film: "mkv", endings: ["mkv"], Muxing(muxer: "matroska", demuxer: "matroska")),
      Container(
        film: "ts", endings: ["ts"],
        Muxing(
          muxer: "mpegts", demuxer: "mpegts",
          protocols: [
            // Seven packets, which fit into what networks carry whole.
            "udp": ["pkt_size": "1316"], "tcp": [:], "srt": [:], "rist": [:],
          ])),
      Container(
        // The table of contents waits for the first packet, so that it can say when that is shown. The
        // trailer would list the fragments, of which there may be more and more.
        film: "fmp4", endings: ["fmp4"],
        Muxing(
          muxer: "mp4", demuxer: "mov",
          options: [
            "movflags":
              "+frag_keyframe+empty_moov+delay_moov+default_base_moof+skip_trailer"
          ],
          clockOption: "video_track_timescale")),
      Container(
        film: "flv", endings: ["flv"],
        Muxing(muxer: "flv", demuxer: "flv", protocols: ["rtmp": [:], "rtmps": [:]])),
    ]
  #else
    private static let films: [Container] = []
  #endif

  /// The schemes of the addresses that films are sent to. libavformat knows others, some of which
  /// are files by another name.
  public static let schemes = all.flatMap { $0.muxing?.protocols.map(\.key) ?? [] }

  public static func named(_ name: String) -> Container? { all.first { $0.name == name } }

  /// The container that the ending of a file's name means, whatever its case, or the receiver of an
  /// address.
  public static func forPath(_ path: String) -> Container? {
    if let scheme = Output.scheme(of: path) {
      return all.first { $0.muxing?.protocols.contains { $0.key == scheme } ?? false }
    }
    guard let ending = ending(ofPath: path) else { return nil }
    return all.first { $0.endings.contains { $0.name == ending } }
  }

  /// What stands behind the last dot of a file's name, in lower case; nil where nothing does.
  public static func ending(ofPath path: String) -> String? {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: "."),
      dot > name.startIndex
    else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return ending.isEmpty ? nil : ending
  }

  /// What the pixels of a file are unless said otherwise.
  public func pixelFormat(forPath path: String) -> PixelFormat {
    let ending = Self.ending(ofPath: path)
    return (endings.first { $0.name == ending } ?? endings[0]).pixelFormat
  }

  public static let y4m = named("y4m")!
  public static let raw = named("raw")!

  public var description: String { name }

  /// The pixel formats it can carry, in the order of their table.
  public var pixelFormats: [PixelFormat] {
    PixelFormat.all.filter { carries($0, colours?.siting ?? .mpeg2) }
  }

  /// Whether it can carry a pixel format with its chroma sited so.
  public func canCarry(_ pixelFormat: PixelFormat, _ siting: ChromaSiting) -> Bool {
    carries(pixelFormat, siting)
  }

  /// Whether it can hold pictures of a size.
  public func canHold(_ size: Size) -> Bool {
    let picture = pictureSize(size)
    return (1...mostPixels).contains(picture.width * picture.height)
  }

  /// The name libavformat knows its reader by; nil where frames are not encoded.
  public var demuxer: String? { muxing?.demuxer }

  /// Whether it holds frames as H.264 encodes them: pictures of even sides, at most a column and a
  /// row of the frames cut off.
  public var isEncoded: Bool { muxing != nil }

  /// Whether a film without an end can be written into it.
  public var canBeEndless: Bool { !isStill && muxing?.goesBack != true }

  /// The container for an output: itself, or the one that stands in where it cannot go back.
  public func suited(to output: Output) -> Container {
    output.isRegularFile ? self : muxing?.streamed.flatMap(Container.named) ?? self
  }

  /// The size of its pictures, for frames of a size.
  public func pictureSize(_ size: Size) -> Size { isEncoded ? evenSize(size) : size }

  /// Whether colours that are multiplied by their alpha are understood as such, or may be.
  public var carriesPremultiplied: Bool { layout != nil }

  /// Whether a frame of its streams can be found by an index.
  public var hasIndex: Bool { !isStill }

  /// Opens the output and writes the header.
  ///
  /// - Parameters:
  ///   - encoding: how frames are encoded, where they are.
  ///   - rounds: what the stream is made of; nil where it is no loop.
  /// - Throws: `cannotCarry`, whatever `Output.check` throws, or `system` where opening or the
  ///   header failed; where frames are encoded also the other cases.
  public func open(
    _ output: Output, _ format: VideoFormat, _ encoding: Encoding = Encoding(),
    _ rounds: Rounds? = nil
  ) throws(StreamOutError) -> any FrameWriter {
    guard carries(format.pixelFormat, format.siting) else {
      throw .cannotCarry(format.pixelFormat, format.siting, container: name)
    }
    return try makeWriter(output, format, encoding, rounds)
  }
}

/// What a stream of frames of one size has beside their planes.
struct StreamLayout: Sendable, Hashable {
  /// Once, at the beginning.
  let header: [UInt8]
  /// Before each frame's planes.
  let frameMark: [UInt8]
}
