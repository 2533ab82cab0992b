import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

#if HEIC
  /// HEIC and AVIF, from bytes to pixels and to the numbers of their maps.
  @Suite struct HEICReaderTests {
    static func file(_ items: TestHEIF.Item..., maxPixels: Int = 100_000) throws -> PhotoFile {
      try EmbeddedTests.file(TestHEIF(items).encode(), maxPixels: maxPixels)
    }

    static func problem(_ bytes: [UInt8], maxPixels: Int = 100_000) -> Problem? {
      do throws(Problem) {
        _ = try decode(bytes, maxPixels: maxPixels)
        return nil
      } catch {
        return error
      }
    }

    @Test func thePhoto() throws {
      let file = try EmbeddedTests.file(TestHEIC.portrait)
      #expect(file.photo.size == Size(width: 32, height: 48))
      #expect(file.photo.focalLength35 == 26)
      // EXIF told how it lay; only irot and imir say how it is to be turned.
      #expect(file.photo.orientation == 1)
      #expect(!file.photo.hasAlpha && file.variant == nil && file.broken.isEmpty)
      guard case .eight(let plane) = file.photo.samples else {
        Issue.record("not 8 bits")
        return
      }
      for y in 0..<48 {
        for x in 0..<32 {
          let value = UInt8(TestHEIC.value(x, y, of: 255))
          #expect(plane[x, y] == [value, value, value, 255])
        }
      }
    }

    @Test func colours() throws {
      let item = TestHEIF.Item(
        TestHEIC.picture(chroma: .yuv420), properties: [TestHEIF.colour]
      ) { component, _, _ in [100, 90, 200][component] }
      // BT.601, full range: R = Y + 1.402 Cr, G = Y − 0.344 Cb − 0.714 Cr, B = Y + 1.772 Cb.
      let pixel = try decode(TestHEIF([item]).encode())[7, 9]
      for (value, expected) in zip(pixel, [200.9, 61.7, 32.7, 255]) {
        #expect(abs(value - expected) <= 2)
      }
    }

    /// Each of so many bits comes through, spread to sixteen.
    @Test(arguments: [10, 12]) func moreBits(bits: Int) throws {
      let largest = 1 << bits - 1
      func value(_ x: Int, _ y: Int) -> Int { (x + 32 * y) * largest / (32 * 48 - 1) }
      let item = TestHEIF.Item(
        TestHEIC.picture(bits: bits, chroma: .yuv420), properties: [TestHEIF.colour]
      ) { component, x, y in component == 0 ? value(x, y) : 1 << (bits - 1) }
      guard case .sixteen(let plane) = try decode(TestHEIF([item]).encode()).samples else {
        Issue.record("not 16 bits")
        return
      }
      for y in 0..<48 {
        for x in 0..<32 {
          let expected = UInt16((Double(value(x, y)) * 65535 / Double(largest)).rounded())
          #expect(plane[x, y] == [expected, expected, expected, 65535])
        }
      }
    }

    /// The turns and mirrors that make each orientation, as EXIF numbers them.
    static let properties: [[[UInt8]]] = [
      [], [TestHEIF.mirror(1)], [TestHEIF.turn(2)], [TestHEIF.mirror(0)],
      [TestHEIF.turn(3), TestHEIF.mirror(1)], [TestHEIF.turn(3)],
      [TestHEIF.turn(3), TestHEIF.mirror(0)], [TestHEIF.turn(1)],
    ]

    /// The photo is turned once, and its maps with it whether they say so themselves or not.
    @Test(arguments: Orientation.allCases, [8, 10])
    func orientations(orientation: Orientation, bits: Int) throws {
      let properties = Self.properties[orientation.rawValue - 1]
      let expected = EmbeddedTests.turned[orientation.rawValue - 1].map { $0 / 5 }
      for own in [properties, []] {
        let file = try Self.file(
          TestHEIC.photo(bits: bits, properties: properties),
          TestHEIC.map(
            TestHEIF.depthType, TestHEIF.depth(type: 1, first: 0.5, last: 2.5), bits: bits,
            properties: own),
          TestHEIC.map(TestHEIF.matteType, bits: bits, properties: own),
          TestHEIC.exif(exifBlock(orientation: 6)))
        #expect(file.photo.orientation == orientation.rawValue)
        #expect((file.photo.size.width > file.photo.size.height) == orientation.transposes)
        let grey: Plane<Float> =
          switch file.photo.samples {
          case .eight(let plane): plane.map { Float($0[1]) / 255 }
          case .sixteen(let plane): plane.map { Float($0[1]) / 65535 }
          }
        // The blocks of the 10-bit photo are whole tenths of its range, rounded down.
        func isNear(_ found: [Float], _ expected: [Float]) -> Bool {
          zip(found, expected).allSatisfy { abs($0 - $1) < 0.002 }
        }
        #expect(isNear(EmbeddedTests.sixth(grey), expected))
        #expect(isNear(EmbeddedTests.sixth(try #require(file.matte)), expected))
        let disparity = try #require(file.depth).map.disparity
        #expect(isNear(EmbeddedTests.sixth(disparity), expected.map { 0.5 + 2 * $0 }))
        #expect(disparity.size == file.photo.size)
      }
    }

    /// A crop of a quarter of the photo, and the maps cropped with it.
    @Test(arguments: [8, 10]) func crops(bits: Int) throws {
      let properties = [TestHEIF.crop(16, 32, 8, 8), TestHEIF.mirror(0)]
      for own in [properties, []] {
        let file = try Self.file(
          TestHEIC.photo(bits: bits, properties: properties),
          TestHEIC.map(TestHEIF.matteType, bits: bits, properties: own))
        let size = Size(width: 16, height: 32)
        #expect(file.photo.size == size)
        let matte = try #require(file.matte)
        #expect(matte.size == size)
        #expect(abs(matte[8, 8] - 1) < 0.002 && abs(matte[8, 24] - 0.6) < 0.002)
      }
    }

    @Test(arguments: [false, true]) func alpha(isMultiplied: Bool) throws {
      let photo = TestHEIC.photo(
        properties: [TestHEIF.turn(2)], references: isMultiplied ? [("prem", [2])] : [])
      let alpha = TestHEIC.map(TestHEIF.alphaType, properties: [TestHEIF.turn(2)])
      let file = try Self.file(photo, alpha)
      #expect(file.photo.hasAlpha && file.matte == nil && file.depth == nil)
      guard case .eight(let plane) = file.photo.samples else {
        Issue.record("not 8 bits")
        return
      }
      // Colour and alpha are equal: divided, colour is all there is.
      #expect(plane[8, 8] == [255, 255, 255, 255])
      #expect(plane[8, 24] == (isMultiplied ? [255, 255, 255, 153] : [153, 153, 153, 153]))
      #expect(plane[24, 40] == [0, 0, 0, 0])
    }

    struct Range: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let subtypes: [UInt8]
      let kind: DepthKind
      let nearIsWhite: Bool
      /// The disparity of a fraction of the largest sample.
      let disparity: @Sendable (Float) -> Float
    }

    static let ranges = [
      Range(
        testDescription: "inverse distance",
        subtypes: TestHEIF.depth(type: 0, near: 0.5, far: 2), kind: .disparity, nearIsWhite: true
      ) { 0.5 + 1.5 * $0 },
      Range(
        testDescription: "disparity", subtypes: TestHEIF.depth(type: 1, first: -0.5, last: 2),
        kind: .disparity, nearIsWhite: true
      ) { max(-0.5 + 2.5 * $0, 0) },
      Range(
        testDescription: "distance", subtypes: TestHEIF.depth(type: 2, near: 0.5, far: 2),
        kind: .metric, nearIsWhite: false
      ) { 1 / (0.5 + 1.5 * $0) },
      Range(
        testDescription: "disparity by distances",
        subtypes: TestHEIF.depth(type: 1, near: 0.5, far: 2), kind: .disparity, nearIsWhite: true
      ) { 0.5 + 1.5 * $0 },
      Range(
        testDescription: "disparities win",
        subtypes: TestHEIF.depth(type: 1, near: 0.5, far: 2, first: 1, last: 3),
        kind: .disparity, nearIsWhite: true
      ) { 1 + 2 * $0 },
      Range(
        testDescription: "nothing said", subtypes: [],
        kind: .relative(nearIsWhite: true, range: 4), nearIsWhite: true
      ) { 0.25 + 0.75 * $0 },
      Range(
        testDescription: "no range", subtypes: TestHEIF.depth(type: 1, first: 1),
        kind: .relative(nearIsWhite: true, range: 4), nearIsWhite: true
      ) { 0.25 + 0.75 * $0 },
    ]

    @Test(arguments: ranges, [8, 10]) func representations(range: Range, bits: Int) throws {
      let file = try Self.file(
        TestHEIC.photo(), TestHEIC.map(TestHEIF.depthType, range.subtypes, bits: bits))
      let depth = try #require(file.depth)
      #expect(depth.kind == range.kind && depth.nearIsWhite == range.nearIsWhite)
      #expect(depth.map.source == .embedded)
      if case .relative = range.kind {
        #expect(depth.unexplained != nil)
      } else {
        #expect(depth.unexplained == nil)
      }
      let largest = 1 << bits - 1
      let expected = (0..<6).map { range.disparity(Float($0 * largest / 5) / Float(largest)) }
      #expect(EmbeddedTests.isNear(EmbeddedTests.sixth(depth.map.disparity), expected))
    }

    @Test func tenBitsOfDepthStay() throws {
      let item = TestHEIF.Item(
        TestHEIC.picture(bits: 10),
        properties: [
          TestHEIF.auxiliary(TestHEIF.depthType, TestHEIF.depth(type: 1, first: 1, last: 2))
        ], references: [("auxl", [1])]
      ) { _, x, y in min(x + 32 * y, 1023) }
      let disparity = try #require(try Self.file(TestHEIC.photo(), item).depth).map.disparity
      #expect(Set(disparity.samples).count == 1024)
    }

    @Test func applesMetadata() throws {
      func depth(_ xmp: TestHEIF.Item) throws -> PhotoFile {
        try Self.file(TestHEIC.photo(), TestHEIC.map(TestHEIF.depthType), xmp)
      }
      let disparity = try depth(
        TestHEIC.xmp(
          ("AuxiliaryImageType", "disparity"), ("FloatMinValue", "0.5"), ("FloatMaxValue", "3"),
          of: 2))
      #expect(disparity.depth?.kind == .disparity)
      #expect(disparity.depth?.map.knownRange == 0.5...3)
      let metres = try depth(
        TestHEIC.xmp(
          ("AuxiliaryImageType", "depth"), ("FloatMinValue", "0.5"), ("FloatMaxValue", "4"), of: 2))
      #expect(metres.depth?.kind == .metric && metres.depth?.nearIsWhite == false)
      #expect(metres.depth?.map.knownRange == 0.25...2)
      let rangeless = try depth(TestHEIC.xmp(("AuxiliaryImageType", "disparity"), of: 2))
      #expect(rangeless.broken[.depth] == .damaged(kind: "depth data", detail: "no range"))
    }

    @Test func neitherDepthNorMatte() throws {
      let file = try Self.file(
        TestHEIC.photo(),
        TestHEIC.map("urn:com:apple:photo:2020:aux:hdrgainmap"),
        TestHEIC.map("urn:com:apple:photo:2019:aux:semanticskinmatte"),
        TestHEIC.map("urn:com:apple:photo:2019:aux:semantichairmatte"),
        TestHEIC.map("tag:apple.com,2023:photo:aux:styledeltamap"))
      #expect(file.depth == nil && file.matte == nil && file.broken.isEmpty)
    }

    static let broken: [(items: [TestHEIF.Item], problem: Problem)] = [
      (
        [TestHEIC.map(TestHEIF.depthType, TestHEIF.depth(type: 3, first: 1, last: 2))],
        .unsupported(kind: "HEIC depth", feature: .coding("non-uniform disparity"))
      ),
      (
        [TestHEIC.map(TestHEIF.depthType, TestHEIF.depth(type: 1, first: 2, last: 2))],
        .damaged(kind: "HEIC depth", detail: "no sound range")
      ),
      (
        [TestHEIC.map(TestHEIF.depthType, TestHEIF.depth(type: 0, near: 0, far: 2))],
        .damaged(kind: "HEIC depth", detail: "no sound range")
      ),
      (
        [TestHEIC.map(TestHEIF.depthType, TestHEIF.depth(type: 2, near: -2, far: -1))],
        .damaged(kind: "HEIC depth", detail: "no distance is known")
      ),
      (
        [
          TestHEIF.Item(
            TestHEVC(width: 48, height: 64),
            properties: [TestHEIF.auxiliary(TestHEIF.depthType)], references: [("auxl", [1])]
          ) { _, x, _ in x }
        ], .tooLarge(size: Size(width: 48, height: 64), maxPixels: 32 * 48)
      ),
    ]

    /// What is broken is said, and the photo is read.
    @Test(arguments: broken.indices) func brokenMaps(index: Int) throws {
      let (items, problem) = Self.broken[index]
      let bytes = TestHEIF([TestHEIC.photo()] + items).encode()
      let file = try EmbeddedTests.file(bytes, maxPixels: 32 * 48)
      #expect(file.depth == nil && file.broken == [.depth: problem])
      #expect(
        HEICReader.embedded(
          bytes.span.bytes, kind: "HEIC", wanted: [.matte], maxPixels: 32 * 48
        ).broken.isEmpty)
    }

    /// A photo named as the depth or the matte of another lends its maps.
    @Test func photosAsMaps() throws {
      try withFile(TestHEIC.portrait) { name in
        guard case .embedded(let depth) = try PhotoReader.depthFile(at: .file(name)) else {
          Issue.record("not the depth in it")
          return
        }
        #expect(depth.map.knownRange == 0.5...2.5)
        let matte = try PhotoReader.matte(at: .file(name))
        #expect(EmbeddedTests.isNear(EmbeddedTests.sixth(matte), [0, 0.2, 0.4, 0.6, 0.8, 1]))
      }
    }

    @Test func av1() throws {
      let pixel = try decode(TestHEIC.avif())[20, 11]
      for (value, expected) in zip(pixel, [0x30, 0x60, 0xC0, 0xFF]) {
        #expect(abs(value - Double(expected)) <= 3)
      }
      // A depth whose meaning MIAF leaves open.
      var depth = TestHEIC.av1
      depth.properties.append(
        TestHEIF.auxiliary("urn:mpeg:mpegB:cicp:systems:auxiliary:depth"))
      depth.references = [("auxl", [1])]
      let file = try EmbeddedTests.file(TestHEIC.avif([depth]))
      #expect(file.depth?.kind == .relative(nearIsWhite: true, range: 4))
    }

    /// Newer telephones let a map belong to two images, which libheif reads from 1.18 on.
    @Test func twoReferences() throws {
      let bytes = TestHEIF([
        TestHEIC.photo(), TestHEIC.photo(),
        TestHEIC.map(
          TestHEIF.depthType, TestHEIF.depth(type: 1, first: 0.5, last: 2.5), of: [1, 2]),
      ]).encode()
      switch Self.problem(bytes) {
      case nil: #expect(try EmbeddedTests.file(bytes).depth?.map.knownRange == 0.5...2.5)
      case .needsLibrary(kind: "HEIC", let library, let found)?:
        #expect(library.name == "libheif" && library.version == "1.18")
        #expect(library.reason == "too many auxiliary image references")
        #expect(found.hasPrefix("1."))
      case let other?: Issue.record("\(other)")
      }
    }

    @Test func otherCodings() {
      for type in ["vvc1", "j2k1", "what"] {
        let item = TestHEIF.Item(type, [1, 2, 3], properties: [TestHEIF.size(32, 32)])
        #expect(
          Self.problem(TestHEIF([item]).encode())
            == .unsupported(kind: "HEIC", feature: .coding(type)))
      }
    }

    @Test func sizesAreBounded() {
      #expect(
        Self.problem(TestHEIC.portrait, maxPixels: 32 * 48 - 1)
          == .tooLarge(size: Size(width: 32, height: 48), maxPixels: 32 * 48 - 1))
      for side in [60_000, 4_000_000_000] {
        let item = TestHEIF.Item("hvc1", [1], properties: [TestHEIF.size(side, side)])
        #expect(
          Self.problem(TestHEIF([item]).encode())
            == .tooLarge(size: Size(width: side, height: side), maxPixels: 100_000))
      }
      let nothing = TestHEIF.Item("hvc1", [1], properties: [TestHEIF.size(0, 9)])
      #expect(
        Self.problem(TestHEIF([nothing]).encode()) == .zeroSize(size: Size(width: 0, height: 9)))
      // A grid that says it is larger than the image it makes.
      var photo = TestHEIC.photo()
      photo.references = []
      let grid = TestHEIF.Item(
        "grid", [0, 0, 0, 0] + bigEndian(20_000, 2) + bigEndian(20_000, 2),
        properties: [TestHEIF.size(32, 48)], references: [("dimg", [2])])
      guard case .damaged? = Self.problem(TestHEIF([grid, photo]).encode()) else {
        Issue.record("the grid was made")
        return
      }
    }

    /// A cut file has no photo, or the sound one, and then each map is whole or not there.
    @Test func cutAnywhere() throws {
      let whole = try EmbeddedTests.file(TestHEIC.portrait)
      for count in stride(from: 0, to: TestHEIC.portrait.count, by: 97) {
        guard let cut = try? EmbeddedTests.file(Array(TestHEIC.portrait[..<count])) else {
          continue
        }
        #expect(cut.photo.size == whole.photo.size)
        if let depth = cut.depth {
          #expect(depth.map.disparity.samples == whole.depth?.map.disparity.samples)
        }
        if let matte = cut.matte { #expect(matte.samples == whole.matte?.samples) }
      }
      for count in [13, 100, 500, TestHEIC.portrait.count - 1000] {
        #expect(Self.problem(Array(TestHEIC.portrait[..<count])) == .truncated(kind: "HEIC"))
      }
    }

    @Test func damagedAnywhere() throws {
      let sound = TestHEIC.portrait
      var noise = Noise()
      // The table of contents is where damage shows; samples are whatever they are.
      let table = sound.count - 3 * 32 * 48
      for _ in 0..<1000 {
        var bytes = sound
        for _ in 0..<Int.random(in: 1...3, using: &noise) {
          bytes[Int.random(in: 0..<table, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
        }
        // Whatever comes of it, the process lives.
        let found = HEICReader.embedded(
          bytes.span.bytes, kind: "HEIC", wanted: [.depth, .matte], maxPixels: 100_000)
        if let depth = found.depth { #expect(depth.map.knownRange != nil) }
      }
    }

    @Test(.enabled(if: PhotoReaderTests.photos != nil, "no photographs here"))
    func realPhotograph() throws {
      let folder = try #require(PhotoReaderTests.photos)
      let pug = try PhotoReader.file(at: .file(folder + "/pug-iphone.heic"))
      #expect(pug.photo.size == Size(width: 4032, height: 3024) && pug.photo.focalLength35 == 26)
      #expect(pug.matte == nil && pug.broken.isEmpty)
      let depth = try #require(pug.depth)
      #expect(depth.kind == .disparity && depth.nearIsWhite)
      let map = depth.map.disparity
      #expect(map.size == Size(width: 768, height: 576))
      let range = try #require(depth.map.knownRange)
      #expect(range.lowerBound >= 1.498 && range.upperBound <= 4.3829)
    }
  }
#else
  @Suite struct HEICReaderTests {
    @Test func leftOut() throws {
      for (bytes, kind) in [(TestHEIC.portrait, "HEIC"), (TestHEIC.avif(), "AVIF")] {
        #expect(throws: Problem.leftOut(kind: kind, trait: "HEIC")) { try decode(bytes) }
      }
    }
  }
#endif
