internal import CTIFF
internal import MotionCore

/// TIFF through libtiff, the first picture of a file: grey and R, G, B of 8 and 16 bits with or
/// without alpha and grey floats as they are, everything else that libtiff can make R, G, B of at 8
/// bits; strips and tiles, chunky and planar, of any compression that libtiff was built with. Source:
/// TIFF 6.0 and Adobe's technical notes.
enum TIFFReader {
  static let name = "TIFF"

  /// TIFF and BigTIFF of either byte order.
  static func matches(_ head: RawSpan) -> Bool {
    [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]
      .contains { head.has($0) }
  }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    // libtiff keeps what it reads of the file; no other of its memory is larger than the pixels'.
    let limit = max(16 * maxPixels, bytes.byteCount) + 1 << 20
    return try bytes.withUnsafeBytes { (raw) throws(Problem) in
      // The file is gone before the bytes it points to are.
      guard let file = ctiff_create(raw.baseAddress, raw.count, limit) else {
        throw .damaged(kind: name, detail: "out of memory")
      }
      defer { ctiff_destroy(file) }
      guard file.pointee.tiff != nil else { throw TIFFPicture.failure(file) }
      var exif = EXIF(bytes)
      let orientation = Int(ctiff_short(file, UInt32(TIFFTAG_ORIENTATION)))
      exif.orientation = Orientation(rawValue: orientation) ?? .upright
      // A reduced picture comes first where the true one is a sensor's.
      if ctiff_long(file, UInt32(TIFFTAG_SUBFILETYPE)) & UInt32(FILETYPE_REDUCEDIMAGE) != 0 {
        throw .unsupported(kind: name, feature: .coding("a camera's raw data"))
      }
      let picture = try TIFFPicture(file, maxPixels: maxPixels)
      return Picture(
        stored: try picture.samples(), kind: name, hasAlpha: picture.hasAlpha, exif: exif,
        colour: colour(of: file))
    }
  }

  private static func colour(of file: UnsafeMutablePointer<ctiff_file>) -> ColourTag {
    var length: UInt32 = 0
    guard let profile = ctiff_profile(file, &length) else { return .untagged }
    return .icc(Array(UnsafeBufferPointer(start: profile, count: Int(length))))
  }
}

/// The picture of an open file.
private struct TIFFPicture {
  private let file: UnsafeMutablePointer<ctiff_file>
  private var tiff: OpaquePointer { file.pointee.tiff }
  private let size: Size
  private let bits: Int
  private let isFloat: Bool
  private let channels: Int
  private let photometric: Int
  /// Samples of a pixel in planes of their own.
  private let isPlanar: Bool
  /// The first sample behind the colour, an EXTRASAMPLE_ constant; -1 where nothing is said.
  private let extra: Int
  let hasAlpha: Bool

  /// Reads what the header says.
  /// - Throws: what `Size(header:)` throws, and `unsupported`.
  init(_ file: UnsafeMutablePointer<ctiff_file>, maxPixels: Int) throws(Problem) {
    func short(_ tag: Int32) -> Int { Int(ctiff_short(file, UInt32(tag))) }
    func long(_ tag: Int32) -> Int { Int(ctiff_long(file, UInt32(tag))) }
    self.file = file
    size = try Size(
      header: long(TIFFTAG_IMAGEWIDTH), long(TIFFTAG_IMAGELENGTH), maxPixels: maxPixels)
    bits = short(TIFFTAG_BITSPERSAMPLE)
    channels = short(TIFFTAG_SAMPLESPERPIXEL)
    photometric = short(TIFFTAG_PHOTOMETRIC)
    isPlanar = short(TIFFTAG_PLANARCONFIG) == Int(PLANARCONFIG_SEPARATE)
    extra = Int(ctiff_extra(file))
    let format = short(TIFFTAG_SAMPLEFORMAT)
    isFloat = format == Int(SAMPLEFORMAT_IEEEFP)
    let isOneColour =
      photometric == Int(PHOTOMETRIC_MINISWHITE) || photometric == Int(PHOTOMETRIC_MINISBLACK)
      || photometric == Int(PHOTOMETRIC_PALETTE)
    let colours = isOneColour ? 1 : 3
    hasAlpha = channels == colours + 1

    func refuse(_ feature: PhotoInputError.Feature) -> Problem {
      .unsupported(kind: TIFFReader.name, feature: feature)
    }
    guard ctiff_says(file, UInt32(TIFFTAG_PHOTOMETRIC)) else {
      throw .damaged(kind: TIFFReader.name, detail: "no colour model")
    }
    if photometric == Int(PHOTOMETRIC_SEPARATED) { throw refuse(.pixelFormat("CMYK")) }
    guard isFloat || format == Int(SAMPLEFORMAT_UINT) || format == Int(SAMPLEFORMAT_VOID) else {
      throw refuse(.pixelFormat("signed or complex numbers"))
    }
    if isFloat, channels != 1 { throw refuse(.colour) }
    guard channels == colours || hasAlpha else {
      throw refuse(.pixelFormat("\(channels) samples"))
    }
    if TIFFIsTiled(tiff) != 0 {
      let (width, height) = (long(TIFFTAG_TILEWIDTH), long(TIFFTAG_TILELENGTH))
      // A tile may stand out of its picture, but not by a picture.
      _ = try Size(header: width, height, maxPixels: maxPixels + 1 << 20)
    }
  }

