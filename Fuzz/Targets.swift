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
    FuzzTarget(name: "npy") { _ = try? NPYReader.read($0, maxPixels: maxPixels) },
    FuzzTarget(name: "photo", run: photo),
    FuzzTarget(name: "model-card") { _ = try? ModelCard(json: copy($0)) },
    FuzzTarget(name: "worker-answer") { _ = Answer(copy($0)) },
    FuzzTarget(name: "command-words", run: commandWords),
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

  /// Lines up to the first zero, and the items behind it: what a depth map says, then three lines an
  /// item. The packet made of them is sound, since unsound ones are the XMP parser's to refuse.
  private static func dynamicDepth(_ bytes: RawSpan) {
    guard bytes.byteCount <= 16_384 else { return }  // more might be more marks than XMP takes
    var end = 0
    while let byte = bytes.byte(at: end), byte != 0 { end += 1 }
    let lines = copy(bytes.extracting(0..<end))
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
        String(
          decoding: line.filter { (0x20...0x7E).contains($0) && !"\"&<".utf8.contains($0) },
          as: UTF8.self)
      }
    func attributes(_ prefix: String, _ names: [String], _ values: some Sequence<String>) -> String
    {
      zip(names, values).map { $1.isEmpty ? "" : " \(prefix):\($0)=\"\($1)\"" }.joined()
    }
    let map = ["Format", "Near", "Far", "Units", "DepthURI", "ItemSemantic"]
    let item = ["Length", "Padding", "DataURI"]
    var packet = """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:i="\(XMP.Namespace.deviceItem.rawValue)"
      xmlns:d="\(XMP.Namespace.deviceDepthMap.rawValue)"><r:Description>
      <map\(attributes("d", map, lines))/>
      """
    for start in stride(from: map.count, to: lines.count, by: item.count) {
      packet += "<item\(attributes("i", item, lines[start...]))/>"
    }
    let text = Array((packet + "</r:Description></r:RDF>").utf8)
    guard let xmp = try? XMP(text.span.bytes) else {
      preconditionFailure("the packet around the lines is sound")
    }
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

  /// The words of a command that a user gave, in which both placeholders are found again.
  private static func commandWords(_ bytes: RawSpan) {
    let text = String(decoding: copy(bytes), as: UTF8.self)
    guard let command = ExternalCommand(text) else {
      precondition(ExternalCommand.mistake(in: text) != nil)
      return
    }
    precondition(!command.name.isEmpty)
    for name in ["{in}", "{out}"] { precondition(command.words.contains { $0.contains(name) }) }
  }

  private static func copy(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}
