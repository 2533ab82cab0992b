public import MotionCore

/// A way to lay frames into a stream: a row of the table below.
public struct Container: Sendable, CustomStringConvertible {
  /// The name `--format` knows it by.
  public let name: String
  /// Endings of file names that mean this container, in lower case and without the dot.
  public let fileExtensions: [String]
  private let carries: @Sendable (PixelFormat) -> Bool
  private let makeWriter: MakeWriter

  private typealias MakeWriter =
    @Sendable (ByteSink, VideoFormat) throws(StreamOutError) -> any FrameWriter

  /// THE TABLE of containers: a new one is a new row and its writer's file.
  public static let all: [Container] = [
    Container(
      name: "y4m", fileExtensions: ["y4m"],
      carries: { $0.y4mTag != nil },
      makeWriter: { (sink, format) throws(StreamOutError) in
        try Y4M.Writer(sink: sink, format: format)
      }),
    Container(
      name: "raw", fileExtensions: ["raw", "yuv", "rgb"],
      carries: { _ in true },
      makeWriter: { (sink, format) throws(StreamOutError) in Raw.Writer(sink: sink, format: format)
      }),
  ]

  public static func named(_ name: String) -> Container? { all.first { $0.name == name } }

  /// The container that the ending of a file's name means, whatever its case.
  public static func forPath(_ path: String) -> Container? {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else {
      return nil
    }
    let ending = name[name.index(after: dot)...].lowercased()
    return all.first { $0.fileExtensions.contains(ending) }
  }

  public static let y4m = named("y4m")!
  public static let raw = named("raw")!

  public var description: String { name }

  /// The pixel formats it can carry, in the order of their table.
  public var pixelFormats: [PixelFormat] { PixelFormat.all.filter(carries) }

  /// Opens the output and writes the header.
  ///
  /// - Throws: `cannotCarry`, whatever `Output.check` throws, or `system` where opening or the
  ///   header failed.
  public func open(
    _ output: Output, _ format: VideoFormat
  ) throws(StreamOutError) -> any FrameWriter {
    guard carries(format.pixelFormat) else {
      throw .cannotCarry(format.pixelFormat, container: name)
    }
    return try makeWriter(ByteSink(output), format)
  }
}
