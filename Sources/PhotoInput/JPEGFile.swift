internal import MotionCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The marker structure of one JPEG picture, from its SOI to its EOI; what follows is another's.
///
/// Source: ITU-T T.81, annex B. Making one proves that the file is whole: every segment lies within
/// it and the end marker is there.
struct JPEGFile: Sendable {
  struct Segment: Sendable {
    let marker: UInt8
    /// From the marker's 0xFF to the end of the segment and, for a scan, of its coded data.
    let range: Range<Int>
    /// What the segment says, without marker and length.
    let body: Range<Int>
  }

  /// The segments between SOI and EOI.
  let segments: [Segment]
  let size: Size
  /// The frame's marker: 0xC0 baseline, 0xC1 extended, 0xC2 progressive…
  let frameMarker: UInt8
  let bitsPerSample: Int
  let components: Int
  /// Where the picture ends: just behind its EOI.
  let end: Int

  static let name = "JPEG"
  /// More segments or scans than any picture has: each costs memory or a pass over all pixels.
  private static let (mostSegments, mostScans) = (65_536, 1000)

  /// - Throws: what `Size(header:)` throws as soon as the size is known; `truncated`; `damaged`.
  init(_ bytes: RawSpan, maxPixels: Int) throws(Problem) {
    var segments: [Segment] = []
    var frame: (marker: UInt8, body: Range<Int>, size: Size)?
    var scans = 0
    var offset = 2
    while true {
      let start = try Self.marker(bytes, from: offset)
      guard let marker = bytes.byte(at: start + 1) else { throw .truncated(kind: Self.name) }
      if marker == Marker.end {
        offset = start + 2
        break
      }
      guard marker != Marker.start else { throw .damaged(kind: Self.name, detail: "two SOI") }
      guard let length = bytes.uint16(at: start + 2), start + 2 + length <= bytes.byteCount else {
        throw .truncated(kind: Self.name)
      }
      guard length >= 2 else { throw .damaged(kind: Self.name, detail: "segment length") }
      let body = (start + 4)..<(start + 2 + length)
      offset = body.upperBound

      if Marker.isFrame(marker) {
        guard frame == nil else { throw .damaged(kind: Self.name, detail: "two frames") }
        guard body.count >= 6, let height = bytes.uint16(at: body.lowerBound + 1),
          let width = bytes.uint16(at: body.lowerBound + 3)
        else { throw .damaged(kind: Self.name, detail: "frame header") }
        frame = (marker, body, try Size(header: width, height, maxPixels: maxPixels))
      }
      if marker == Marker.scan {
        guard frame != nil else { throw .damaged(kind: Self.name, detail: "scan without frame") }
        scans += 1
        offset = try Self.marker(bytes, from: offset)
      }
      segments.append(Segment(marker: marker, range: start..<offset, body: body))
      guard segments.count <= Self.mostSegments, scans <= Self.mostScans else {
        throw .damaged(kind: Self.name, detail: "too many segments")
      }
    }
    guard let frame, scans > 0 else { throw .damaged(kind: Self.name, detail: "no picture") }
    (self.segments, size, end) = (segments, frame.size, offset)
    frameMarker = frame.marker
    bitsPerSample = bytes.byte(at: frame.body.lowerBound).map(Int.init) ?? 0
    components = bytes.byte(at: frame.body.lowerBound + 5).map(Int.init) ?? 0
  }

  /// What the first EXIF segment says.
  func exif(in bytes: RawSpan) -> EXIF {
    let signature = Array("Exif\0\0".utf8)
    let block = segments.first {
      $0.marker == Marker.app1 && $0.body.count >= signature.count
        && bytes.has(signature, at: $0.body.lowerBound)
    }
    guard let block else { return EXIF() }
    return EXIF(bytes.extracting(block.body.dropFirst(signature.count)))
  }

  enum Marker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2
    static let app14: UInt8 = 0xEE
    static let comment: UInt8 = 0xFE

    /// SOF0…SOF15 without DHT, JPG and DAC, which lie between them.
    static func isFrame(_ marker: UInt8) -> Bool {
      (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
  }

  /// Where the next marker's 0xFF stands, of those that end coded data: stuffed zeros, restarts, fill
  /// bytes and whatever else lies before it are passed over.
  private static func marker(_ bytes: RawSpan, from start: Int) throws(Problem) -> Int {
    try bytes.withUnsafeBytes { (raw) throws(Problem) in
      // Within the buffer: offset + 1 < raw.count, and memchr is told how many bytes are left.
      var offset = start
      while let base = raw.baseAddress, offset + 1 < raw.count,
        let found = memchr(base + offset, 0xFF, raw.count - 1 - offset)
      {
        offset = UnsafeRawPointer(found) - base
        switch raw[offset + 1] {
        case 0xFF: offset += 1
        case 0x00, 0x01, 0xD0...0xD7: offset += 2
        default: return offset
        }
      }
      throw .truncated(kind: name)
    }
  }
}
