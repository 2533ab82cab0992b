/// The part of the photo that the output looks at.
///
/// A frame point q (output pixels, pixel centres at +0.5) and a photo point P (photo pixels) belong
/// together by q = output/2 + scale · crop · (P − centre).
public struct Window: Hashable, Sendable {
  /// The photo's and the output's size.
  public let photo: Size
  public let output: Size
  /// Output pixels a photo pixel, before the crop.
  public let scale: Double
  /// The window's middle, in photo pixels.
  public let centre: SIMD2<Double>

  /// The largest rectangle of the output's aspect, centred on `target` and kept inside the photo.
  ///
  /// The window's corner lies on a whole output pixel, and a scale within a pixel of 1 is 1: a photo
  /// shown at its own size is copied, not resampled.
  public init(photo: Size, output: Size, target: SIMD2<Double>) {
    let size = SIMD2(Double(photo.width), Double(photo.height))
    let frame = SIMD2(Double(output.width), Double(output.height))
    var scale = (frame / size).max()
    if scale < 1, ((1 - scale) * size).max() < 1 + 1e-9 { scale = 1 }
    let half = frame / 2 / scale
    let wanted = target.clamped(lowerBound: half, upperBound: pointwiseMax(half, size - half))
    let corner = ((wanted - half) * scale).rounded(.down) / scale
    (self.photo, self.output, self.scale) = (photo, output, scale)
    centre = corner + half
  }

  /// Left, top, width and height in photo pixels.
  public var rectangle: (x: Double, y: Double, width: Double, height: Double) {
    let size = SIMD2(Double(output.width), Double(output.height)) / scale
    return (centre.x - size.x / 2, centre.y - size.y / 2, size.x, size.y)
  }

  /// The photo point that the frame shows at `q` when nothing has moved.
  public func photoPoint(_ q: SIMD2<Double>, crop: Double) -> SIMD2<Double> {
    centre + (q - SIMD2(Double(output.width), Double(output.height)) / 2) / (scale * crop)
  }

  /// Where the frame shows the photo point `p`: the inverse of `photoPoint`.
  public func framePoint(_ p: SIMD2<Double>, crop: Double) -> SIMD2<Double> {
    SIMD2(Double(output.width), Double(output.height)) / 2 + (p - centre) * (scale * crop)
  }
}
