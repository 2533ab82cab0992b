extension JPEGFile {
  /// The properties of the picture's XMP, extended XMP included; none where there is no packet.
  ///
  /// Source: ISO 16684-3 (XMP in files), JPEG: the packet is one APP1 segment; what does not fit is
  /// a second packet, named by a GUID in the first and cut over many segments in any order.
  /// - Throws: `damaged`, and `tooManyBytes`.
  func xmp(in bytes: RawSpan) throws(Problem) -> XMP {
    guard let main = bodies(Self.xmpSignature, in: bytes).first else { return XMP() }
    var xmp = try XMP(bytes.extracting(main))
    if let guid = xmp.text(.note, "HasExtendedXMP") {
      // The array has a name because this compiler crashes on a span of one without.
      let packet = try extended(Array(guid.utf8), in: bytes)
      xmp.add(try XMP(packet.span.bytes))
    }
    return xmp
  }

  /// Whether any XMP of the picture, sound or not, names a namespace.
  func mentions(_ namespace: XMP.Namespace, in bytes: RawSpan) -> Bool {
    let name = Array(namespace.rawValue.utf8)
    for body in bodies(Self.xmpSignature, in: bytes) + bodies(Self.extensionSignature, in: bytes) {
      for offset in body where bytes.has(name, at: offset) { return true }
    }
    return false
  }

  /// Puts a packet together from the segments that bear its name.
  private func extended(_ guid: [UInt8], in bytes: RawSpan) throws(Problem) -> [UInt8] {
    func damaged(_ detail: String) -> Problem { .damaged(kind: XMP.kind, detail: detail) }
    var pieces: [(offset: Int, range: Range<Int>)] = []
    var length: Int?
    for body in bodies(Self.extensionSignature, in: bytes) {
      // GUID, the whole packet's length, this piece's offset in it.
      guard guid.count == 32, bytes.has(guid, at: body.lowerBound),
        let whole = bytes.uint32(at: body.lowerBound + 32), body.count >= 40,
        let offset = bytes.uint32(at: body.lowerBound + 36)
      else { continue }
      guard length == nil || length == whole else { throw damaged("extended: two lengths") }
      length = whole
      pieces.append((offset, body.dropFirst(40)))
    }
    guard let length else { throw damaged("extended: missing") }
    guard length <= XMP.maximumBytes else { throw .tooManyBytes(limit: XMP.maximumBytes) }
    pieces.sort { $0.offset < $1.offset }
    var packet: [UInt8] = []
    for piece in pieces {
      guard piece.offset == packet.count, piece.offset + piece.range.count <= length else {
        throw damaged("extended: a piece is missing")
      }
      bytes.extracting(piece.range).withUnsafeBytes { packet += $0 }
    }
    guard packet.count == length else { throw damaged("extended: a piece is missing") }
    return packet
  }

  /// What follows a signature in each APP1 segment that has it.
  private func bodies(_ signature: [UInt8], in bytes: RawSpan) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for segment in segments
    where segment.marker == Marker.app1 && segment.body.count >= signature.count {
      guard bytes.has(signature, at: segment.body.lowerBound) else { continue }
      found.append(segment.body.dropFirst(signature.count))
    }
    return found
  }

  private static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let extensionSignature = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
}
