import TestSupport
import Testing

@testable import PhotoInput

@Suite struct InputKindTests {
  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], "PNG"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG"),
      (Array("Pf\n1 1\n-1\n".utf8), "PFM"),
      (Array("PF 1 1".utf8), "PFM"),
      (Array("Pfund".utf8), nil),
      (Array("P5\n1 1\n255\n".utf8), "PNM"),
      (Array("P1#by hand\n1 1\n0\n".utf8), "PNM"),
      (Array("P7\nWIDTH 1\n".utf8), "PNM"),
      (Array("P7 332\n".utf8), nil),
      (Array("P8\n1 1\n255\n".utf8), nil),
      (Array("GIF89a".utf8), "GIF"),
      (Array("GIF90a".utf8), nil),
      (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "WebP"),
      (Array("RIFF\0\0\0\0WAVEfmt ".utf8), nil),
      ([0x49, 0x49, 42, 0, 8, 0, 0, 0], "TIFF"),
      ([0x4D, 0x4D, 0, 42, 0, 0, 0, 8], "TIFF"),
      ([0x49, 0x49, 43, 0, 8, 0, 0, 0], "TIFF"),
      (Array(testBMP(width: 1, height: 1) { _, _ in [1, 2, 3] }.prefix(20)), "BMP"),
      (Array("BMW is no picture, whatever it may be".utf8), nil),
      ([0x93] + Array("NUMPY\u{1}\0".utf8), "NPY"),
      (box("ftyp", Array("heic\0\0\0\0mif1heic".utf8)), "HEIC"),
      (box("ftyp", Array("heix\0\0\0\0".utf8)), "HEIC"),
      (box("ftyp", Array("mif1\0\0\0\0".utf8)), "HEIC"),
      (box("ftyp", Array("mif1\0\0\0\0mif1avif".utf8)), "AVIF"),
      (box("ftyp", Array("avis\0\0\0\0msf1".utf8)), "AVIF"),
      (box("ftyp", Array("isom\0\0\0\0mp42avc1".utf8)), nil),
      (box("ftyp", Array("qt  \0\0\0\0".utf8)) + Array("heicheic".utf8), nil),
      (Array("ftypheic".utf8), nil),
      ([0x89, 0x50, 0x4E, 0x47], nil),
      ([0xFF, 0xD8], nil),
      ([], nil),
    ] as [([UInt8], String?)])
  func byContent(head: [UInt8], name: String?) {
    let kind = InputKind.of(head.span.bytes)
    #expect(kind?.name == name)
  }

  @Test func namesAreDistinct() {
    #expect(Set(InputKind.all.map(\.name)).count == InputKind.all.count)
  }

  @Test func everyKindIsTested() {
    for kind in InputKind.all where !leftOut.contains(kind.name) {
      #expect(soundFiles.contains { $0.name == kind.name })
    }
  }

  /// A cut file is an error or, where only what nobody needs is missing, the whole picture.
  @Test(arguments: soundFiles.indices) func cutAnywhere(index: Int) throws {
    let file = soundFiles[index].bytes
    let whole = try decode(file).values
    let cuts = Set(stride(from: 0, to: file.count, by: 97)).union([1, 2, 3, 9, 24, file.count - 1])
    for count in cuts {
      guard let picture = try? decode(Array(file[..<count])) else { continue }
      #expect(picture.values.elementsEqual(whole) { $0 == $1 || ($0.isNaN && $1.isNaN) })
    }
  }

  /// The same with the end put back, which fools whoever looks for the end only.
  @Test(arguments: soundFiles.indices) func cutBeforeTheEnd(index: Int) throws {
    let (name, file) = soundFiles[index]
    guard name.hasPrefix("JPEG") else { return }
    for count in stride(from: file.count / 2, to: file.count - 40, by: 37) {
      #expect(throws: Problem.self, "\(name) cut at \(count) of \(file.count)") {
        try decode(Array(file[..<count]) + [0xFF, 0xD9])
      }
    }
  }

  @Test(arguments: soundFiles.indices) func damagedAnywhere(index: Int) {
    let file = soundFiles[index].bytes
    var noise = Noise()
    for _ in 0..<300 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...4, using: &noise) {
        bytes[Int.random(in: 0..<bytes.count, using: &noise)] = UInt8.random(
          in: 0...255, using: &noise)
      }
      _ = try? decode(bytes)  // whatever comes of it, the process lives
    }
  }
}
