import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

/// Photographs with depth and matte inside, from bytes to numbers.
@Suite struct EmbeddedTests {
  static func file(_ bytes: [UInt8], _ variant: PhotoVariant = .original, maxPixels: Int = 100_000)
    throws -> PhotoFile
  {
    try withFile(bytes) { name in
      try PhotoReader.file(at: .file(name), variant: variant, maxPixels: maxPixels)
    }
  }

  /// The samples in the middles of the six blocks, or the six samples.
  static func sixth(_ plane: Plane<Float>) -> [Float] {
    let (w, h) = (plane.width, plane.height)
    let (columns, rows) = w < h ? (2, 3) : (3, 2)
    return (0..<rows).flatMap { y in
      (0..<columns).map { x in
        plane[w * (2 * x + 1) / (2 * columns), h * (2 * y + 1) / (2 * rows)]
      }
    }
  }

  static func isNear(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 1e-5 }
  }

  @Test(arguments: [true, false]) func multiPicture(bigEndian: Bool) throws {
    let photo = try Self.file(
      TestPhoto.multiPicture(
        [TestPhoto.gainMap, TestPhoto.skin, TestPhoto.matte, TestPhoto.disparity],
        bigEndian: bigEndian))
    let depth = try #require(photo.depth)
    #expect(depth.kind == .disparity && depth.nearIsWhite)
    #expect(depth.map.source == .embedded)
    #expect(depth.map.disparity.size == Size(width: 16, height: 24))
    // 0.5 + v · 2.0: bright is near.
    #expect(Self.isNear(Self.sixth(depth.map.disparity), [0.5, 0.9, 1.3, 1.7, 2.1, 2.5]))
    let matte = try #require(photo.matte)
    #expect(Self.isNear(Self.sixth(matte), [0, 0.2, 0.4, 0.6, 0.8, 1]))
    #expect(photo.broken.isEmpty)
    #expect(photo.photo.size == Size(width: 32, height: 48))
  }

  @Test func metres() throws {
    let depth = try #require(try Self.file(TestPhoto.multiPicture([TestPhoto.depth])).depth)
    #expect(depth.kind == .metric && !depth.nearIsWhite)
    // 1 / (1 + v · 4): dark is near.
    let expected: [Float] = [1, 1 / 1.8, 1 / 2.6, 1 / 3.4, 1 / 4.2, 0.2]
    #expect(Self.isNear(Self.sixth(depth.map.disparity), expected))
  }

  @Test func neitherDepthNorMatte() throws {
    let photo = try Self.file(
      TestPhoto.multiPicture([TestPhoto.gainMap, TestPhoto.skin, TestPhoto.map()]))
    #expect(photo.depth == nil && photo.matte == nil && photo.broken.isEmpty)
  }

  @Test(arguments: [("1751411059", DepthKind.disparity), ("1751410032", .metric)])
  func nativeFormatStandsInForTheType(format: String, kind: DepthKind) throws {
    let map = TestPhoto.apple(
      ("NativeFormat", format), ("FloatMinValue", "1"), ("FloatMaxValue", "2"), asElements: false)
    #expect(try Self.file(TestPhoto.multiPicture([map])).depth?.kind == kind)
  }

  /// The six values of a map in an upright photo, from files stored every way there is.
  static let turned: [[Float]] = [
    [0, 1, 2, 3, 4, 5], [1, 0, 3, 2, 5, 4], [5, 4, 3, 2, 1, 0], [4, 5, 2, 3, 0, 1],
    [0, 2, 4, 1, 3, 5], [4, 2, 0, 5, 3, 1], [5, 3, 1, 4, 2, 0], [1, 3, 5, 0, 2, 4],
  ]

  @Test(arguments: Orientation.allCases) func orientations(orientation: Orientation) throws {
    let exif = TestJPEG.exif(exifBlock(orientation: orientation.rawValue))
    let expected = Self.turned[orientation.rawValue - 1].map { $0 / 5 }
    let pictures = try Self.file(
      TestPhoto.multiPicture([TestPhoto.disparity, TestPhoto.matte], segments: exif))
    #expect(Self.isNear(Self.sixth(try #require(pictures.matte)), expected))
    let disparity = try #require(pictures.depth).map.disparity
    #expect(Self.isNear(Self.sixth(disparity), expected.map { 0.5 + 2 * $0 }))
    #expect((disparity.width > disparity.height) == orientation.transposes)

    let plain = try Self.file(
      TestPhoto.plain(TestPhoto.depthProperties(TestPhoto.png()), segments: exif))
    let inverse = try #require(plain.depth).map.disparity
    #expect(Self.isNear(Self.sixth(inverse), expected.map { 0.5 - 0.4 * $0 }))
    #expect(plain.photo.orientation == orientation.rawValue)
  }

  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let picture: [UInt8]
  }

  static let forms = [
    Form(testDescription: "RGBA", picture: TestPhoto.png()),
    Form(testDescription: "grey", picture: TestPhoto.png(color: .grey)),
    Form(testDescription: "16 bits", picture: TestPhoto.png(bits: 16, color: .grey)),
    Form(testDescription: "JPEG", picture: TestPhoto.map()),
  ]

  @Test(arguments: forms, [true, false]) func rangeInverse(form: Form, asElements: Bool) throws {
    let photo = try Self.file(
      TestPhoto.plain(TestPhoto.depthProperties(form.picture), asElements: asElements))
    let depth = try #require(photo.depth)
    #expect(depth.kind == .disparity && !depth.nearIsWhite)
    // Z = far·near / (far − v·(far − near)) with near 2 and far 10.
    let expected = [0, 0.2, 0.4, 0.6, 0.8, 1].map { v in Float((10 - v * 8) / 20) }
    #expect(Self.isNear(Self.sixth(depth.map.disparity), expected))
  }

  @Test(arguments: forms) func rangeLinear(form: Form) throws {
    let photo = try Self.file(
      TestPhoto.plain(TestPhoto.depthProperties(form.picture, format: "RangeLinear")))
    let depth = try #require(photo.depth)
    #expect(depth.kind == .metric && !depth.nearIsWhite)
    // Z = near + v·(far − near)
    let expected = [0, 0.2, 0.4, 0.6, 0.8, 1].map { v in Float(1 / (2 + v * 8)) }
    #expect(Self.isNear(Self.sixth(depth.map.disparity), expected))
  }

  @Test func sixteenBitsStay() throws {
    let png = TestPNG(width: 2, height: 3, bits: 16, color: .grey).encode { x, y in
      [1000 + x + 2 * y]
    }
    let photo = try Self.file(TestPhoto.plain(TestPhoto.depthProperties(png)))
    #expect(Set(try #require(photo.depth).map.disparity.samples).count == 6)
  }

  @Test func farMayBeInfinite() throws {
    func depth(_ format: String) throws -> EmbeddedDepth? {
      try Self.file(
        TestPhoto.plain(
          TestPhoto.depthProperties(TestPhoto.png(), format: format, far: "Infinity"))
      ).depth
    }
    #expect(try depth("RangeInverse")?.map.knownRange == 0...0.5)
    #expect(try depth("RangeLinear") == nil)
  }

  typealias Order = @Sendable ([[UInt8]]) -> [[UInt8]]
  static let orders: [(String, Order)] = [
    ("in order", { $0 }), ("reversed", { $0.reversed() }),
    ("interleaved with another", { $0.flatMap { [$0, other] } }),
  ]
  static let other = TestXMP.extended(
    Array("another".utf8), piece: 100, guid: String(TestXMP.guid.reversed()))[0]

  @Test(arguments: orders.indices) func extendedXMP(order: Int) throws {
    let photo = try Self.file(
      TestPhoto.extended(
        TestPhoto.depthProperties(TestPhoto.png()), order: Self.orders[order].1))
    let disparity = try #require(photo.depth).map.disparity
    #expect(
      Self.isNear(Self.sixth(disparity), [0.5, 0.42, 0.34, 0.26, 0.18, 0.1]))
    #expect(photo.broken.isEmpty)
  }

  static let faults: [(String, Order)] = [
    ("a piece lost", { Array($0.dropFirst()) }), ("the last lost", { $0.dropLast() }),
    ("a piece twice", { $0 + [$0[0]] }), ("none", { _ in [] }),
  ]

  @Test(arguments: faults.indices) func brokenExtendedXMP(fault: Int) throws {
    let photo = try Self.file(
      TestPhoto.extended(TestPhoto.depthProperties(TestPhoto.png()), order: Self.faults[fault].1))
    #expect(photo.depth == nil)
    guard case .damaged(kind: "XMP", _) = photo.broken[.depth] else {
      Issue.record("\(photo.broken)")
      return
    }
  }

  @Test func theUneditedPhoto() throws {
    func bytes(_ picture: [UInt8]) -> [UInt8] {
      TestPhoto.plain([("GImage:Mime", "image/jpeg"), ("GImage:Data", TestXMP.base64(picture))])
    }
    func grey(_ file: PhotoFile) -> Int? {
      guard case .eight(let plane) = file.photo.samples else { return nil }
      return Int(plane[3, 3].x)
    }
    let sound = bytes(TestPhoto.photograph(value: 200))
    let original = try Self.file(sound)
    #expect(original.variant == .original && grey(original) == 200)
    let edited = try Self.file(sound, .edited)
    #expect(edited.variant == .edited && grey(edited) == 90)
    // One of another shape, or that cannot be read, is said and done without.
    let wide = TestJPEG(width: 48, height: 32, sampling: TestPhoto.grey).encode { _, _, _ in 200 }
    for other in [wide, Array("no picture".utf8)] {
      let file = try Self.file(bytes(other))
      #expect(file.variant == .edited && grey(file) == 90)
      #expect(Array(file.broken.keys) == [.photo])
      #expect(try Self.file(bytes(other), .edited).broken.isEmpty)
    }
    #expect(try Self.file(TestPhoto.photograph()).variant == nil)
    // The depth beside it is not lost with it.
    let lame = TestPhoto.plain(
      TestPhoto.depthProperties(TestPhoto.png()) + [("GImage:Data", "none")])
    let file = try Self.file(lame)
    #expect(file.depth != nil && Array(file.broken.keys) == [.photo])
    // Lost with the packet it was in.
    let lost = TestPhoto.extended([("GImage:Mime", "image/jpeg"), ("GImage:Data", "AAAA")]) { _ in
      []
    }
    #expect(try Self.file(lost).variant == .edited)
    #expect(try Self.file(lost).broken[.photo] != nil)
  }

  /// What `open` says before a photo is decoded is what the photo then is.
  @Test func anOpenedPhotoIsTheFilesLater() async throws {
    let turned = TestPhoto.plain(
      TestPhoto.depthProperties(TestPhoto.png()),
      segments: TestJPEG.exif(exifBlock(orientation: 6, focalLength35: 30)))
    let whole = try Self.file(turned)
    let opened = try withFile(turned) { try PhotoReader.open(at: .file($0)) }
    #expect(opened.photo.isPending && opened.photo.size == Size(width: 48, height: 32))
    #expect(opened.photo.orientation == 6 && opened.photo.focalLength35 == 30)
    #expect(opened.depth?.map.disparity.samples == whole.depth?.map.disparity.samples)
    let photo = try #require(try await opened.decoding?.value)
    guard case .eight(let later) = photo.samples, case .eight(let plane) = whole.photo.samples
    else {
      Issue.record("not 8 bits")
      return
    }
    #expect(later.size == plane.size && later.samples == plane.samples)
    #expect(photo.orientation == 6 && photo.focalLength35 == 30 && !photo.hasAlpha)

    // Whole until its end mark, and broken before it.
    var broken = TestPhoto.photograph()
    broken.removeSubrange(broken.count - 12..<broken.count - 2)
    let late = try withFile(broken) { try PhotoReader.open(at: .file($0)) }
    await #expect(throws: PhotoInputError.self) { try await late.decoding?.value }

    // One of two photos, and any other kind, is decoded at once.
    let pair = TestPhoto.plain([
      ("GImage:Mime", "image/jpeg"),
      ("GImage:Data", TestXMP.base64(TestPhoto.photograph(value: 200))),
    ])
    for variant in PhotoVariant.allCases {
      let file = try withFile(pair) { try PhotoReader.open(at: .file($0), variant: variant) }
      #expect(file.decoding == nil && file.variant == variant)
    }
    #expect(try withFile(TestPhoto.png()) { try PhotoReader.open(at: .file($0)) }.decoding == nil)
  }

  @Test func theUneditedPhotoIsTurnedToo() throws {
    let exif = TestJPEG.exif(exifBlock(orientation: 6, focalLength35: 30))
    let data = [("GImage:Data", TestXMP.base64(TestPhoto.photograph(value: 200)))]
    let file = try Self.file(TestPhoto.plain(data, segments: exif))
    #expect(file.variant == .original)
    #expect(file.photo.size == Size(width: 48, height: 32))
    #expect(file.photo.orientation == 6 && file.photo.focalLength35 == 30)
  }

  static let broken: [(bytes: [UInt8], role: PhotoInputError.Role)] = [
    (TestPhoto.multiPicture([TestPhoto.disparity], shift: 1), .depth),
    (TestPhoto.multiPicture([TestPhoto.disparity], shift: 1 << 30), .depth),
    (TestPhoto.multiPicture([TestPhoto.disparity], shift: -40), .depth),
    (TestPhoto.multiPicture([Array(TestPhoto.disparity.dropLast(3))]), .depth),
    (TestPhoto.multiPicture([TestPhoto.apple(("AuxiliaryImageType", "disparity"))]), .depth),
    (
      TestPhoto.multiPicture([
        TestPhoto.apple(
          ("AuxiliaryImageType", "disparity"), ("FloatMinValue", "2"), ("FloatMaxValue", "2"))
      ]), .depth
    ),
    (
      TestPhoto.multiPicture([
        TestPhoto.apple(
          ("AuxiliaryImageType", "depth"), ("FloatMinValue", "-2"), ("FloatMaxValue", "-1"))
      ]), .depth
    ),
    (TestPhoto.plain(TestPhoto.depthProperties(TestPhoto.png(), format: "Range")), .depth),
    (TestPhoto.plain(TestPhoto.depthProperties(TestPhoto.png(), near: "0")), .depth),
    (TestPhoto.plain(TestPhoto.depthProperties(TestPhoto.png(), near: "nan")), .depth),
    (TestPhoto.plain(TestPhoto.depthProperties(TestPhoto.png(), near: "11")), .depth),
    (TestPhoto.plain(TestPhoto.depthProperties(Array("no picture".utf8))), .depth),
    (TestPhoto.plain(TestPhoto.depthProperties(Array(TestPhoto.png().dropLast(40)))), .depth),
    (TestPhoto.plain([("GDepth:Format", "RangeInverse"), ("GDepth:Near", "1")]), .depth),
    (TestPhoto.plain(TestPhoto.depthProperties([]) + [("GDepth:Broken", "<")]), .depth),
  ]

  /// What is broken is said, and the photo is read.
  @Test(arguments: broken.indices) func brokenMaps(index: Int) throws {
    let (bytes, role) = Self.broken[index]
    let photo = try Self.file(bytes)
    #expect(photo.depth == nil && photo.matte == nil)
    #expect(Array(photo.broken.keys) == [role])
    // Who did not ask does not hear of it.
    try withFile(bytes) { name in
      let photo = try PhotoReader.file(at: .file(name), maps: [])
      #expect(photo.broken.isEmpty)
      #expect(throws: PhotoInputError.self) { try PhotoReader.depthFile(at: .file(name)) }
    }
  }

  @Test func brokenMatte() throws {
    var matte = TestPhoto.matte
    matte[matte.indices.first { matte[$0] == 0xFF && matte[$0 + 1] == 0xC0 }! + 1] = 0xC3
    let photo = try Self.file(TestPhoto.multiPicture([TestPhoto.disparity, matte]))
    #expect(photo.depth != nil && photo.matte == nil)
    #expect(photo.broken == [.matte: .unsupported(kind: "JPEG", feature: .coding("SOF3"))])
  }

  /// Cut off, a matte is no more than a picture that may have been one.
  @Test func matteCutOff() throws {
    let bytes = TestPhoto.multiPicture([TestPhoto.disparity, TestPhoto.matte])
    for kept in [0, 1, 20, 60, TestPhoto.matte.count - 3] {
      let cut = Array(bytes.dropLast(TestPhoto.matte.count - kept))
      let photo = try Self.file(cut)
      #expect(photo.depth != nil && photo.matte == nil && photo.broken.isEmpty)
      #expect(photo.untold != nil)
      try withFile(cut) { name in
        let unasked = try PhotoReader.file(at: .file(name), maps: [.depth])
        #expect(unasked.untold == nil)
        #expect(throws: PhotoInputError.self) { try PhotoReader.matte(at: .file(name)) }
      }
    }
  }

  @Test func othersTroublesAreNone() throws {
    // Further views and previews, and XMP that has nothing to do with depth.
    let view = TestPhoto.multiPicture([TestPhoto.map()], shift: 1 << 30, types: [0x010001])
    #expect(try Self.file(view).broken.isEmpty)
    let xmp = TestPhoto.photograph(TestXMP.segment(Array("<x:xmpmeta>".utf8)))
    #expect(try Self.file(xmp).broken.isEmpty)
  }

  @Test func aSoundMapMakesUpForABrokenOne() throws {
    let range = ("AuxiliaryImageType", "disparity")
    let photo = try Self.file(
      TestPhoto.multiPicture([TestPhoto.apple(range), TestPhoto.disparity]))
    #expect(photo.depth != nil && photo.broken.isEmpty)
  }

  @Test func sizesAreBounded() throws {
    let large = TestPNG(width: 50, height: 75, color: .grey).encode { x, _ in [x] }
    let bytes = TestPhoto.plain(TestPhoto.depthProperties(large))
    #expect(try Self.file(bytes).depth != nil)
    let photo = try Self.file(bytes, maxPixels: 32 * 48)
    #expect(
      photo.broken[.depth]
        == .tooLarge(size: Size(width: 50, height: 75), maxPixels: 32 * 48))
  }

  /// A photo named as the depth or the matte of another lends its maps.
  @Test func photosAsMaps() throws {
    let bytes = TestPhoto.multiPicture([TestPhoto.disparity, TestPhoto.matte])
    try withFile(bytes) { name in
      guard case .embedded(let depth) = try PhotoReader.depthFile(at: .file(name)) else {
        Issue.record("not the depth in it")
        return
      }
      #expect(depth.map.knownRange == 0.5...2.5)
      #expect(try PhotoReader.matte(at: .file(name)).size == Size(width: 16, height: 24))
    }
    try withFile(TestPhoto.map()) { name in
      guard case .samples(let samples) = try PhotoReader.depthFile(at: .file(name)) else {
        Issue.record("no picture")
        return
      }
      #expect(samples.size == Size(width: 16, height: 24))
    }
  }

  static let sound = [
    TestPhoto.multiPicture([TestPhoto.disparity, TestPhoto.matte]),
    TestPhoto.plain(TestPhoto.depthProperties(TestPhoto.png())),
    TestPhoto.extended(
      TestPhoto.depthProperties(TestPhoto.png())
        + [("GImage:Data", TestXMP.base64(TestPhoto.photograph()))]),
    TestDynamicDepth(TestPhoto.map()).encode(),
  ]

  /// A cut file has no photo, or the sound one, and then each map is whole or not there.
  @Test(arguments: sound.indices) func cutAnywhere(index: Int) throws {
    let bytes = Self.sound[index]
    let whole = try Self.file(bytes)
    for count in stride(from: 0, to: bytes.count, by: 97) {
      guard let cut = try? Self.file(Array(bytes[..<count])) else { continue }
      #expect(cut.photo.size == whole.photo.size)
      if let depth = cut.depth {
        #expect(depth.map.disparity.samples == whole.depth?.map.disparity.samples)
      } else {
        #expect(cut.broken[.depth] != nil)
      }
      if let matte = cut.matte { #expect(matte.samples == whole.matte?.samples) }
    }
  }

  @Test(arguments: sound.indices) func damagedAnywhere(index: Int) throws {
    let sound = Self.sound[index]
    var noise = Noise()
    for _ in 0..<1000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &noise) {
        bytes[Int.random(in: 0..<bytes.count, using: &noise)] = UInt8.random(
          in: 0...255, using: &noise)
      }
      // Whatever comes of it, the process lives.
      let found = JPEGReader.embedded(
        bytes.span.bytes, wanted: [.photo, .depth, .matte], maxPixels: 10_000)
      if let depth = found.depth { #expect(depth.map.knownRange != nil) }
    }
  }

  @Test(.enabled(if: PhotoReaderTests.photos != nil, "no photographs here"))
  func realPhotographs() throws {
    let folder = try #require(PhotoReaderTests.photos)
    let vase = try PhotoReader.file(at: .file(folder + "/vase-iphone-mpf.jpg"))
    let disparity = try #require(vase.depth)
    #expect(disparity.kind == .disparity && disparity.nearIsWhite)
    #expect(disparity.map.disparity.size == Size(width: 576, height: 768))
    let range = try #require(disparity.map.knownRange)
    #expect(abs(range.lowerBound - 0.650879) < 1e-5 && abs(range.upperBound - 2.509766) < 1e-5)
    // The vase is nearer than the wall above it.
    let vaseMiddle = disparity.map.disparity[288, 500]
    #expect(vaseMiddle > 1.5 * disparity.map.disparity[288, 40])
    #expect(vase.matte == nil && vase.broken.isEmpty && vase.variant == nil)

    let dahlia = try PhotoReader.file(at: .file(folder + "/dahlia-gdepth.jpg"))
    let inverse = try #require(dahlia.depth)
    #expect(inverse.kind == .disparity && !inverse.nearIsWhite)
    #expect(dahlia.variant == .original)
    let known = try #require(inverse.map.knownRange)
    #expect(known.lowerBound >= Float(1 / 633.323486328125))
    #expect(known.upperBound <= Float(1 / 18.849538803100586) + 1e-6)
    let map = inverse.map.disparity
    // The flower is nearer than the earth behind it.
    #expect(map[map.width * 3 / 10, map.height * 55 / 100] > 1.5 * map[map.width / 2, 20])
  }
}
