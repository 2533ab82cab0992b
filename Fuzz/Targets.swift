internal import MotionCore

/// A parser of strangers' bytes: a row of the table below.
struct FuzzTarget: Sendable {
  /// As `scripts/fuzz.sh` and the corpus' folders call it.
  let name: String
  /// Parses; whatever the bytes are, it comes back.
  let run: @Sendable (RawSpan) -> Void

  /// THE TABLE of what is fuzzed: a new parser is a new row, and a folder of seeds.
  static let all = [
    FuzzTarget(name: "exif") { _ = EXIF($0) },
    FuzzTarget(name: "mpf", run: multiPicture),
    FuzzTarget(name: "xmp", run: xmp),
    FuzzTarget(name: "dynamic-depth", run: dynamicDepth),
    FuzzTarget(name: "jpeg", run: jpeg),
    FuzzTarget(name: "pfm") { _ = try? PFMReader.read($0, maxPixels: maxPixels) },
    FuzzTarget(name: "photo", run: photo),
  ]

  /// Small, so that a run is short.
  static let maxPixels = 1 << 14

  /// An MPF block, in a picture whose marker structure is sound.
  private static func multiPicture(_ block: RawSpan) {
    guard block.byteCount < 60_000 else { return }
    let body = Array("MPF\0".utf8) + copy(block)
    let length = UInt16(body.count + 2)
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    bytes += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0xFF, 0xD9]
    guard let file = try? JPEGFile(bytes.span.bytes, maxPixels: maxPixels) else {
      preconditionFailure("the frame around the block is sound")
    }
    for entry in MultiPicture(file, in: bytes.span.bytes).further { precondition(entry.offset > 0) }
  }

  /// A packet, and what of it stands for maps.
  private static func xmp(_ packet: RawSpan) {
    guard let xmp = try? XMP(packet) else { return }
    _ = try? AppleMap(xmp)
    _ = try? GDepth.depth(xmp, turnedAs: EXIF(), maxPixels: maxPixels)
    let size = Size(width: 32, height: 48)
    _ = try? GDepth.original(xmp, of: size, turnedAs: EXIF(), maxPixels: maxPixels)
    for namespace in XMP.Namespace.allCases { _ = xmp.structures(namespace) }
  }

  /// A packet up to the first zero, and the items behind it.
  private static func dynamicDepth(_ bytes: RawSpan) {
    var end = 0
    while let byte = bytes.byte(at: end), byte != 0 { end += 1 }
    guard let xmp = try? XMP(bytes.extracting(0..<end)) else { return }
    _ = try? DynamicDepth.depth(
      xmp, behind: min(end + 1, bytes.byteCount), in: bytes, turnedAs: EXIF(), maxPixels: maxPixels)
  }

  /// The marker structure and all that segments say, without decoding.
  private static func jpeg(_ bytes: RawSpan) {
    guard JPEGReader.matches(bytes), let file = try? JPEGFile(bytes, maxPixels: maxPixels) else {
      return
    }
    precondition(file.end <= bytes.byteCount)
    _ = file.exif(in: bytes)
    _ = MultiPicture(file, in: bytes)
    _ = try? file.xmp(in: bytes)
    for namespace in XMP.Namespace.allCases { _ = file.mentions(namespace, in: bytes) }
  }

  /// A file, as a photo with its maps, a depth and a matte.
  private static func photo(_ bytes: RawSpan) {
    guard bytes.byteCount > 0, let kind = InputKind.of(bytes) else { return }
    _ = kind.embedded(bytes, Set(PhotoInputError.Role.allCases), maxPixels)
    guard let picture = try? kind.read(bytes, maxPixels) else { return }
    precondition(picture.size.width * picture.size.height <= maxPixels)
    _ = try? picture.photo()
    _ = try? picture.depth()
    _ = try? picture.matte()
  }

  private static func copy(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}
