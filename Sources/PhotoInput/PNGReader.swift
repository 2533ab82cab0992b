internal import CPNG
internal import MotionCore

/// PNG through libpng: all colour types, depths and interlacings. 16 bits stay 16, fewer than 8 are
/// spread to 8, a transparent colour becomes alpha. Source: ISO/IEC 15948 and its eXIf extension.
///
/// Colour is told by the first of iCCP, sRGB, and gAMA with cHRM that is there.
enum PNGReader {
  static let name = "PNG"
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let header: [UInt8] = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]

  static func matches(_ head: RawSpan) -> Bool { head.has(signature) }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    guard let width = bytes.uint32(at: 16), let height = bytes.uint32(at: 20) else {
      throw .truncated(kind: name)
    }
    guard bytes.has(header, at: 8) else { throw .damaged(kind: name, detail: "no IHDR") }
    let size = try Size(header: width, height, maxPixels: maxPixels)
    return try bytes.withUnsafeBytes { (raw) throws(Problem) in try decode(raw, size) }
  }

  private static func decode(_ raw: UnsafeRawBufferPointer, _ size: Size) throws(Problem) -> Picture
  {
    // The reader is gone before the bytes it points to are.
    guard let reader = cpng_create(raw.baseAddress, raw.count) else {
      throw .damaged(kind: name, detail: "out of memory")
    }
    defer { cpng_destroy(reader) }

    var (width, height, bits, hasAlpha) = (UInt32(0), UInt32(0), Int32(0), false)
    guard cpng_header(reader, &width, &height, &bits, &hasAlpha) else { throw failure(reader) }
    guard Int(width) == size.width, Int(height) == size.height else {
      throw .damaged(kind: name, detail: "two sizes")
    }
    let samples: Picture.Samples =
      bits == 16
      ? .sixteen(try rows(reader, size)) : .eight(try rows(reader, size))
    return Picture(
      stored: samples, kind: name, hasAlpha: hasAlpha, exif: exif(reader), colour: colour(reader))
  }

  private static func colour(_ reader: UnsafeMutablePointer<cpng_reader>) -> ColourTag {
    var count: UInt32 = 0
    if let profile = cpng_icc(reader, &count) {
      // The profile belongs to the reader, which outlives this function.
      return .icc(Array(UnsafeBufferPointer(start: profile, count: Int(count))))
    }
    if reader.pointee.has_bad_icc { return .brokenICC(String(cString: cpng_icc_message(reader))) }
    if cpng_is_srgb(reader) { return .sRGB }
    var gamma: Int32 = 0
    var primaries: Primaries?
    let hasGamma = cpng_gamma(reader, &gamma)
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 8) { xy in
      guard cpng_primaries(reader, xy.baseAddress) else { return }
      func point(_ index: Int) -> Primaries.Chromaticity {
        Primaries.Chromaticity(Double(xy[2 * index]) / 1e5, Double(xy[2 * index + 1]) / 1e5)
      }
      primaries = Primaries(red: point(1), green: point(2), blue: point(3), white: point(0))
    }
    guard hasGamma || primaries != nil else { return .untagged }
    return .gamma(hasGamma ? Double(gamma) / 1e5 : nil, primaries)
  }

  private static func rows<Channel>(
    _ reader: UnsafeMutablePointer<cpng_reader>, _ size: Size
  ) throws(Problem) -> Plane<SIMD4<Channel>> {
    try Plane(width: size.width, height: size.height) { (pixels) throws(Problem) in
      // The shim refuses any other row size, so height * stride bytes are all it writes.
      let stride = size.width * MemoryLayout<SIMD4<Channel>>.stride
      guard cpng_rows(reader, pixels.baseAddress, stride) else { throw failure(reader) }
    }
  }

  private static func exif(_ reader: UnsafeMutablePointer<cpng_reader>) -> EXIF {
    var count: UInt32 = 0
    guard let block = cpng_exif(reader, &count) else { return EXIF() }
    // The block belongs to the reader, which outlives this function.
    return EXIF(UnsafeRawBufferPointer(start: block, count: Int(count)).bytes)
  }

  private static func failure(_ reader: UnsafeMutablePointer<cpng_reader>) -> Problem {
    reader.pointee.ran_out
      ? .truncated(kind: name)
      : .damaged(kind: name, detail: String(cString: cpng_message(reader)))
  }
}
