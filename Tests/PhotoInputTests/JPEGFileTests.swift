import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct JPEGFileTests {
  static let grey = [TestJPEG.Sampling(h: 1, v: 1)]

  static func parse(_ bytes: [UInt8], maxPixels: Int = 1000) throws(Problem) -> JPEGFile {
    try JPEGFile(bytes.span.bytes, maxPixels: maxPixels)
  }

  @Test func headerAndSegments() throws {
    var jpeg = TestJPEG(width: 17, height: 9, sampling: TestJPEG.yuv420, frame: 0xC2)
    jpeg.segments = TestJPEG.segment(0xFE, Array("a comment".utf8))
    let bytes = jpeg.encode { _, _, _ in 200 }
    let file = try Self.parse(bytes)
    #expect(file.size == Size(width: 17, height: 9))
    #expect(file.frameMarker == 0xC2)
    #expect(file.components == 3)
    #expect(file.bitsPerSample == 8)
    #expect(file.end == bytes.count)
    #expect(file.segments.map(\.marker) == [0xFE, 0xDB, 0xC2, 0xC4, 0xC4, 0xDA])
    #expect(Array(bytes[file.segments[0].body]) == Array("a comment".utf8))
    // Segment follows on segment.
    #expect(file.segments[0].range.lowerBound == 2)
    for (a, b) in zip(file.segments, file.segments.dropFirst()) {
      #expect(a.range.upperBound == b.range.lowerBound)
    }
    #expect(file.segments.last?.range.upperBound == bytes.count - 2)
  }

  @Test func whatFollowsIsAnothers() throws {
    let bytes = TestJPEG(width: 8, height: 8, sampling: Self.grey).encode { _, _, _ in 1 }
    #expect(try Self.parse(bytes + bytes).end == bytes.count)
  }

  @Test func pictureInsideASegmentIsNotThePicture() throws {
    let small = TestJPEG(width: 8, height: 8, sampling: Self.grey).encode { _, _, _ in 1 }
    var jpeg = TestJPEG(width: 16, height: 16, sampling: Self.grey)
    jpeg.segments = TestJPEG.segment(0xE2, small)
    #expect(try Self.parse(jpeg.encode { _, _, _ in 9 }).size == Size(width: 16, height: 16))
  }

  @Test func exif() throws {
    var jpeg = TestJPEG(width: 8, height: 8, sampling: Self.grey)
    jpeg.segments =
      TestJPEG.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))
      + TestJPEG.exif(exifBlock(orientation: 8, focalLength35: 52))
    let bytes = jpeg.encode { _, _, _ in 9 }
    let exif = try Self.parse(bytes).exif(in: bytes.span.bytes)
    #expect(exif.orientation.rawValue == 8)
    #expect(exif.focalLength35 == 52)
  }

  static let start: [UInt8] = [0xFF, 0xD8]
  static let end: [UInt8] = [0xFF, 0xD9]
  static func frame(_ width: Int, _ height: Int) -> [UInt8] {
    TestJPEG.segment(0xC0, [8] + bigEndian(height, 2) + bigEndian(width, 2) + [1, 1, 0x11, 0])
  }
  static let scan = TestJPEG.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34]

  @Test(arguments: [
    (start, Problem.truncated(kind: "JPEG")),
    (start + end, .damaged(kind: "JPEG", detail: "no picture")),
    (start + frame(8, 8) + end, .damaged(kind: "JPEG", detail: "no picture")),
    (start + scan + end, .damaged(kind: "JPEG", detail: "scan without frame")),
    (start + frame(8, 8) + scan, .truncated(kind: "JPEG")),
    (start + frame(8, 8) + scan + [0xFF], .truncated(kind: "JPEG")),
    (start + frame(8, 8) + frame(8, 8) + scan + end, .damaged(kind: "JPEG", detail: "two frames")),
    (start + frame(8, 8) + scan + start + end, .damaged(kind: "JPEG", detail: "two SOI")),
    (start + [0xFF, 0xE0, 0, 1] + end, .damaged(kind: "JPEG", detail: "segment length")),
    (start + [0xFF, 0xE0, 0xFF, 0xFF] + end, .truncated(kind: "JPEG")),
    (start + frame(0, 8), .zeroSize(size: Size(width: 0, height: 8))),
    (
      start + frame(60_000, 60_000),
      .tooLarge(size: Size(width: 60_000, height: 60_000), maxPixels: 1000)
    ),
  ])
  func refused(bytes: [UInt8], problem: Problem) {
    #expect(throws: problem) { try Self.parse(bytes) }
  }

  @Test func fillBytesAndRestartsAreNoMarkers() throws {
    let bytes =
      Self.start + [0xFF, 0xFF] + Self.frame(8, 8) + Self.scan + [0xFF, 0xD0, 0x55, 0xFF]
      + Self.end
    #expect(try Self.parse(bytes).end == bytes.count)
  }
}
