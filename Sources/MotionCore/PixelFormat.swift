/// One value of a pixel.
public enum Component: Sendable, Hashable {
  case luma, cb, cr
  case red, green, blue
}

/// One plane of a pixel format: which components it interleaves and how it is subsampled.
public struct PlaneLayout: Sendable, Hashable {
  /// The components of one site, in memory order.
  public let components: [Component]
  /// Base-2 logarithm of the horizontal and vertical subsampling.
  public let shiftX: Int
  public let shiftY: Int

  init(_ components: [Component], shiftX: Int = 0, shiftY: Int = 0) {
    (self.components, self.shiftX, self.shiftY) = (components, shiftX, shiftY)
  }

  /// Sites in a plane of a picture of the given size: subsampled sides are rounded up.
  public func size(in picture: Size) -> Size {
    Size(
      width: (picture.width + (1 << shiftX) - 1) >> shiftX,
      height: (picture.height + (1 << shiftY) - 1) >> shiftY)
  }
}

/// How the pixels of a frame stand in memory: a row of the table below.
public struct PixelFormat: Sendable, Hashable, CustomStringConvertible {
  /// The name ffmpeg's `-pix_fmt` knows it by.
  public let name: String
  /// The planes in memory order, without padding.
  public let planes: [PlaneLayout]
  /// The value of Y4M's C parameter, or nil where Y4M cannot carry the format.
  public let y4mTag: String?

  /// THE TABLE of pixel formats: a new one is a new row.
  public static let all: [PixelFormat] = [
    PixelFormat(
      name: "yuv420p",
      planes: [
        PlaneLayout([.luma]), PlaneLayout([.cb], shiftX: 1, shiftY: 1),
        PlaneLayout([.cr], shiftX: 1, shiftY: 1),
      ],
      y4mTag: "420mpeg2"),
    PixelFormat(
      name: "yuv444p", planes: [PlaneLayout([.luma]), PlaneLayout([.cb]), PlaneLayout([.cr])],
      y4mTag: "444"),
    PixelFormat(name: "rgb24", planes: [PlaneLayout([.red, .green, .blue])], y4mTag: nil),
  ]

  public static func named(_ name: String) -> PixelFormat? { all.first { $0.name == name } }

  public static let yuv420p = named("yuv420p")!
  public static let yuv444p = named("yuv444p")!
  public static let rgb24 = named("rgb24")!

  public var description: String { name }

  /// Bytes of one frame.
  public func byteCount(_ picture: Size) -> Int {
    planes.reduce(0) { $0 + byteCount($1, picture) }
  }

  /// Bytes of one plane of one frame.
  public func byteCount(_ plane: PlaneLayout, _ picture: Size) -> Int {
    let sites = plane.size(in: picture)
    return sites.width * sites.height * plane.components.count
  }
}
