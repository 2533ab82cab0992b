import Foundation

/// Writes XMP packets, and the APP1 segments that carry them.
package enum TestXMP {
  package static let namespaces = [
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "apdi": "http://ns.apple.com/pixeldatainfo/1.0/",
    "GDepth": "http://ns.google.com/photos/1.0/depthmap/",
    "GImage": "http://ns.google.com/photos/1.0/image/",
    "xmpNote": "http://ns.adobe.com/xmp/note/",
    "Device": "http://ns.google.com/photos/dd/1.0/device/",
    "Container": "http://ns.google.com/photos/dd/1.0/container/",
    "Item": "http://ns.google.com/photos/dd/1.0/item/",
    "Camera": "http://ns.google.com/photos/dd/1.0/camera/",
    "DepthMap": "http://ns.google.com/photos/dd/1.0/depthmap/",
  ]

  /// - Parameters:
  ///   - properties: by their prefixed names, as attributes or as elements.
  ///   - structures: further elements of the description.
  package static func packet(
    _ properties: [(String, String)], asElements: Bool = false, structures: String = ""
  ) -> [UInt8] {
    let used = namespaces.filter { prefix, _ in
      prefix == "rdf" || properties.contains { $0.0.hasPrefix("\(prefix):") }
        || structures.contains("\(prefix):")
    }
    let declared = used.map { "xmlns:\($0)=\"\($1)\"" }.sorted().joined(separator: " ")
    let attributes = asElements ? "" : properties.map { " \($0)=\"\($1)\"" }.joined()
    let elements =
      asElements ? properties.map { "<\($0)>\($1)</\($0)>" }.joined(separator: "\n") : ""
    return Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \(declared)>
      <rdf:Description rdf:about=""\(attributes)>\(elements)\(structures)</rdf:Description>
      </rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  package static func segment(_ packet: [UInt8]) -> [UInt8] {
    TestJPEG.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  package static let guid = "0123456789ABCDEF0123456789ABCDEF"

  /// The segments of an extended packet, in order.
  package static func extended(_ packet: [UInt8], piece: Int, guid: String = guid) -> [[UInt8]] {
    stride(from: 0, to: packet.count, by: piece).map { offset in
      TestJPEG.segment(
        0xE1,
        Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(guid.utf8)
          + bigEndian(packet.count, 4) + bigEndian(offset, 4)
          + packet[offset..<min(offset + piece, packet.count)])
    }
  }

  package static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

/// Writes photographs with pictures in them, as phones do.
package enum TestPhoto {
  package static let grey = [TestJPEG.Sampling(h: 1, v: 1)]

  /// What a picture of two by three blocks holds at each.
  package static let blocks: [[UInt8]] = [[0, 51], [102, 153], [204, 255]]

  /// A grey picture of 16×24, a value for each block of 8×8.
  package static func map(_ segments: [UInt8] = [], _ blocks: [[UInt8]] = blocks) -> [UInt8] {
    TestJPEG(width: 16, height: 24, sampling: grey, segments: segments).encode { _, x, y in
      blocks[y / 8][x / 8]
    }
  }

  package static func apple(_ properties: (String, String)..., asElements: Bool = true) -> [UInt8] {
    map(
      TestXMP.segment(TestXMP.packet(properties.map { ("apdi:" + $0, $1) }, asElements: asElements))
    )
  }

  package static let disparity = apple(
    ("AuxiliaryImageType", "disparity"), ("FloatMinValue", "0.5"), ("FloatMaxValue", "2.5"),
    ("StoredFormat", "1278226488"), ("NativeFormat", "1751411059"))
  package static let depth = apple(
    ("AuxiliaryImageType", "depth"), ("FloatMinValue", "1.0"), ("FloatMaxValue", "5"))
  package static let matte = apple(
    ("AuxiliaryImageType", "depth"), ("AuxiliaryImageSubType", "portraiteffectsmatte"),
    ("NativeFormat", "1278226488"))
  package static let skin = apple(
    ("AuxiliaryImageType", "depth"), ("AuxiliaryImageSubType", "semanticskinmatte"))
  package static let gainMap = apple(
    ("AuxiliaryImageType", "urn:com:apple:photo:2020:aux:hdrgainmap"))

  /// A photo of 32×48 with further pictures behind it, told of in an index.
  ///
  /// - Parameters:
  ///   - shift: what is added to every offset, for a broken index.
  ///   - segments: whole segments before the index.
  package static func multiPicture(
    _ further: [[UInt8]], bigEndian isBig: Bool = true, shift: Int = 0, types: [Int] = [],
    segments: [UInt8] = []
  ) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isBig ? bigEndian(value, count) : bigEndian(value, count).reversed()
    }
    func photo(_ offsets: [Int]) -> [UInt8] {
      var block = Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(3, 2)
      block += number(0xB000, 2) + number(7, 2) + number(4, 4) + Array("0100".utf8)
      block += number(0xB001, 2) + number(4, 2) + number(1, 4) + number(further.count + 1, 4)
      let list = 8 + 2 + 3 * 12 + 4
      block += number(0xB002, 2) + number(7, 2) + number(16 * (further.count + 1), 4)
      block += number(list, 4) + number(0, 4)
      // The first picture's length stops short, as telephones write it.
      block += number(0x030000, 4) + number(100, 4) + number(0, 4) + number(0, 4)
      for (index, offset) in offsets.enumerated() {
        block += number(index < types.count ? types[index] : 0, 4) + number(9, 4)
        block += number(offset + shift, 4) + number(0, 4)
      }
      return photograph(segments + TestJPEG.segment(0xE2, Array("MPF\0".utf8) + block))
    }
    let empty = photo(further.map { _ in 0 })
    let base = 2 + segments.count + 4 + 4  // the index's first byte
    var place = empty.count - base
    var offsets: [Int] = []
    for picture in further {
      offsets.append(place)
      place += picture.count
    }
    return photo(offsets) + further.joined()
  }

  /// 32×48, one colour.
  package static func photograph(_ segments: [UInt8] = [], value: UInt8 = 90) -> [UInt8] {
    TestJPEG(width: 32, height: 48, sampling: grey, segments: segments).encode { _, _, _ in value }
  }

  /// The GDepth properties of a depth picture.
  package static func depthProperties(
    _ picture: [UInt8], format: String = "RangeInverse", near: String = "2", far: String = "10"
  ) -> [(String, String)] {
    [
      ("GDepth:Format", format), ("GDepth:Near", near), ("GDepth:Far", far),
      ("GDepth:Mime", "image/png"), ("GDepth:Data", TestXMP.base64(picture)),
    ]
  }

  /// `blocks` as PNG of 2×3 pixels.
  package static func png(bits: Int = 8, color: TestPNG.Color = .rgba) -> [UInt8] {
    TestPNG(width: 2, height: 3, bits: bits, color: color).encode { x, y in
      let value = Int(blocks[y][x]) * (bits == 16 ? 257 : 1)
      let opaque = bits == 16 ? 65535 : 255
      return color == .grey ? [value] : [value, value, value, opaque]
    }
  }

  /// A photo with all its XMP in one packet.
  package static func plain(
    _ properties: [(String, String)], asElements: Bool = false, segments: [UInt8] = []
  ) -> [UInt8] {
    photograph(segments + TestXMP.segment(TestXMP.packet(properties, asElements: asElements)))
  }

  /// A photo with its data in extended XMP.
  ///
  /// - Parameter order: changes the segments and their order.
  package static func extended(
    _ properties: [(String, String)], piece: Int = 100,
    order: ([[UInt8]]) -> [[UInt8]] = { $0 }
  ) -> [UInt8] {
    let data = properties.filter { $0.0.hasSuffix("Data") }
    let main =
      properties.filter { !$0.0.hasSuffix("Data") } + [("xmpNote:HasExtendedXMP", TestXMP.guid)]
    let pieces = TestXMP.extended(TestXMP.packet(data), piece: piece)
    return photograph(
      TestXMP.segment(TestXMP.packet(main)) + Array(order(pieces).joined()))
  }
}

/// Writes photographs with Dynamic Depth.
package struct TestDynamicDepth {
  package typealias Properties = [(String, String)]

  /// Of the one depth map, without a prefix.
  package var map: Properties = [
    ("Format", "RangeInverse"), ("Near", "2"), ("Far", "10"), ("Units", "Meters"),
    ("DepthURI", "android/depthmap"),
  ]
  /// Further maps before it.
  package var others: [Properties] = []
  /// The items behind the photo, each with its bytes.
  package var items: [(properties: Properties, bytes: [UInt8])]
  /// Of the photo in the directory.
  package var photo: Properties = [
    ("Mime", "image/jpeg"), ("Length", "0"), ("DataURI", "primary_image"),
  ]
  package var padding: [UInt8] = []

  /// - Parameter pictures: behind the photo; the last is the depth.
  package init(_ pictures: [UInt8]...) {
    items = pictures.enumerated().map { index, bytes in
      let isDepth = index == pictures.count - 1
      return (
        [
          ("Mime", "image/jpeg"), ("Length", String(bytes.count)),
          ("DataURI", isDepth ? "android/depthmap" : "android/other\(index)"),
        ], bytes
      )
    }
  }

  /// The forms that writers give to a structure.
  package enum Form: Sendable, CaseIterable { case attributes, elements, values }

  /// Changes, adds or takes away a property.
  package static func set(_ name: String, _ value: String?, of properties: inout Properties) {
    properties.removeAll { $0.0 == name }
    if let value { properties.append((name, value)) }
  }

  package func structures(_ form: Form = .attributes) -> String {
    func structure(_ element: String, _ prefix: String, _ properties: Properties) -> String {
      let elements = properties.map { "<\(prefix):\($0)>\($1)</\(prefix):\($0)>" }.joined()
      switch form {
      case .attributes:
        let attributes = properties.map { " \(prefix):\($0)=\"\($1)\"" }.joined()
        return "<\(element)\(attributes)/>"
      case .elements: return "<\(element)>\(elements)</\(element)>"
      case .values:
        let resource = "rdf:parseType=\"Resource\""
        return prefix == "Item"
          ? "<rdf:value \(resource)>\(elements)</rdf:value>"
          : "<\(element) \(resource)>\(elements)</\(element)>"
      }
    }
    let directory = ([photo] + items.map { $0.properties })
      .map { "<rdf:li>\(structure("Container:Item", "Item", $0))</rdf:li>" }.joined()
    let cameras = (others + [map]).map {
      "<rdf:li><Device:Camera>\(structure("Camera:DepthMap", "DepthMap", $0))</Device:Camera></rdf:li>"
    }.joined()
    return "<Device:Container><Container:Directory><rdf:Seq>\(directory)</rdf:Seq>"
      + "</Container:Directory></Device:Container>"
      + "<Device:Cameras><rdf:Seq>\(cameras)</rdf:Seq></Device:Cameras>"
  }

  /// A photo of 32×48.
  ///
  /// - Parameter properties: beside Dynamic Depth.
  package func encode(
    _ form: Form = .attributes, segments: [UInt8] = [], beside properties: Properties = []
  ) -> [UInt8] {
    let packet = TestXMP.packet(properties, structures: structures(form))
    return TestPhoto.photograph(segments + TestXMP.segment(packet)) + padding
      + items.flatMap { $0.bytes }
  }

  /// The same with all but GUID in extended XMP.
  package func extended(piece: Int = 300) -> [UInt8] {
    let pieces = TestXMP.extended(TestXMP.packet([], structures: structures()), piece: piece)
    let main = TestXMP.packet([("xmpNote:HasExtendedXMP", TestXMP.guid)])
    return TestPhoto.photograph(TestXMP.segment(main) + Array(pieces.joined())) + padding
      + items.flatMap { $0.bytes }
  }
}
