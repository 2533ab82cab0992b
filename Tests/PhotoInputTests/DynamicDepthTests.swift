import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

/// Photographs with the depth behind them, as Android writes them.
@Suite struct DynamicDepthTests {
  typealias Form = TestDynamicDepth.Form

  static func writer(_ change: (inout TestDynamicDepth) -> Void) -> TestDynamicDepth {
    var writer = TestDynamicDepth(TestPhoto.map())
    change(&writer)
    return writer
  }

  static func mapped(_ properties: (String, String?)...) -> TestDynamicDepth {
    writer { for (name, value) in properties { TestDynamicDepth.set(name, value, of: &$0.map) } }
  }

  @Test(arguments: EmbeddedTests.forms, Form.allCases)
  func rangeInverse(picture: EmbeddedTests.Form, form: Form) throws {
    let photo = try EmbeddedTests.file(TestDynamicDepth(picture.picture).encode(form))
    let depth = try #require(photo.depth)
    #expect(depth.kind == .disparity && !depth.nearIsWhite)
    #expect(depth.map.source == .embedded)
    // Z = far·near / (far − v·(far − near)) with near 2 and far 10.
    let expected = [0, 0.2, 0.4, 0.6, 0.8, 1].map { v in Float((10 - v * 8) / 20) }
    #expect(EmbeddedTests.isNear(EmbeddedTests.sixth(depth.map.disparity), expected))
    let isPNG = picture.picture[0] == 0x89
    #expect(depth.map.disparity.size == Size(width: isPNG ? 2 : 16, height: isPNG ? 3 : 24))
    #expect(photo.broken.isEmpty && photo.untold == nil && photo.matte == nil)
    #expect(photo.photo.size == Size(width: 32, height: 48))
  }

  @Test func rangeLinear() throws {
    let bytes = Self.mapped(("Format", "RangeLinear")).encode()
    let depth = try #require(try EmbeddedTests.file(bytes).depth)
    #expect(depth.kind == .metric && !depth.nearIsWhite)
    // Z = near + v·(far − near)
    let expected = [0, 0.2, 0.4, 0.6, 0.8, 1].map { v in Float(1 / (2 + v * 8)) }
    #expect(EmbeddedTests.isNear(EmbeddedTests.sixth(depth.map.disparity), expected))
  }

  struct Dioptres: Sendable {
    let format: String
    let near: Double
    let far: Double
    let nearIsWhite: Bool
    /// Inverse metres.
    let disparity: @Sendable (Double) -> Double
  }

  static let dioptres = [
    Dioptres(format: "RangeLinear", near: 4, far: 0, nearIsWhite: false) { 4 - 4 * $0 },
    Dioptres(format: "RangeLinear", near: 1, far: 3, nearIsWhite: true) { 1 + 2 * $0 },
    Dioptres(format: "RangeInverse", near: 4, far: 1, nearIsWhite: false) { 4 / (1 + 3 * $0) },
  ]

  @Test(arguments: dioptres.indices) func inverseMetres(index: Int) throws {
    let row = Self.dioptres[index]
    let bytes = Self.mapped(
      ("Format", row.format), ("Near", "\(row.near)"), ("Far", "\(row.far)"), ("Units", "Diopters")
    ).encode()
    let depth = try #require(try EmbeddedTests.file(bytes).depth)
    #expect(depth.nearIsWhite == row.nearIsWhite)
    let expected = [0, 0.2, 0.4, 0.6, 0.8, 1].map { Float(row.disparity($0)) }
    #expect(EmbeddedTests.isNear(EmbeddedTests.sixth(depth.map.disparity), expected))
  }

  @Test func extendedXMP() throws {
    let photo = try EmbeddedTests.file(TestDynamicDepth(TestPhoto.map()).extended())
    #expect(try #require(photo.depth).map.knownRange == 0.1...0.5)
    #expect(photo.broken.isEmpty)
  }

  /// The depth lies as the photo is stored, and is turned with it.
  @Test(arguments: Orientation.allCases) func orientation(orientation: Orientation) throws {
    let exif = TestJPEG.exif(exifBlock(orientation: orientation.rawValue))
    let photo = try EmbeddedTests.file(TestDynamicDepth(TestPhoto.map()).encode(segments: exif))
    let depth = try #require(photo.depth).map.disparity
    let stored = TestPhoto.blocks.flatMap { $0 }.map { v in Float((10 - Double(v) / 255 * 8) / 20) }
    let upright = Plane<Float>(width: 2, height: 3, samples: stored)
      .turnedUpright(from: orientation)
    #expect(EmbeddedTests.isNear(EmbeddedTests.sixth(depth), upright.samples))
    #expect((depth.width > depth.height) == orientation.transposes)
  }

