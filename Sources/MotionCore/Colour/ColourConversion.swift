/// What happens to a photo's samples on their way to linear light with sRGB primaries.
enum ColourConversion: Sendable {
  case sRGB
  /// The light of each code and channel, then a matrix. That commutes with scaling, so it comes after.
  case curves(CodeCurves, ColourMatrix?)
  /// Anything else: scaled in the light of sRGB's curve, which is near that of any picture made to be
  /// looked at, and then converted.
  case function(PhotoColour.RowConversion)

  /// The light in which samples of 8 or 16 bits are scaled.
  func curves(bits: Int) -> CodeCurves {
    switch self {
    case .curves(let curves, _): curves
    case .sRGB, .function: bits == 8 ? .sRGB8 : .sRGB16
    }
  }

  /// Makes scaled light, premultiplied by w, light with sRGB primaries.
  func finish(_ row: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    switch self {
    case .sRGB, .curves(_, nil): return
    case .curves(_, let matrix?): matrix.apply(to: row)
    case .function(let convert):
      TransferFunction.sRGB.withEncoder { encode in
        for x in row.indices {
          let w = row[x].w
          row[x] = w > 0 ? encode(row[x] / w) : .zero
          row[x].w = w
        }
      }
      convert(row)
      for x in row.indices {
        let w = row[x].w
        row[x] *= w
        row[x].w = w
      }
    }
  }
}
