/// Writes HEIF files, box by box, without libheif: an independent opinion, and one that writes
/// auxiliary images.
///
/// Source: ISO/IEC 14496-12 (boxes) and 23008-12 (items and properties).
package struct TestHEIF {
  package struct Item {
    package var type: String
    package var data: [UInt8]
    /// Whole boxes, in the order in which they apply.
    package var properties: [[UInt8]]
    /// The kind of a reference, and the items it goes to.
    package var references: [(kind: String, to: [Int])]
    package var contentType: String

    package init(
      _ type: String, _ data: [UInt8], properties: [[UInt8]] = [],
      references: [(kind: String, to: [Int])] = [], contentType: String = ""
    ) {
      (self.type, self.data, self.properties) = (type, data, properties)
      (self.references, self.contentType) = (references, contentType)
    }

    /// An image of raw samples.
    package init(
      _ picture: TestHEVC, properties: [[UInt8]] = [],
      references: [(kind: String, to: [Int])] = [],
      _ sample: (_ component: Int, _ x: Int, _ y: Int) -> Int
    ) {
      self.init(
        "hvc1", picture.encode(sample),
        properties: [
          box("hvcC", picture.configuration), TestHEIF.size(picture.width, picture.height),
        ] + properties, references: references)
    }
  }

  /// By their identifiers, from 1 on; the first is the photo.
  package var items: [Item]
  package var brand = "heic"

  package init(_ items: [Item]) { self.items = items }

  package func encode() -> [UInt8] {
    let type = box("ftyp", Array(brand.utf8) + bigEndian(0, 4) + Array("mif1\(brand)".utf8))
    let whole = items.flatMap(\.data)
    // Offsets have a fixed width, so the table is as long with them as without.
    let start = type.count + table(dataAt: 0).count + 8
    return type + table(dataAt: start) + box("mdat", whole)
  }

  private func table(dataAt start: Int) -> [UInt8] {
    var (entries, references, places): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    var (properties, associations): ([UInt8], [UInt8]) = ([], [])
    var (propertyCount, place) = (0, start)
    for (index, item) in items.enumerated() {
      let identifier = bigEndian(index + 1, 2)
      var entry = identifier + bigEndian(0, 2) + Array(item.type.utf8) + [0]
      if item.type == "mime" { entry += Array(item.contentType.utf8) + [0] }
      entries += fullBox("infe", version: 2, entry)
      for reference in item.references {
        references += box(
          reference.kind,
          identifier + bigEndian(reference.to.count, 2)
            + reference.to.flatMap { bigEndian($0, 2) })
      }
      associations += identifier + [UInt8(item.properties.count)]
      for property in item.properties {
        propertyCount += 1
        properties += property
        associations += [0x80 | UInt8(propertyCount)]
      }
      places += identifier + bigEndian(0, 2) + bigEndian(1, 2)
      places += bigEndian(place, 4) + bigEndian(item.data.count, 4)
      place += item.data.count
    }
    let handler = bigEndian(0, 4) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
    return fullBox(
      "meta",
      fullBox("hdlr", handler) + fullBox("pitm", bigEndian(1, 2))
        + fullBox("iinf", bigEndian(items.count, 2) + entries)
        + (references.isEmpty ? [] : fullBox("iref", references))
        + box(
          "iprp",
          box("ipco", properties) + fullBox("ipma", bigEndian(items.count, 4) + associations))
        + fullBox("iloc", [0x44, 0x00] + bigEndian(items.count, 2) + places))
  }

  // Properties.

  package static func size(_ width: Int, _ height: Int) -> [UInt8] {
    fullBox("ispe", bigEndian(width, 4) + bigEndian(height, 4))
  }

  /// - Parameter quarters: turns to the left.
  package static func turn(_ quarters: Int) -> [UInt8] { box("irot", [UInt8(quarters)]) }

  /// - Parameter axis: 0 exchanges above and below, 1 left and right.
  package static func mirror(_ axis: Int) -> [UInt8] { box("imir", [UInt8(axis)]) }

  /// What is kept, and how far its centre lies right of and below the image's.
  package static func crop(_ width: Int, _ height: Int, _ right: Int, _ down: Int) -> [UInt8] {
    box(
      "clap",
      [width, height, right, down].flatMap { bigEndian($0 & 0xFFFF_FFFF, 4) + bigEndian(1, 4) })
  }

  /// Full range, with the primaries and the transfer of sRGB and the matrix of BT.601.
  package static let colour = box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80])

  package static func auxiliary(_ type: String, _ subtypes: [UInt8] = []) -> [UInt8] {
    fullBox("auxC", Array(type.utf8) + [0] + subtypes)
  }

  package static let depthType = "urn:mpeg:hevc:2015:auxid:2"
  package static let alphaType = "urn:mpeg:hevc:2015:auxid:1"
  package static let matteType = "urn:com:apple:photo:2018:aux:portraiteffectsmatte"

  /// How the samples of a depth image are meant, as its subtypes: a message of ITU-T H.265.
  package static func depth(
    type: Int, near: Double? = nil, far: Double? = nil, first: Double? = nil, last: Double? = nil
  ) -> [UInt8] {
    var bits = Bits()
    let values = [near, far, first, last]
    for value in values { bits.write(value == nil ? 0 : 1, 1) }
    bits.golomb(type)
    if first != nil || last != nil { bits.golomb(0) }
    for case let value? in values {
      bits.write(value < 0 ? 1 : 0, 1)
      bits.write(value == 0 ? 0 : Int(value.exponent) + 31, 7)
      bits.write(11, 5)  // twelve digits behind the point
      bits.write(value == 0 ? 0 : Int((value.significand - 1) * 4096), 12)
    }
    bits.end()
    let message = TestHEVC.unit(39, [177, UInt8(bits.bytes.count)] + bits.bytes + [0x80])
    let unit = bigEndian(message.count, 4) + message
    return bigEndian(unit.count, 4) + unit
  }
}

/// A piece of a file with a name and a length.
package func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
  bigEndian(body.count + 8, 4) + Array(type.utf8) + body
}

package func fullBox(_ type: String, version: UInt8 = 0, _ body: [UInt8]) -> [UInt8] {
  box(type, [version, 0, 0, 0] + body)
}
