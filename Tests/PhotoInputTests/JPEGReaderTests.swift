import Foundation
import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct JPEGReaderTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var name: String
    var sampling: [TestJPEG.Sampling]
    var frame: UInt8 = 0xC0
    var restart = 0
    var testDescription: String { name }

    init(_ name: String, _ h: Int, _ v: Int, frame: UInt8 = 0xC0, restart: Int = 0) {
      self.name = name
      sampling = [.init(h: h, v: v), .init(h: 1, v: 1), .init(h: 1, v: 1)]
      (self.frame, self.restart) = (frame, restart)
    }
  }

  static let forms = [
    Form("4:4:4", 1, 1), Form("4:2:2", 2, 1), Form("4:2:0", 2, 2), Form("4:4:0", 1, 2),
    Form("4:1:1", 4, 1), Form("4:2:0 progressive", 2, 2, frame: 0xC2),
    Form("4:4:4 progressive", 1, 1, frame: 0xC2), Form("4:2:0 restarts", 2, 2, restart: 1),
    Form("4:2:0 extended", 2, 2, frame: 0xC1),
  ]

  /// Red, green, blue and grey in the four quarters of 64×32.
  static func corner(_ x: Int, _ y: Int) -> [Double] {
    switch (x < 32, y < 16) {
    case (true, true): [220, 30, 40]
    case (false, true): [20, 200, 30]
    case (true, false): [30, 40, 210]
    case (false, false): [128, 128, 128]
    }
  }

  static func yuv(_ rgb: [Double], _ component: Int) -> UInt8 {
    let y = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
    let value =
      switch component {
      case 0: y
      case 1: 128 + (rgb[2] - y) / 1.772
      default: 128 + (rgb[0] - y) / 1.402
      }
    return UInt8(min(value.rounded(), 255))
  }

  static func corners(_ form: Form, width: Int = 64, height: Int = 32, _ segments: [UInt8] = [])
    -> [UInt8]
  {
    TestJPEG(
      width: width, height: height, sampling: form.sampling, frame: form.frame,
      restart: form.restart, segments: segments
    ).encode { component, x, y in yuv(corner(x, y), component) }
  }

  static func isNear(_ pixel: [Double], _ expected: [Double], _ tolerance: Double = 3) -> Bool {
    zip(pixel, expected).allSatisfy { abs($0 - $1) <= tolerance }
  }

  @Test(arguments: forms) func colours(form: Form) throws {
    let picture = try decode(Self.corners(form))
    #expect(picture.size == Size(width: 64, height: 32))
    #expect(!picture.hasAlpha)
    for (x, y) in [(0, 0), (16, 8), (63, 0), (48, 8), (0, 31), (16, 24), (63, 31), (48, 24)] {
      let pixel = picture[x, y]
      #expect(Self.isNear(pixel, Self.corner(x, y)), "\(x), \(y): \(pixel)")
      #expect(pixel[3] == 255)
    }
  }

  @Test(arguments: forms, [(61, 29), (1, 1), (33, 17), (9, 32)])
  func sizesThatFillNoBlock(form: Form, size: (Int, Int)) throws {
    let picture = try decode(Self.corners(form, width: size.0, height: size.1))
    #expect(picture.size == Size(width: size.0, height: size.1))
    #expect(Self.isNear(picture[0, 0], Self.corner(0, 0)))
    let last = (size.0 - 1, size.1 - 1)
    // A last chroma sample that has the edge of a quarter under it is a mixture.
    if last.0 != 32 { #expect(Self.isNear(picture[last.0, last.1], Self.corner(last.0, last.1))) }
  }

  /// Between two chroma samples colour changes evenly, with the samples centred (JFIF).
  @Test(arguments: forms) func chromaIsInterpolated(form: Form) throws {
    let jpeg = TestJPEG(width: 64, height: 64, sampling: form.sampling, frame: form.frame)
    let (fx, fy) = (Double(form.sampling[0].h), Double(form.sampling[0].v))
    for (isAcross, factor) in [(true, fx), (false, fy)] {
      let picture = try decode(
        jpeg.encode { component, x, y in
          component == 1 ? ((isAcross ? x : y) < 32 ? 100 : 156) : 128
        })
      for place in 24..<40 {
        let t = min(max((Double(place) + 0.5 - (32 - factor / 2)) / factor, 0), 1)
        let blue = 128 + 1.772 * (100 + 56 * t - 128)
        let pixel = isAcross ? picture[place, 20] : picture[20, place]
        #expect(abs(pixel[2] - blue) <= 2, "\(place): \(pixel[2]) for \(blue)")
      }
    }
  }

  /// The full range: grey is what it was, black and white included.
  @Test(arguments: [1, 3]) func greyIsExact(components: Int) throws {
    let sampling = Array(Form("", 1, 1).sampling[..<components])
    let picture = try decode(
      TestJPEG(width: 256 * 8, height: 8, sampling: sampling).encode { component, x, _ in
        component == 0 ? UInt8(x / 8) : 128
      })
    for value in 0..<256 {
      let grey = Double(value)
      #expect(picture[value * 8 + 4, 4] == [grey, grey, grey, 255])
    }
  }

  @Test(arguments: ["Adobe", "identifiers"]) func rgb(by mark: String) throws {
    var jpeg = TestJPEG(width: 64, height: 32, sampling: Form("", 1, 1).sampling)
    if mark == "Adobe" {
      jpeg.segments = TestJPEG.adobe(transform: 0)
    } else {
      jpeg.identifiers = Array("RGB".utf8)
    }
    let picture = try decode(jpeg.encode { UInt8(Self.corner($1, $2)[$0]) })
    for (x, y) in [(0, 0), (63, 0), (0, 31), (63, 31)] {
      #expect(picture[x, y] == Self.corner(x, y) + [255])
    }
  }

  /// The quarters of an upright picture, from files stored every way there is.
  @Test(arguments: Orientation.allCases) func orientations(orientation: Orientation) throws {
    let stored = Self.corners(
      Form("", 2, 2), TestJPEG.exif(exifBlock(orientation: orientation.rawValue, focalLength35: 26))
    )
    let photo = try decode(stored).photo()
    #expect(photo.orientation == orientation.rawValue)
    #expect(photo.focalLength35 == 26)
    #expect(
      photo.size
        == (orientation.transposes ? Size(width: 32, height: 64) : Size(width: 64, height: 32)))
    guard case .eight(let plane) = photo.samples else {
      Issue.record("not 8 bits")
      return
    }
    // What EXIF says of row 0 and column 0 of the stored picture: R is where they meet, G at the
    // other end of row 0, B at the other end of column 0.
    let (r, g, b, n) = ("r", "g", "b", "n")
    let expected = [
      [r, g, b, n], [g, r, n, b], [n, b, g, r], [b, n, r, g], [r, b, g, n], [b, r, n, g],
      [n, g, b, r], [g, n, r, b],
    ][orientation.rawValue - 1]
    let (right, bottom) = (plane.width - 1, plane.height - 1)
    let found = [(0, 0), (right, 0), (0, bottom), (right, bottom)].map { x, y in
      let p = plane[x, y]
      return p.x > 180 ? r : p.y > 180 ? g : p.z > 180 ? b : n
    }
    #expect(found == expected)
  }

  @Test func customsOfVideoFilesAreIgnored() throws {
    let segments =
      TestJPEG.segment(0xFE, Array("CS=ITU601\0".utf8))
      + TestJPEG.segment(0xE0, Array("AVI1".utf8) + [1, 0, 0, 0])
      + TestJPEG.segment(0xE1, Array("Exif\0\0MM".utf8))
    let picture = try decode(Self.corners(Form("", 2, 2), segments))
    #expect(picture.size == Size(width: 64, height: 32))
    #expect(Self.isNear(picture[0, 0], Self.corner(0, 0)))
  }

  static func changed(_ marker: UInt8, _ offset: Int, _ value: UInt8) -> [UInt8] {
    var bytes = corners(Form("", 1, 1))
    let start = bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }!
    bytes[start + 1] = marker
    if offset > 0 { bytes[start + offset] = value }
    return bytes
  }

  @Test(arguments: [
    (changed(0xC0, 4, 12), PhotoInputError.Feature.bitsPerSample(12)),
    (changed(0xC3, 0, 0), .coding("SOF3")),
    (changed(0xC9, 0, 0), .coding("SOF9")),
    (
      TestJPEG(
        width: 16, height: 16, sampling: Array(repeating: TestJPEG.Sampling(h: 1, v: 1), count: 4),
        segments: TestJPEG.adobe(transform: 2)
      ).encode { _, _, _ in 9 }, .cmyk
    ),
  ])
  func unsupported(bytes: [UInt8], feature: PhotoInputError.Feature) {
    #expect(throws: Problem.unsupported(kind: "JPEG", feature: feature)) { try decode(bytes) }
  }

  /// Pictures with more than flat blocks, from another encoder.
  @Test(
    .enabled(if: FFmpegProgram.path != nil, "ffmpeg is not installed"),
    arguments: ["yuvj420p", "yuvj422p", "yuvj444p", "yuvj440p", "gray"])
  func againstFFmpeg(pixelFormat: String) throws {
    let (file, raw) = try withFile { path in
      try FFmpegProgram.run([
        "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=1", "-frames:v", "1", "-pix_fmt",
        pixelFormat, "-q:v", "2", "-c:v", "mjpeg", "-f", "image2", path,
      ])
      let file = try Data(contentsOf: URL(fileURLWithPath: path))
      return try withFile { raw in
        try FFmpegProgram.run([
          "-i", path, "-vf", "scale=sws_flags=bilinear+accurate_rnd+full_chroma_int", "-pix_fmt",
          "rgba", "-f", "rawvideo", raw,
        ])
        return (file, try Data(contentsOf: URL(fileURLWithPath: raw)))
      }
    }
    let expected = raw.map { Double($0) }
    let found = try decode(Array(file)).values
    try #require(found.count == expected.count)
    let sum = zip(found, expected).reduce(0) { $0 + abs($1.0 - $1.1) }
    #expect(sum / Double(found.count) < 1.5)
  }
}

enum FFmpegProgram {
  static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/ffmpeg" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  struct Failed: Error { let status: Int32 }

  static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "ffmpeg")
    process.arguments = ["-nostdin", "-v", "error", "-y"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
  }
}
