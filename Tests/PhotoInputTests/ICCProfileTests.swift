import TestSupport
import Testing

@testable import MotionCore
@testable import PhotoInput

/// Profiles written byte by byte, against formulas of our own.
@Suite struct ICCProfileTests {
  static func tagged(
    _ profile: [UInt8], bits: Int = 8, color: TestPNG.Color = .rgb
  ) throws -> Picture {
    try ColourTagTests.png(bits: bits, [TestPNG.icc(profile)], color: color)
  }

  #if LittleCMS
    @Test(arguments: [8, 16]) func displayP3(bits: Int) async throws {
      let profile = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula, name: "Display P3")
      let picture = try Self.tagged(profile.encode(), bits: bits)
      #expect(try picture.photo().colour.name == "Display P3")
      try await ColourTagTests.expect(picture, ColourTagTests.fromDisplayP3, ColourTagTests.sRGB)
      // Red lies outside sRGB, and is not forced into it yet.
      let red = try await ColourTagTests.light(picture)[0]
      #expect(red.x > 1.2 && red.y < -0.04 && red.z < -0.015)
    }

    @Test(arguments: [8, 16]) func adobeRGB(bits: Int) async throws {
      let profile = TestICC.rgb(TestICC.adobeRGB, curve: TestICC.gamma(563.0 / 256)).encode()
      try await ColourTagTests.expect(
        try Self.tagged(profile, bits: bits), ColourTagTests.fromAdobeRGB
      ) { Math.pow($0, 563.0 / 256) }
    }

    /// Each channel may have its own curve.
    @Test func threeCurves() async throws {
      var profile = TestICC.rgb(TestICC.sRGB, curve: TestICC.gamma(1))
      profile.tags[3].body = TestICC.gamma(2)
      profile.tags[5].body = TestICC.samples([0, 65535, 65535])
      for bits in [8, 16] {
        let light = try await ColourTagTests.light(try Self.tagged(profile.encode(), bits: bits))
        for (colour, light) in zip(ColourTagTests.colours, light) {
          let (r, g, b) = (
            Double(colour[0]) / 255, Double(colour[1]) / 255, Double(colour[2]) / 255
          )
          #expect(abs(Double(light.x) - r) < 0.001 && abs(Double(light.y) - g * g) < 0.001)
          #expect(abs(Double(light.z) - min(2 * b, 1)) < 0.001)
        }
      }
    }

    @Test func eightAndSixteenBitsAgree() async throws {
      for profile in [
        TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula),
        TestICC.rgb(TestICC.adobeRGB, curve: TestICC.samples([0, 9000, 30000, 65535])),
        Self.brightness,
      ] {
        let eight = try await ColourTagTests.light(try Self.tagged(profile.encode()))
        let sixteen = try await ColourTagTests.light(try Self.tagged(profile.encode(), bits: 16))
        for (a, b) in zip(eight, sixteen) {
          let difference = a - b
          #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-5)
        }
      }
    }

    /// A profile's curve of samples does not make steps of a 16-bit photo's codes.
    @Test func shadowsOfSixteenBits() async throws {
      let curve = (0..<1024).map { Int((ColourTagTests.sRGB(Double($0) / 1023) * 65535).rounded()) }
      let profile = TestICC.rgb(TestICC.displayP3, curve: TestICC.samples(curve)).encode()
      var file = TestPNG(width: 2000, height: 1, bits: 16, color: .grey)
      file.color = .rgb
      file.chunks = [TestPNG.icc(profile)]
      let light = try await ColourTagTests.light(
        try decode(file.encode { x, _ in [x + 700, x + 700, x + 700] }))
      for (a, b) in zip(light, light.dropFirst()) { #expect(b.y > a.y) }
    }

    @Test(arguments: [8, 16]) func grey(bits: Int) async throws {
      let profile = TestICC.grey(curve: TestICC.gamma(2.25)).encode()
      let light = try await ColourTagTests.light(
        try Self.tagged(profile, bits: bits, color: .grey))
      for (colour, light) in zip(ColourTagTests.colours, light) {
        let wanted = Math.pow(Double(colour[0]) / 255, 2.25)
        for found in [light.x, light.y, light.z] { #expect(abs(Double(found) - wanted) < 1e-4) }
      }
    }

    /// A profile is for the channels that it names.
    @Test func otherChannels() throws {
      var picture = try ColourTagTests.png(bits: 8, [])
      for (profile, channels) in [
        (TestICC.grey(curve: TestICC.gamma(2)), "GRAY"), (Self.press, "CMYK"),
      ] {
        picture.colour = .icc(profile.encode())
        #expect(try picture.photo().colour.treatment == .ignored(.otherChannels(channels)))
      }
    }

    /// sRGB under its own profile is sRGB to the last bit.
    @Test func profilesOfSRGB() async throws {
      let samples = TestICC.samples(
        (0..<1024).map { Int((ColourTagTests.sRGB(Double($0) / 1023) * 65535).rounded()) })
      for curve in [TestICC.sRGBFormula, samples] {
        for bits in [8, 16] {
          let profile = TestICC.rgb(TestICC.sRGB, curve: curve).encode()
          let picture = try Self.tagged(profile, bits: bits)
          #expect(try picture.photo().colour.treatment == .kept)
          let plain = try ColourTagTests.png(bits: bits, [])
          #expect(try await ColourTagTests.light(picture) == ColourTagTests.light(plain))
        }
      }
      let gamma = TestICC.rgb(TestICC.sRGB, curve: TestICC.gamma(2.2)).encode()
      #expect(try Self.tagged(gamma).photo().colour.treatment == .converted)
    }

    /// Tables that make the mean of R, G and B the lightness L*.
    static let brightness: TestICC = {
      var profile = TestICC("RGB ", space: "Lab ")
      profile.tags.append(
        ("A2B0", TestICC.table(3) { [100 * Double($0.reduce(0, +)) / 3, 0, 0] }))
      return profile
    }()

    /// Tables in which each of four inks takes a quarter of the lightness.
    static let press: TestICC = {
      var profile = TestICC("CMYK", space: "Lab ", name: "a press")
      profile.tags.append(
        ("A2B0", TestICC.table(4) { [100 - 25 * Double($0.reduce(0, +)), 0, 0] }))
      return profile
    }()

    /// The light of a lightness L* (CIE 1976).
    static func light(_ lightness: Double) -> Double {
      lightness > 8 ? Math.pow((lightness + 16) / 116, 3) : lightness * 27 / 24389
    }

    @Test(arguments: [8, 16]) func tables(bits: Int) async throws {
      let picture = try Self.tagged(Self.brightness.encode(), bits: bits)
      #expect(try picture.photo().colour.treatment == .converted)
      for (colour, light) in zip(ColourTagTests.colours, try await ColourTagTests.light(picture)) {
        let wanted = Self.light(100 * Double(colour.reduce(0, +)) / 765)
        for found in [light.x, light.y, light.z] {
          #expect(abs(Double(found) - wanted) < 0.001, "\(colour): \(light), not \(wanted)")
        }
      }
    }

    /// What shines through does so with converted colours.
    @Test func alpha() async throws {
      for profile in [
        Self.brightness, TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula),
      ] {
        func light(_ alpha: Int) async throws -> [SIMD4<Float>] {
          var file = TestPNG(width: 3, height: 1)
          file.chunks = [TestPNG.icc(profile.encode())]
          return try await ColourTagTests.light(
            try decode(file.encode { x, _ in ColourTagTests.colours[x + 6] + [alpha] }))
        }
        let (opaque, half, clear) = (try await light(255), try await light(51), try await light(0))
        for x in 0..<3 {
          let difference = opaque[x] * 0.2 - half[x]
          #expect((difference * difference).sum() < 1e-8 && abs(half[x].w - 0.2) < 1e-6)
          #expect(clear[x] == .zero)
        }
      }
    }

    /// At a quarter of the size, light has been averaged, whatever the profile.
    @Test func scalingIsDoneInLight() async throws {
      let adobe = TestICC.rgb(TestICC.adobeRGB, curve: TestICC.gamma(563.0 / 256)).encode()
      var file = TestPNG(width: 64, height: 64, color: .rgb)
      file.chunks = [TestPNG.icc(adobe)]
      let photo = try decode(file.encode { x, _ in x % 2 == 0 ? [0, 255, 0] : [255, 0, 40] })
        .photo()
      let small = await photo.linear(onto: Grid(photo: photo.size, density: 0.25)).samples
      let curve = { (v: Double) in Math.pow(v, 563.0 / 256) }
      let (a, b) = (
        ColourTagTests.expected([0, 255, 0], curve, ColourTagTests.fromAdobeRGB),
        ColourTagTests.expected([255, 0, 40], curve, ColourTagTests.fromAdobeRGB)
      )
      for light in small {
        for (found, (a, b)) in zip([light.x, light.y, light.z], zip(a, b)) {
          #expect(abs(Double(found) - (a + b) / 2) < 0.001)
        }
      }
    }

    @Test func brokenOnes() throws {
      var white = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula)
      for index in [0, 2, 4] { white.tags[index].body = TestICC.xyz([0, 0, 0]) }
      var lacking = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula)
      lacking.tags.removeLast()
      var picture = try ColourTagTests.png(bits: 8, [])
      for bytes in [
        [], [1, 2, 3], [UInt8](repeating: 0, count: 300), white.encode(), lacking.encode(),
      ] {
        picture.colour = .icc(bytes)
        guard case .ignored(.broken) = try picture.photo().colour.treatment else {
          Issue.record("\(bytes.count) bytes were taken")
          continue
        }
      }
    }

    /// Cut or spoilt anywhere, a profile never keeps anybody from the photo.
    @Test func damageAnywhere() async throws {
      var noise = Noise()
      var picture = try ColourTagTests.png(bits: 8, [])
      for profile in [
        TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula), Self.brightness, Self.press,
        TestICC.grey(curve: TestICC.samples([0, 1, 2, 65535])),
      ] {
        let bytes = profile.encode()
        for cut in stride(from: 0, to: bytes.count, by: 37) {
          var spoilt = bytes
          spoilt[cut] = UInt8.random(in: 0...255, using: &noise)
          for broken in [Array(bytes[..<cut]), spoilt] {
            picture.colour = .icc(broken)
            for light in try await ColourTagTests.light(picture) {
              #expect(light.x.isFinite && light.y.isFinite && light.z.isFinite)
            }
          }
        }
      }
    }

    /// In a PNG it is libpng that finds a profile broken.
    @Test func brokenInAPNG() throws {
      let sound = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula).encode()
      for bytes in [Array(sound.prefix(200)), Array("not a profile at all".utf8)] {
        guard case .ignored(.broken(let detail)) = try Self.tagged(bytes).photo().colour.treatment
        else {
          Issue.record("taken")
          continue
        }
        #expect(!detail.isEmpty)
      }
      var spoilt = TestPNG(width: 1, height: 1, color: .rgb)
      spoilt.chunks = [("iCCP", Array("name".utf8) + [0, 0, 1, 2, 3])]
      let colour = try decode(spoilt.encode { _, _ in [1, 2, 3] }).photo().colour
      guard case .ignored(.broken) = colour.treatment else {
        Issue.record("\(colour.treatment)")
        return
      }
    }

    // MARK: Inks

    struct Press: Sendable, CustomTestStringConvertible {
      var name: String
      var segments: [UInt8]
      var isInverted = true
      var isYCCK = false
      var isSmall = false
      var testDescription: String { name }
    }

    static let presses = [
      Press(name: "CMYK without Adobe's mark", segments: [], isInverted: false),
      Press(name: "Adobe's CMYK", segments: TestJPEG.adobe(transform: 0)),
      Press(name: "YCCK", segments: TestJPEG.adobe(transform: 2), isYCCK: true),
      Press(
        name: "YCCK 4:2:0", segments: TestJPEG.adobe(transform: 2), isYCCK: true, isSmall: true),
    ]

    static let inks: [[Int]] = [
      [0, 0, 0, 0], [255, 0, 0, 0], [0, 255, 0, 0], [0, 0, 255, 0], [0, 0, 0, 255],
      [60, 120, 180, 20], [200, 200, 200, 0], [255, 255, 255, 255],
    ]

    static func print(_ press: Press, _ profile: [UInt8]?) -> [UInt8] {
      let one = TestJPEG.Sampling(h: 1, v: 1)
      let two = TestJPEG.Sampling(h: 2, v: 2)
      let segments = press.segments + (profile.map { Array(TestJPEG.icc($0).joined()) } ?? [])
      return TestJPEG(
        width: 32 * inks.count, height: 32,
        sampling: press.isSmall ? [two, one, one, two] : [one, one, one, one],
        segments: segments
      ).encode { component, x, _ in
        let ink = inks[x / 32]
        if press.isYCCK, component < 3 {
          return JPEGReaderTests.yuv(ink.prefix(3).map { Double($0) }, component)
        }
        return UInt8(press.isInverted ? 255 - ink[component] : ink[component])
      }
    }

    @Test(arguments: presses) func fourInks(press: Press) async throws {
      let picture = try decode(Self.print(press, Self.press.encode()))
      #expect(!picture.hasAlpha && picture.size == Size(width: 32 * Self.inks.count, height: 32))
      let photo = try picture.photo()
      #expect(photo.colour.name == "a press" && photo.colour.treatment == .converted)
      let light = await photo.linear(onto: Grid(photo: photo.size, density: 1))
      for (index, ink) in Self.inks.enumerated() {
        let wanted = Self.light(100 - 25 * Double(ink.reduce(0, +)) / 255)
        let found = light[32 * index + 16, 16]
        for value in [found.x, found.y, found.z] {
          #expect(abs(Double(value) - wanted) < 0.01, "\(ink): \(found), not \(wanted)")
        }
      }
    }

    @Test func inksWithoutAProfileForThem() {
      let press = Self.presses[1]
      let p3 = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula).encode()
      for profile in [nil, p3] {
        #expect(throws: Problem.unsupported(kind: "JPEG", feature: .cmyk)) {
          try decode(Self.print(press, profile))
        }
      }
      #expect(throws: Problem.damaged(kind: "ICC profile", detail: "no ICC profile")) {
        try decode(Self.print(press, [1, 2, 3]))
      }
    }
  #else
    @Test func withoutLittleCMS() throws {
      let profile = TestICC.rgb(TestICC.displayP3, curve: TestICC.sRGBFormula).encode()
      #expect(try Self.tagged(profile).photo().colour.treatment == .ignored(.noProfiles))
    }
  #endif
}