  func samples() throws(Problem) -> Picture.Samples {
    let isGrey = [PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_MINISBLACK].contains {
      Int($0) == photometric
    }
    let isDirect = isGrey || photometric == Int(PHOTOMETRIC_RGB)
    switch (bits, isFloat, isDirect) {
    case (16, true, true): return .float(try floats(UInt16.self) { Float(binary16: $0) })
    case (32, true, true): return .float(try floats(UInt32.self) { Float(bitPattern: $0) })
    case (64, true, true):
      return .float(try floats(UInt64.self) { Float(Double(bitPattern: $0)) })
    case (8, false, true): return .eight(try integers(UInt8.self))
    case (16, false, true): return .sixteen(try integers(UInt16.self))
    case (1...8, false, _): return .eight(try converted())
    default:
      throw .unsupported(kind: TIFFReader.name, feature: .bitsPerSample(bits))
    }
  }

  private func floats<Stored: BitwiseCopyable>(
    _ stored: Stored.Type, _ value: (Stored) -> Float
  ) throws(Problem) -> Plane<Float> {
    try Plane<Float>(width: size.width, height: size.height) { (pixels) throws(Problem) in
      try forEachRun(of: Stored.self) { start, _, run in
        for x in run.indices { pixels[start + x] = value(run[x]) }
      }
    }
  }

  private func integers<
    Channel: FixedWidthInteger & UnsignedInteger & SIMDScalar & BitwiseCopyable
  >(
    _ channel: Channel.Type
  ) throws(Problem) -> Plane<SIMD4<Channel>> {
    let isGrey = channels < 3
    // Which of R, G, B, A each stored sample makes.
    let targets: [[Int]] = isGrey ? [[0, 1, 2], [3]] : [[0], [1], [2], [3]]
    let mask: Channel = photometric == Int(PHOTOMETRIC_MINISWHITE) ? .max : 0
    let step = isPlanar ? 1 : channels
    let isMultiplied = hasAlpha && extra == Int(EXTRASAMPLE_ASSOCALPHA)
    return try Plane<SIMD4<Channel>>(width: size.width, height: size.height) {
      (pixels) throws(Problem) in
      pixels.initialize(repeating: SIMD4(repeating: .max))
      // A pixel is four channels, one behind the other.
      let out = UnsafeMutableRawPointer(pixels.baseAddress!)
        .assumingMemoryBound(to: Channel.self)
      try forEachRun(of: Channel.self) { start, first, run in
        for offset in 0..<step {
          let sample = first + offset
          for target in targets[sample] {
            var (to, from) = (4 * start + target, offset)
            while from < run.count {
              out[to] = target < 3 ? run[from] ^ mask : run[from]
              (to, from) = (to + 4, from + step)
            }
          }
        }
      }
      if isMultiplied { Self.divideByAlpha(pixels) }
    }
  }

