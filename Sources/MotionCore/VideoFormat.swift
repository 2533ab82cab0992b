/// The matrix between R'G'B' and Y'CbCr.
public enum ColorMatrix: String, Sendable, CaseIterable {
  case bt709, bt601

  /// What players assume of a stream that does not say: BT.709 for high definition.
  public static func assumed(for size: Size) -> ColorMatrix {
    size.width >= 1280 || size.height > 576 ? .bt709 : .bt601
  }

  /// Weights of red and blue in luma (ITU-R BT.709 and BT.601).
  public var lumaWeights: (red: Float, blue: Float) {
    switch self {
    case .bt709: (0.2126, 0.0722)
    case .bt601: (0.299, 0.114)
    }
  }
}

/// Which code values stand for black and white.
public enum ColorRange: String, Sendable, CaseIterable {
  /// Luma 16…235 and chroma 16…240 of 255.
  case limited
  /// All codes.
  case full

  /// What ffmpeg takes pixels to be whatever their stream says: R'G'B' and grey are full.
  public static func assumed(for pixelFormat: PixelFormat) -> ColorRange {
    pixelFormat.isGrey ? .full : .limited
  }
}

/// Where the chroma of 4:2:0 lies among the pixels of luma.
public enum ChromaSiting: String, Sendable, CaseIterable {
  /// On the even columns, halfway between two rows: MPEG-2, H.264 and what most assume.
  case mpeg2
  /// In the middle of four pixels: JPEG and MPEG-1.
  case jpeg
  /// On the even columns of the even rows.
  case paldv
}

/// What a frame's alpha means to its colours.
public enum Alpha: String, Sendable, CaseIterable {
  /// Alpha, where there is any, is 1 all over.
  case opaque
  /// The colours are the subject's own, encoded; black where nothing is covered.
  case straight
  /// The encoded colours are multiplied by the alpha.
  case premultiplied
}

/// Everything a consumer must know of a video before its first frame. Whoever holds one may rely on
/// it: it is checked here and nowhere else.
public struct VideoFormat: Sendable, Hashable {
  public let size: Size
  public let rate: FrameRate
  public let pixelFormat: PixelFormat
  public let matrix: ColorMatrix
  public let range: ColorRange
  /// Of 4:2:0; other pixel formats have their chroma on their own columns.
  public let siting: ChromaSiting
  public let alpha: Alpha

  /// Sides are 1…`maximumSide` pixels.
  public static let maximumSide = 16384

  public struct SizeError: Error, Hashable {
    public let size: Size
  }

  /// - Throws: `SizeError` where a side is outside 1…`maximumSide`.
  public init(
    size: Size, rate: FrameRate, pixelFormat: PixelFormat, matrix: ColorMatrix, range: ColorRange,
    siting: ChromaSiting = .mpeg2, alpha: Alpha = .opaque
  ) throws(SizeError) {
    let sides = 1...Self.maximumSide
    guard sides.contains(size.width), sides.contains(size.height) else {
      throw SizeError(size: size)
    }
    self.size = size
    self.rate = rate
    self.pixelFormat = pixelFormat
    self.matrix = matrix
    self.range = range
    self.siting = siting
    self.alpha = alpha
  }

  /// Bytes of one frame without any container.
  public var frameBytes: Int { pixelFormat.byteCount(size) }
}
