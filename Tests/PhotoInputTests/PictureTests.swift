import MotionCore
import Testing

@testable import PhotoInput

@Suite struct PictureTests {
  static func eight(_ pixels: [SIMD4<UInt8>], hasAlpha: Bool = false) -> Picture {
    let plane = Plane(width: pixels.count, height: 1, samples: pixels)
    return Picture(stored: .eight(plane), kind: "test", hasAlpha: hasAlpha)
  }

  static func sixteen(_ pixels: [SIMD4<UInt16>], hasAlpha: Bool = false) -> Picture {
    let plane = Plane(width: pixels.count, height: 1, samples: pixels)
    return Picture(stored: .sixteen(plane), kind: "test", hasAlpha: hasAlpha)
  }

  @Test func photoKeepsItsDepth() throws {
    guard case .eight(let eight) = try Self.eight([[1, 2, 3, 255]]).photo().samples,
      case .sixteen(let sixteen) = try Self.sixteen([[1, 2, 3, 65535]]).photo().samples
    else {
      Issue.record("other samples")
      return
    }
    #expect(eight[0, 0] == [1, 2, 3, 255])
    #expect(sixteen[0, 0] == [1, 2, 3, 65535])
  }

  @Test(arguments: [
    (eight([[1, 2, 3, 255]]), false), (eight([[1, 2, 3, 255]], hasAlpha: true), false),
    (eight([[1, 2, 3, 255], [1, 2, 3, 254]], hasAlpha: true), true),
    (eight([[1, 2, 3, 0]], hasAlpha: true), true),
    (sixteen([[1, 2, 3, 65535]], hasAlpha: true), false),
    (sixteen([[1, 2, 3, 255]], hasAlpha: true), true),
  ])
  func alphaThatMeansSomething(picture: Picture, hasAlpha: Bool) throws {
    #expect(try picture.photo().hasAlpha == hasAlpha)
  }

  @Test func photoTellsWhatEXIFSaid() throws {
    var exif = EXIF()
    exif.orientation = .turnedLeft
    exif.focalLength35 = 26
    let stored = Plane<SIMD4<UInt8>>(width: 3, height: 2, repeating: [9, 9, 9, 255])
    let photo = try Picture(stored: .eight(stored), kind: "test", exif: exif).photo()
    #expect(photo.size == Size(width: 2, height: 3))
    #expect(photo.orientation == 6)
    #expect(photo.focalLength35 == 26)
  }

  @Test func depthIsAFraction() throws {
    #expect(
      try Self.eight([[0, 0, 0, 255], [51, 51, 51, 255], [255, 255, 255, 255]]).depth().samples
        == [0, 0.2, 1])
    #expect(
      try Self.sixteen([[1, 1, 1, 65535], [65535, 65535, 65535, 65535]]).depth().samples
        == [Float(1) / 65535, 1])
  }

  @Test func depthUnderNoAlphaIsUnknown() throws {
    let depth = try Self.eight([[5, 5, 5, 0], [255, 255, 255, 1]], hasAlpha: true).depth().samples
    #expect(depth[0].isNaN)
    #expect(depth[1] == 1)
  }

  @Test func greyToWithinATolerance() throws {
    #expect(try Self.eight([[100, 102, 99, 255]]).depth().samples == [Float(102) / 255])
    #expect(throws: Problem.coloured(role: .depth)) {
      try Self.eight([[9, 9, 9, 255], [100, 104, 99, 255]]).depth()
    }
    #expect(throws: Problem.coloured(role: .matte)) {
      try Self.sixteen([[0, 1024, 0, 65535]]).matte()
    }
  }

  @Test(
    arguments: [
      (eight([[0, 0, 0, 255], [255, 255, 255, 255]]), [0, 1]),
      // Alpha that is the same everywhere says nothing.
      (eight([[0, 0, 0, 0], [255, 255, 255, 0]], hasAlpha: true), [0, 1]),
      (eight([[9, 80, 7, 0], [255, 0, 255, 51]], hasAlpha: true), [0, 0.2]),
      (sixteen([[9, 80, 7, 0], [255, 0, 255, 65535]], hasAlpha: true), [0, 1]),
    ] as [(Picture, [Float])])
  func matte(picture: Picture, coverage: [Float]) throws {
    #expect(try picture.matte().samples == coverage)
  }

  @Test func floats() throws {
    let values: [Float] = [-1, 0.5, .infinity, .nan]
    let picture = Picture(
      stored: .float(Plane(width: 4, height: 1, samples: values)), kind: "test")
    #expect(try picture.matte().samples == [0, 0.5, 1, 0])
    #expect(try picture.depth().samples[..<3] == values[..<3])
    #expect(throws: Problem.notAPhoto(kind: "test")) { try picture.photo() }
  }
}
