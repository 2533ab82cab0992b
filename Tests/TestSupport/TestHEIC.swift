/// Writes HEIC photographs with maps in them, as phones do: two by three blocks everywhere.
package enum TestHEIC {
  /// What the blocks hold, of `largest`.
  package static func value(_ x: Int, _ y: Int, of largest: Int) -> Int {
    (x / TestHEVC.block + 2 * (y / TestHEVC.block)) * largest / 5
  }

  package static func picture(bits: Int = 8, chroma: TestHEVC.Chroma = .grey) -> TestHEVC {
    TestHEVC(width: 32, height: 48, bits: bits, chroma: chroma)
  }

  /// A grey photo, coded in colour.
  package static func photo(
    bits: Int = 8, properties: [[UInt8]] = [],
    references: [(kind: String, to: [Int])] = []
  ) -> TestHEIF.Item {
    TestHEIF.Item(
      picture(bits: bits, chroma: .yuv420), properties: [TestHEIF.colour] + properties,
      references: references
    ) { component, x, y in
      component == 0 ? value(x, y, of: 1 << bits - 1) : 1 << (bits - 1)
    }
  }

  package static func map(
    _ type: String, _ subtypes: [UInt8] = [], bits: Int = 8, properties: [[UInt8]] = [],
    of images: [Int] = [1]
  ) -> TestHEIF.Item {
    TestHEIF.Item(
      picture(bits: bits), properties: [TestHEIF.auxiliary(type, subtypes)] + properties,
      references: [("auxl", images)]
    ) { _, x, y in value(x, y, of: 1 << bits - 1) }
  }

  /// Disparity from 0.5 to 2.5.
  package static let disparity = map(
    TestHEIF.depthType, TestHEIF.depth(type: 1, first: 0.5, last: 2.5))
  package static let matte = map(TestHEIF.matteType)

  package static func exif(_ block: [UInt8], of item: Int = 1) -> TestHEIF.Item {
    TestHEIF.Item(
      "Exif", bigEndian(6, 4) + Array("Exif\0\0".utf8) + block, references: [("cdsc", [item])])
  }

  package static func xmp(_ properties: (String, String)..., of item: Int) -> TestHEIF.Item {
    TestHEIF.Item(
      "mime", TestXMP.packet(properties.map { ("apdi:" + $0, $1) }),
      references: [("cdsc", [item])], contentType: "application/rdf+xml")
  }

  /// An AV1 picture of 32×24 in one colour, about #3060C0, as libaom coded it.
  package static let av1 = TestHEIF.Item(
    "av01",
    [
      0x0A, 0x06, 0x18, 0x11, 0x3F, 0x76, 0xC0, 0x20, 0x32, 0x12, 0x17, 0x80, 0x00, 0x00,
      0x48, 0x00, 0x00, 0x00, 0x01, 0x2D, 0xA1, 0xF0, 0x89, 0x65, 0xDB, 0x14, 0xBF, 0x40,
    ],
    properties: [TestHEIF.size(32, 24), box("av1C", [0x81, 0x00, 0x0C, 0x00])])

  package static func avif(_ items: [TestHEIF.Item] = []) -> [UInt8] {
    var file = TestHEIF([av1] + items)
    file.brand = "avif"
    return file.encode()
  }

  /// A photo with both maps, telling its focal length.
  package static let portrait = TestHEIF([
    photo(), disparity, matte, exif(exifBlock(orientation: 6, focalLength35: 26)),
  ]).encode()
}
