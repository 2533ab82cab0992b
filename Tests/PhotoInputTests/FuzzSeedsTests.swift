import Foundation
import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

/// What the fuzzer starts from: small sound inputs of each target, by the tests' own writers.
@Suite struct FuzzSeedsTests {
  /// By target, as `Fuzz/Targets.swift` names them. `WRITE_FUZZ_SEEDS=1` writes them anew.
  static let seeds: [(target: String, files: [[UInt8]])] = [
    (
      "exif",
      [true, false].map { exifBlock(orientation: 6, focalLength35: 35, bigEndian: $0) }
    ),
    (
      "mpf",
      [true, false].map { isBig in
        let photo = TestPhoto.multiPicture([TestPhoto.map()], bigEndian: isBig)
        let file = try! JPEGFile(photo.span.bytes, maxPixels: 10_000)
        let segment = file.segments.first { $0.marker == JPEGFile.Marker.app2 }!
        return Array(photo[segment.body.dropFirst(4)])
      }
    ),
    ("xmp", packets),
    (
      "dynamic-depth",
      [
        lines(TestDynamicDepth(TestPhoto.png(color: .grey), TestPhoto.map())),
        lines(
          DynamicDepthTests.mapped(
            ("Format", "RangeLinear"), ("Near", "4"), ("Far", "0"), ("Units", "Diopters"))),
      ]
    ),
    ("jpeg", EmbeddedTests.sound),
    (
      "pfm",
      ["Pf", "PF"].map { Array("\($0)\n2 1\n1.0\n".utf8) + [UInt8](repeating: 63, count: 24) }
    ),
    (
      "npy",
      [
        TestNPY.encode("<f4", [2, 3], bits: [0, 1, 2, 3, 4, 5]),
        TestNPY.encode(">f2", [1, 2, 3], version: 2, bits: [0, 1, 2, 3, 4, 5]),
        TestNPY.encode("|u1", [2, 3, 1], version: 3, bits: [0, 1, 2, 3, 4, 5]),
      ]
    ),
    (
      "photo",
      EmbeddedTests.sound + EmbeddedTests.forms.map { $0.picture }
        // From the last, since the first are there with a trait only.
        + soundFiles.reversed().map { $0.bytes }.filter { $0.count < 6000 }
    ),
  ]

  /// Dynamic Depth as its target takes it.
  static func lines(_ writer: TestDynamicDepth) -> [UInt8] {
    func values(_ properties: TestDynamicDepth.Properties, _ names: String...) -> [String] {
      names.map { name in properties.first { $0.0 == name }?.1 ?? "" }
    }
    let map = values(writer.map, "Format", "Near", "Far", "Units", "DepthURI", "ItemSemantic")
    let items = ([writer.photo] + writer.items.map { $0.properties })
      .flatMap { values($0, "Length", "Padding", "DataURI") }
    return Array((map + items).joined(separator: "\n").utf8) + [0]
      + writer.items.flatMap { $0.bytes }
  }

  static let packets: [[UInt8]] =
    [true, false].flatMap { asElements in
      let depth = TestPhoto.depthProperties(TestPhoto.png(color: .grey))
      return [
        TestXMP.packet(depth, asElements: asElements),
        TestXMP.packet([("GImage:Data", TestXMP.base64(TestPhoto.photograph()))]),
        TestXMP.packet(
          [
            ("apdi:AuxiliaryImageType", "disparity"), ("apdi:FloatMinValue", "0.5"),
            ("apdi:FloatMaxValue", "2"), ("apdi:NativeFormat", "1751411059"),
          ], asElements: asElements),
      ]
    }
    + TestDynamicDepth.Form.allCases.map { form in
      TestXMP.packet([], structures: TestDynamicDepth(TestPhoto.map()).structures(form))
    }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(components: "..", "..", "Fuzz", "Corpus").standardized

  @Test(arguments: seeds.indices) func areInTheCorpus(index: Int) throws {
    let (target, files) = Self.seeds[index]
    let folder = Self.folder.appending(component: target)
    if ProcessInfo.processInfo.environment["WRITE_FUZZ_SEEDS"] != nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (number, bytes) in files.enumerated() {
        try Data(bytes).write(to: folder.appending(component: "seed-\(number)"))
      }
    }
    for (number, bytes) in files.enumerated() {
      let file = try Data(contentsOf: folder.appending(component: "seed-\(number)"))
      #expect(Array(file) == bytes, "\(target) \(number)")
    }
  }
}