  @Test func places() throws {
    // Behind other items and the photo's own padding; with bytes behind it.
    var writer = TestDynamicDepth(Array("another".utf8), TestPhoto.photograph(), TestPhoto.map())
    writer.padding = [0xFF, 0xD8, 0]
    TestDynamicDepth.set("Padding", "3", of: &writer.photo)
    TestDynamicDepth.set("Length", "1234567", of: &writer.photo)
    let photo = try EmbeddedTests.file(writer.encode() + [1, 2, 3])
    #expect(photo.depth?.map.knownRange == 0.1...0.5)
  }

  @Test func theMapAmongOthers() throws {
    let map = TestDynamicDepth(TestPhoto.map()).map
    let segmentation =
      map.map { ($0, $0 == "Far" ? "20" : $1) } + [("ItemSemantic", "Segmentation")]
    let both = Self.writer { $0.others = [segmentation] }
    #expect(try EmbeddedTests.file(both.encode()).depth?.map.knownRange == 0.1...0.5)
    let alone = try EmbeddedTests.file(Self.mapped(("ItemSemantic", "Segmentation")).encode())
    #expect(alone.depth == nil && alone.broken.isEmpty)
  }

  /// Before GDepth, which stands in for a broken one.
  @Test func precedence() throws {
    let beside = TestPhoto.depthProperties(TestPhoto.png(), near: "1", far: "4")
    let sound = TestDynamicDepth(TestPhoto.map()).encode(beside: beside)
    #expect(try EmbeddedTests.file(sound).depth?.map.knownRange == 0.1...0.5)
    let broken = Self.mapped(("Near", nil)).encode(beside: beside)
    let photo = try EmbeddedTests.file(broken)
    #expect(photo.depth?.map.knownRange == 0.25...1)
    #expect(photo.broken.isEmpty)
  }

  static func listed(_ name: String, _ value: String?) -> TestDynamicDepth {
    writer { TestDynamicDepth.set(name, value, of: &$0.items[0].properties) }
  }

  static let faults: [(String, TestDynamicDepth)] = [
    ("no format", mapped(("Format", nil))),
    ("another format", mapped(("Format", "Range"))),
    ("no near", mapped(("Near", nil))),
    ("near behind far", mapped(("Near", "11"))),
    ("near at the camera", mapped(("Near", "0"))),
    ("no number", mapped(("Far", "nan"))),
    ("dioptres without a range", mapped(("Near", "10"), ("Units", "Diopters"))),
    ("inverse of 0 dioptres", mapped(("Near", "0"), ("Units", "Diopters"))),
    ("infinite dioptres", mapped(("Far", "inf"), ("Units", "Diopters"))),
    ("no name", mapped(("DepthURI", nil))),
    ("another name", mapped(("DepthURI", "android/else"))),
    ("no directory", writer { $0.items = [] }),
    ("the photo as its depth", mapped(("DepthURI", "primary_image"))),
    ("negative length", listed("Length", "-1")),
    ("no length", listed("Length", nil)),
    ("length 0", listed("Length", "0")),
    ("a length that is none", listed("Length", "12k")),
    ("a length behind the file", listed("Length", "1000000")),
    ("the largest length", listed("Length", "\(Int.max)")),
    ("a length of many digits", listed("Length", String(repeating: "9", count: 40))),
    ("short", listed("Length", "100")),
    ("negative padding", writer { TestDynamicDepth.set("Padding", "-9", of: &$0.photo) }),
    ("large padding", writer { TestDynamicDepth.set("Padding", "\(Int.max)", of: &$0.photo) }),
    ("padding that is not there", writer { TestDynamicDepth.set("Padding", "9", of: &$0.photo) }),
    (
      "one before it reaches into it",
      {
        var writer = TestDynamicDepth(TestPhoto.photograph(), TestPhoto.map())
        let length = TestPhoto.photograph().count + 20
        TestDynamicDepth.set("Length", "\(length)", of: &writer.items[0].properties)
        return writer
      }()
    ),
    ("the file ends", writer { $0.items[0].bytes.removeLast(10) }),
    ("no picture", writer { $0.items[0].bytes = Array(repeating: 7, count: 900) }),
  ]

  /// What is broken is said, and the photo is read.
  @Test(arguments: faults.indices) func broken(index: Int) throws {
    let (name, writer) = Self.faults[index]
    let photo = try EmbeddedTests.file(writer.encode())
    #expect(photo.depth == nil, "\(name)")
    #expect(Array(photo.broken.keys) == [.depth], "\(name)")
    #expect(photo.photo.size == Size(width: 32, height: 48))
  }

  @Test func unsoundXMPIsTold() throws {
    var bytes = TestDynamicDepth(TestPhoto.map()).encode()
    let end = Array("</rdf:Seq>".utf8)
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: end) })
    bytes[place + 1] = UInt8(ascii: "x")
    #expect(
      try EmbeddedTests.file(bytes).broken
        == [.depth: .damaged(kind: "XMP", detail: "no sound XML")])
  }
}
