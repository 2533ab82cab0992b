/// One value of a pixel.
public enum Component: Sendable, Hashable {
  case luma, cb, cr
  case red, green, blue
  case alpha
  /// A value that fills a pixel up and that nobody reads.
  case unused
}

/// One plane of a pixel format: which components it interleaves and how it is subsampled.
public struct PlaneLayout: Sendable, Hashable {
  /// The components of one site, in memory order.
  public let components: [Component]
  /// Base-2 logarithm of the horizontal and vertical subsampling.
  public let shiftX: Int
  public let shiftY: Int

  init(_ components: [Component], shiftX: Int, shiftY: Int) {
    (self.components, self.shiftX, self.shiftY) = (components, shiftX, shiftY)
  }

  init(_ components: Component...) { self.init(components, shiftX: 0, shiftY: 0) }

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
  /// Bits of a code. Codes of more than 8 are stored as 16 bits, the low byte first.
  public let bitDepth: Int
  /// How far a code stands above the lowest of its 16 bits.
  public let codeShift: Int
  /// The value of Y4M's C parameter, the siting left out; nil where Y4M cannot carry the format.
  let y4mName: String?

  private init(
    _ name: String, _ planes: PlaneLayout..., bits: Int = 8, shift: Int = 0, y4m: String? = nil
  ) {
    (self.name, self.planes, bitDepth, codeShift, y4mName) = (name, planes, bits, shift, y4m)
  }

  /// THE TABLE of pixel formats: a new one is a new row.
  public static let all: [PixelFormat] = [
    PixelFormat("yuv420p", luma, half(.cb), half(.cr), y4m: "420"),
    PixelFormat("yuv422p", luma, across(.cb), across(.cr), y4m: "422"),
    PixelFormat("yuv444p", luma, PlaneLayout(.cb), PlaneLayout(.cr), y4m: "444"),
    PixelFormat("gray", luma, y4m: "mono"),
    PixelFormat("yuv420p10le", luma, half(.cb), half(.cr), bits: 10, y4m: "420p10"),
    PixelFormat("yuv422p10le", luma, across(.cb), across(.cr), bits: 10, y4m: "422p10"),
    PixelFormat(
      "yuv444p10le", luma, PlaneLayout(.cb), PlaneLayout(.cr), bits: 10, y4m: "444p10"),
    PixelFormat("gray10le", luma, bits: 10, y4m: "mono10"),
    PixelFormat("yuv420p12le", luma, half(.cb), half(.cr), bits: 12, y4m: "420p12"),
    PixelFormat("yuv422p12le", luma, across(.cb), across(.cr), bits: 12, y4m: "422p12"),
    PixelFormat(
      "yuv444p12le", luma, PlaneLayout(.cb), PlaneLayout(.cr), bits: 12, y4m: "444p12"),
    PixelFormat("gray12le", luma, bits: 12, y4m: "mono12"),
    PixelFormat("nv12", luma, half(.cb, .cr)),
    PixelFormat("p010le", luma, half(.cb, .cr), bits: 10, shift: 6),
    PixelFormat(
      "yuva444p", luma, PlaneLayout(.cb), PlaneLayout(.cr), PlaneLayout(.alpha)),
    PixelFormat(
      "yuva444p10le", luma, PlaneLayout(.cb), PlaneLayout(.cr), PlaneLayout(.alpha), bits: 10),
    PixelFormat("rgb24", PlaneLayout(.red, .green, .blue)),
    PixelFormat("bgr24", PlaneLayout(.blue, .green, .red)),
    PixelFormat("rgba", PlaneLayout(.red, .green, .blue, .alpha)),
    PixelFormat("bgra", PlaneLayout(.blue, .green, .red, .alpha)),
    PixelFormat("rgb0", PlaneLayout(.red, .green, .blue, .unused)),
    PixelFormat("bgr0", PlaneLayout(.blue, .green, .red, .unused)),
    PixelFormat("gbrp", PlaneLayout(.green), PlaneLayout(.blue), PlaneLayout(.red)),
    PixelFormat("rgb48le", PlaneLayout(.red, .green, .blue), bits: 16),
    PixelFormat("rgba64le", PlaneLayout(.red, .green, .blue, .alpha), bits: 16),
  ]

  private static let luma = PlaneLayout(.luma)
  /// Chroma on half of the columns and rows, and on half of the columns.
  private static func half(_ components: Component...) -> PlaneLayout {
    PlaneLayout(components, shiftX: 1, shiftY: 1)
  }
  private static func across(_ component: Component) -> PlaneLayout {
    PlaneLayout([component], shiftX: 1, shiftY: 0)
  }

  /// The format of a name; those of more than one byte a code are known without their "le" too.
  public static func named(_ name: String) -> PixelFormat? {
    all.first { $0.name == name || $0.name == name + "le" }
  }

  public static let yuv420p = named("yuv420p")!
  public static let yuv444p = named("yuv444p")!
  public static let rgb24 = named("rgb24")!
  public static let rgba = named("rgba")!

  public var description: String { name }

  /// Whether a pixel says how opaque it is.
  public var hasAlpha: Bool { components.contains(.alpha) }
  /// Whether the pixels are luma without chroma.
  public var isGrey: Bool { components == [.luma] }
  /// Whether chroma is subsampled both ways, so that `ChromaSiting` says where it lies.
  public var hasSiting: Bool { planes.contains { $0.shiftX == 1 && $0.shiftY == 1 } }

  private var components: [Component] { planes.flatMap(\.components) }

  /// The value of Y4M's C parameter; nil where it cannot carry the format, or has no word for chroma
  /// that is sited so.
  public func y4mTag(_ siting: ChromaSiting = .mpeg2) -> String? {
    guard hasSiting, let y4mName else { return siting == .mpeg2 ? y4mName : nil }
    if bitDepth == 8 { return y4mName + siting.rawValue }
    return siting == .mpeg2 ? y4mName : nil
  }

  /// Bytes of one code.
  public var codeBytes: Int { bitDepth > 8 ? 2 : 1 }

  /// Bytes of one frame.
  public func byteCount(_ picture: Size) -> Int {
    planes.reduce(0) { $0 + byteCount($1, picture) }
  }

  /// Bytes of one plane of one frame.
  public func byteCount(_ plane: PlaneLayout, _ picture: Size) -> Int {
    let sites = plane.size(in: picture)
    return sites.width * sites.height * plane.components.count * codeBytes
  }
}
