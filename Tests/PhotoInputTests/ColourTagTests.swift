import TestSupport
import Testing

@testable import MotionCore
@testable import PhotoInput

/// From what a file says of its colours to light, against formulas of our own.
@Suite struct ColourTagTests {
  static let colours: [[Int]] = [
    [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [128, 128, 128],
    [200, 80, 40], [3, 9, 1], [30, 190, 220],
  ]

  /// The linear matrices of CSS Color 4 and BT.2087, row after row.
  static let fromDisplayP3 = [
    [1.22494, -0.22494, 0], [-0.042057, 1.042057, 0], [-0.019638, -0.078636, 1.098274],
  ]
  static let fromAdobeRGB = [[1.398356, -0.398356, 0], [0, 1, 0], [0, -0.042929, 1.042929]]
  static let fromBT2020 = [
    [1.660491, -0.587641, -0.07285], [-0.124550, 1.1329, -0.008349],
    [-0.018151, -0.100579, 1.11873],
  ]

  static func sRGB(_ v: Double) -> Double {
    v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4)
  }

  static func expected(
    _ colour: [Int], _ curve: (Double) -> Double, _ matrix: [[Double]]
  ) -> [Double] {
    let light = colour.map { curve(Double($0) / 255) }
    return matrix.map { zip($0, light).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  /// The light of each pixel of a picture.
  static func light(_ picture: Picture) async throws -> [SIMD4<Float>] {
    let photo = try picture.photo()
    return await photo.linear(onto: Grid(photo: photo.size, density: 1)).samples
  }

  static func png(
    bits: Int, _ chunks: [(type: String, body: [UInt8])], color: TestPNG.Color = .rgb
  ) throws -> Picture {
    var file = TestPNG(width: colours.count, height: 1, bits: bits, color: color)
    file.chunks = chunks
    return try decode(
      file.encode { x, _ in colours[x].prefix(color.channels).map { bits == 16 ? $0 * 257 : $0 } })
  }

  static func expect(
    _ picture: Picture, _ matrix: [[Double]], within tolerance: Double = 0.001,
    _ curve: (Double) -> Double
  ) async throws {
    #expect(try picture.photo().colour.treatment == .converted)
    for (colour, light) in zip(colours, try await light(picture)) {
      for (found, wanted) in zip([light.x, light.y, light.z], expected(colour, curve, matrix)) {
        #expect(abs(Double(found) - wanted) < tolerance, "\(colour): \(light), not \(wanted)")
      }
    }
  }

  static let fromSRGB = [[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]

  @Test(arguments: [8, 16]) func codePoints(bits: Int) async throws {
    var picture = try Self.png(bits: bits, [])
    picture.colour = .codePoints(primaries: 12, transfer: 13)
    try await Self.expect(picture, Self.fromDisplayP3, Self.sRGB)
    picture.colour = .codePoints(primaries: 9, transfer: 1)
    let bt709 = { (v: Double) in v < 0.081 ? v / 4.5 : Math.pow((v + 0.099) / 1.099, 1 / 0.45) }
    try await Self.expect(picture, Self.fromBT2020, bt709)
    picture.colour = .codePoints(primaries: 1, transfer: 6)
    try await Self.expect(picture, Self.fromSRGB, bt709)
    picture.colour = .codePoints(primaries: 2, transfer: 4)
    try await Self.expect(picture, Self.fromSRGB) { Math.pow($0, 2.2) }
  }

  @Test func codePointsThatAreKeptOrUnknown() throws {
    var picture = try Self.png(bits: 8, [])
    for (primaries, transfer, treatment) in [
      (1, 13, PhotoColour.Treatment.kept), (2, 2, .assumed), (2, 13, .kept),
      (9, 16, .ignored(.transfer(16))),
      (9, 18, .ignored(.transfer(18))), (10, 13, .ignored(.primaries(10))),
    ] {
      picture.colour = .codePoints(primaries: primaries, transfer: transfer)
      #expect(try picture.photo().colour.treatment == treatment)
    }
  }

  @Test(arguments: [8, 16]) func gammaAndPrimariesOfPNG(bits: Int) async throws {
    let p3 = TestPNG.primaries([0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06])
    try await Self.expect(try Self.png(bits: bits, [TestPNG.gamma(0.5)]), Self.fromSRGB) { $0 * $0 }
    try await Self.expect(try Self.png(bits: bits, [p3]), Self.fromDisplayP3, Self.sRGB)
    try await Self.expect(
      try Self.png(bits: bits, [TestPNG.gamma(1), p3]), Self.fromDisplayP3
    ) { $0 }
    // 2.2 and sRGB are not the same in the shadows.
    try await Self.expect(try Self.png(bits: bits, [TestPNG.gamma(0.45455)]), Self.fromSRGB) {
      Math.pow($0, 2.2)
    }
  }

  /// PNG's own order: sRGB goes before gAMA and cHRM.
  @Test func sRGBOfPNG() async throws {
    let plain = try Self.png(bits: 8, [])
    let marked = try Self.png(bits: 8, [TestPNG.sRGB, TestPNG.gamma(0.45455)])
    #expect(try plain.photo().colour.treatment == .assumed)
    #expect(try marked.photo().colour.treatment == .kept)
    #expect(try await Self.light(plain) == Self.light(marked))
    // Bit for bit what the table says.
    for (colour, light) in zip(Self.colours, try await Self.light(plain)) {
      #expect(light.x == TransferFunction.sRGB.linear8[colour[0]])
      #expect(light.z == TransferFunction.sRGB.linear8[colour[2]])
    }
  }

  @Test func primariesWithoutColours() throws {
    for xy in [
      [0.3127, 0.329, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3],
      [0.3127, 0.329, 0.64, 0, 0.3, 0.6, 0.15, 0.06],
    ] {
      func at(_ i: Int) -> Primaries.Chromaticity { .init(xy[2 * i], xy[2 * i + 1]) }
      var picture = try Self.png(bits: 8, [])
      picture.colour = .gamma(nil, Primaries(red: at(1), green: at(2), blue: at(3), white: at(0)))
      #expect(try picture.photo().colour.treatment == .ignored(.broken("cHRM")))
      picture.colour = .gamma(0, nil)
      #expect(try picture.photo().colour.treatment == .ignored(.broken("gAMA")))
    }
  }

  /// What is not a photo keeps its numbers.
  @Test func mapsAreNeverConverted() throws {
    for tag in [
      ColourTag.codePoints(primaries: 12, transfer: 8), .gamma(1, nil), .icc([1, 2, 3]),
      .icc(TestICC.grey(curve: TestICC.gamma(1)).encode()),
    ] {
      var grey = TestPNG(width: 256, height: 1, color: .grey)
      grey.exif = exifBlock(orientation: 2)
      var picture = try decode(grey.encode { x, _ in [x] })
      let (depth, matte) = (try picture.depth(), try picture.matte())
      picture.colour = tag
      #expect(try picture.depth().samples == depth.samples)
      #expect(try picture.matte().samples == matte.samples)
      #expect(depth[255, 0] == 0 && depth[0, 0] == 1)
    }
    var inks = try Self.png(bits: 16, [])
    inks.colour = .inks(profile: "press")
    #expect(throws: Problem.unsupported(kind: "PNG", feature: .cmyk)) { try inks.depth() }
    #expect(throws: Problem.unsupported(kind: "PNG", feature: .cmyk)) { try inks.matte() }
  }

  /// A picture inside a photo's file has its own colour, whichever way it lies.
  @Test func turningKeepsTheColour() throws {
    var picture = try Self.png(bits: 8, [])
    picture.colour = .codePoints(primaries: 12, transfer: 13)
    var exif = EXIF()
    exif.orientation = .turnedLeft
    #expect(picture.turned(as: exif).colour == picture.colour)
  }
}
