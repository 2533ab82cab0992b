import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct TIFFReaderTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var bits: Int
    var channels: Int
    var testDescription: String { "\(channels) of \(bits) bits" }
  }

  static let forms = [8, 16].flatMap { bits in (1...4).map { Form(bits: bits, channels: $0) } }

  enum Storage: CaseIterable { case strips, tiles, planes, planesOfTiles, bigEndian }

  /// Exact values of every form, stored every way, at a size that fills no tile and no strip.
  @Test(arguments: forms, Storage.allCases) func values(form: Form, storage: Storage) throws {
    var file = TestTIFF(
      width: 21, height: 19, bits: form.bits, channels: form.channels,
      photometric: form.channels < 3 ? 1 : 2)
    file.extra = form.channels % 2 == 0 ? 2 : 0
    file.bigEndian = storage == .bigEndian
    file.isPlanar = storage == .planes || storage == .planesOfTiles
    file.tile = storage == .tiles || storage == .planesOfTiles ? 16 : 0
    func sample(_ x: Int, _ y: Int, _ c: Int) -> Int {
      (x * 4099 + y * 977 + c * 21503) % (1 << form.bits)
    }
    let picture = try decode(file.encode(sample))
    #expect(picture.size == Size(width: 21, height: 19))
    #expect(picture.hasAlpha == (form.channels % 2 == 0))
    let opaque = 1 << form.bits - 1
    for y in 0..<19 {
      for x in 0..<21 {
        let s = (0..<form.channels).map { sample(x, y, $0) }
        let colour = form.channels < 3 ? [s[0], s[0], s[0]] : Array(s[..<3])
        let expected = colour + [form.channels % 2 == 0 ? s.last! : opaque]
        #expect(picture[x, y] == expected.map(Double.init), "\(x), \(y)")
      }
    }
  }

  @Test(arguments: [8, 16]) func whiteMayBeZero(bits: Int) throws {
    let file = TestTIFF(width: 2, height: 1, bits: bits, photometric: 0)
    let depth = try decode(file.encode { x, _, _ in x * (1 << bits - 1) }).depth()
    #expect(depth.samples == [1, 0])
  }

  /// Colour that was multiplied by alpha is divided again.
  @Test func associatedAlpha() throws {
    var file = TestTIFF(width: 2, height: 1, bits: 8, channels: 4, photometric: 2)
    file.extra = 1
    let picture = try decode(file.encode { x, _, c in [[100, 50, 0, 128], [9, 9, 9, 0]][x][c] })
    #expect(picture[0, 0] == [199, 100, 0, 128])
    #expect(picture[1, 0][3] == 0)
  }

  @Test(
    arguments: [
      (16, [0x3C00, 0xC000, 0x7C00, 0x3555], [1, -2, Float.infinity, 0.33325195]),
      (32, [0x3F80_0000, 0xC000_0000, 0x7F80_0000, 0x4049_0FDB], [1, -2, .infinity, 3.1415927]),
      (
        64, [0x3FF0_0000_0000_0000, -0x4000_0000_0000_0000, 0x7FF0_0000_0000_0000, 0],
        [1, -2, .infinity, 0]
      ),
    ] as [(Int, [Int], [Float])])
  func floatsAreAsTheyAre(bits: Int, patterns: [Int], values: [Float]) throws {
    for bigEndian in [false, true] {
      var file = TestTIFF(width: 2, height: 2, bits: bits)
      (file.sampleFormat, file.bigEndian) = (3, bigEndian)
      let picture = try decode(file.encode { x, y, _ in patterns[2 * y + x] })
      #expect(try picture.depth().samples == values)
      #expect(throws: Problem.notAPhoto(kind: "TIFF")) { try picture.photo() }
    }
  }

  @Test(arguments: Orientation.allCases) func orientations(orientation: Orientation) throws {
    var file = TestTIFF(width: 3, height: 2)
    file.orientation = orientation.rawValue
    let picture = try decode(file.encode { x, y, _ in 10 * y + x })
    let stored = Plane(width: 3, height: 2, samples: [0, 1, 2, 10, 11, 12])
    #expect(
      try picture.depth().samples.map { Int(($0 * 255).rounded()) }
        == stored.turnedUpright(from: orientation).samples)
  }

  static func file(_ change: (inout TestTIFF) -> Void) -> [UInt8] {
    var file = TestTIFF(width: 8, height: 8)
    change(&file)
    return file.encode { x, y, _ in x + y }
  }

  @Test(arguments: [
    (file { ($0.channels, $0.photometric) = (4, 5) }, PhotoInputError.Feature.pixelFormat("CMYK")),
    (file { $0.sampleFormat = 2 }, .pixelFormat("signed or complex numbers")),
    (file { $0.bits = 32 }, .bitsPerSample(32)),
    (file { ($0.bits, $0.channels, $0.photometric, $0.sampleFormat) = (32, 3, 2, 3) }, .colour),
    (file { $0.channels = 5 }, .pixelFormat("5 samples")),
    (file { $0.subfile = 1 }, .coding("a camera's raw data")),
  ])
  func unsupported(bytes: [UInt8], feature: PhotoInputError.Feature) {
    #expect(throws: Problem.unsupported(kind: "TIFF", feature: feature)) { try decode(bytes) }
  }

  @Test func sizesAreChecked() {
    var bytes = Self.file { _ in }
    for tag in [0, 1] {  // width and length come first
      bytes.replaceSubrange(
        8 + 64 + 2 + 12 * tag + 8..<8 + 64 + 2 + 12 * tag + 12, with: [0x60, 0xEA, 0, 0])
    }
    #expect(
      throws: Problem.tooLarge(size: Size(width: 60000, height: 60000), maxPixels: 1_000_000)
    ) { try decode(bytes) }
    #expect(throws: Problem.truncated(kind: "TIFF")) { try decode(Array(bytes.prefix(8))) }
  }

  /// Compressed, as other programs write it.
  @Test(
    .enabled(if: FFmpegProgram.path != nil, "ffmpeg is not installed"),
    arguments: ["raw", "packbits", "lzw", "deflate"])
  func compressed(algorithm: String) throws {
    try expectExact("tiff", "rgb48le", "rgb", 2, ["-compression_algo", algorithm])
  }

  @Test(arguments: [false, true]) func aProfile(bigEndian: Bool) throws {
    let profile = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula).encode()
    var file = TestTIFF(width: 3, height: 2, channels: 3, photometric: 2)
    file.bigEndian = bigEndian
    #expect(try decode(file.encode { _, _, _ in 9 }).colour == .untagged)
    file.profile = profile
    #expect(try decode(file.encode { _, _, _ in 9 }).colour == .icc(profile))
  }
}