  /// What libtiff makes of any other picture.
  private func converted() throws(Problem) -> Plane<SIMD4<UInt8>> {
    var text = [CChar](repeating: 0, count: 1024)
    guard TIFFRGBAImageOK(tiff, &text) != 0 else {
      throw .unsupported(kind: TIFFReader.name, feature: .bitsPerSample(bits))
    }
    return try Plane<SIMD4<UInt8>>(width: size.width, height: size.height) {
      (pixels) throws(Problem) in
      let orientation = ctiff_short(file, UInt32(TIFFTAG_ORIENTATION))
      let words = UnsafeMutableRawPointer(pixels.baseAddress!)
        .assumingMemoryBound(to: UInt32.self)
      // Asked for as it is stored, nothing is turned.
      guard
        TIFFReadRGBAImageOriented(
          tiff, UInt32(size.width), UInt32(size.height), words, orientation, 1) != 0
      else { throw Self.failure(file) }
      // A word has R in its lowest byte, whatever the machine.
      for i in pixels.indices { words[i] = UInt32(littleEndian: words[i]) }
      if hasAlpha { Self.divideByAlpha(pixels) }
    }
  }

  /// Colour as it is without alpha: whoever multiplied it lost what rounding took.
  private static func divideByAlpha<Channel: FixedWidthInteger & UnsignedInteger & SIMDScalar>(
    _ pixels: UnsafeMutableBufferPointer<SIMD4<Channel>>
  ) {
    let most = Int(Channel.max)
    for i in pixels.indices where pixels[i][3] != .max && pixels[i][3] != 0 {
      let alpha = Int(pixels[i][3])
      for c in 0..<3 {
        pixels[i][c] = Channel(min((Int(pixels[i][c]) * most + alpha / 2) / alpha, most))
      }
    }
  }

  /// Decodes strip by strip or tile by tile, and hands over each row of each within the picture.
  ///
  /// - Parameter body: gets the pixel at which the run begins, the first sample of a pixel that is in
  ///   it, and the samples as stored.
  private func forEachRun<Stored: BitwiseCopyable>(
    of: Stored.Type,
    _ body: (_ start: Int, _ sample: Int, _ run: UnsafeBufferPointer<Stored>) -> Void
  ) throws(Problem) {
    let isTiled = TIFFIsTiled(tiff) != 0
    let (width, height): (Int, Int)
    if isTiled {
      width = Int(ctiff_long(file, UInt32(TIFFTAG_TILEWIDTH)))
      height = Int(ctiff_long(file, UInt32(TIFFTAG_TILELENGTH)))
    } else {
      width = size.width
      height = min(Int(ctiff_long(file, UInt32(TIFFTAG_ROWSPERSTRIP))), size.height)
    }
    let stride = Int(isTiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff))
    let capacity = Int(isTiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff))
    let samples = isPlanar ? 1 : channels
    let pixelBytes = samples * MemoryLayout<Stored>.stride
    guard width > 0, height > 0, stride >= width * pixelBytes, capacity >= stride * height else {
      throw .damaged(kind: TIFFReader.name, detail: "strip or tile size")
    }
    let (across, down) = ((size.width + width - 1) / width, (size.height + height - 1) / height)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 8)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    for plane in 0..<(isPlanar ? channels : 1) {
      for row in 0..<down {
        let rows = min(height, size.height - row * height)
        for column in 0..<across {
          let index = UInt32((plane * down + row) * across + column)
          let count =
            isTiled
            ? TIFFReadEncodedTile(tiff, index, buffer.baseAddress, tmsize_t(capacity))
            : TIFFReadEncodedStrip(tiff, index, buffer.baseAddress, tmsize_t(capacity))
          guard count >= stride * rows else { throw Self.failure(file) }
          let pixels = min(width, size.width - column * width)
          for y in 0..<rows {
            // Within the buffer: rows * stride bytes were read, and stride holds the pixels.
            let run = UnsafeRawBufferPointer(
              rebasing: buffer[(y * stride)...].prefix(pixels * pixelBytes))
            body(
              (row * height + y) * size.width + column * width, plane,
              run.assumingMemoryBound(to: Stored.self))
          }
        }
      }
    }
  }

  static func failure(_ file: UnsafeMutablePointer<ctiff_file>) -> Problem {
    let text = String(cString: ctiff_message(file))
    return file.pointee.ran_out
      ? .truncated(kind: TIFFReader.name)
      : .damaged(kind: TIFFReader.name, detail: text.isEmpty ? "coded data" : text)
  }
}
