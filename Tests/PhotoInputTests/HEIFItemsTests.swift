import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct HEIFItemsTests {
  static func items(_ bytes: [UInt8]) -> HEIFItems { HEIFItems(bytes.span.bytes) }

  @Test func whatTheTableSays() throws {
    let items = Self.items(
      TestHEIF([
        TestHEIC.photo(properties: [
          TestHEIF.crop(30, 40, -1, 2), TestHEIF.turn(1), TestHEIF.mirror(0),
        ]),
        TestHEIC.disparity, TestHEIC.exif(exifBlock()),
      ]).encode())
    #expect(items.primary == 1)
    let photo = try #require(items.items[1])
    #expect(photo.type == "hvc1" && photo.size == Size(width: 32, height: 48))
    let aperture = HEIFItems.CleanAperture(width: 30, height: 40, offsetX: -1, offsetY: 2)
    #expect(photo.steps == [.crop(aperture), .turn(.turnedRight), .turn(.flipped)])
    #expect(items.items[2]?.steps == [])
    #expect(items.items[3] == HEIFItems.Item(type: "Exif"))
    #expect(items.longSide == 48)
  }

  @Test func whatIsNoFileSaysNothing() {
    for bytes in [[], Array("once upon a time".utf8), box("meta", [0, 0, 0, 0])] {
      let items = Self.items(bytes)
      #expect(items.primary == nil && items.items.isEmpty && items.longSide == 0)
    }
    // A box that ends behind its parent, and one shorter than its header.
    #expect(
      Self.items(box("meta", [0, 0, 0, 0] + bigEndian(99, 4) + Array("pitm".utf8))).primary == nil)
    #expect(Self.items(bigEndian(4, 4) + Array("meta".utf8)).primary == nil)
  }

  @Test func theEndIsSeen() {
    let bytes = TestHEIC.portrait
    #expect(!Self.items(bytes).isCut)
    for count in [9, 40, 300, bytes.count - 1] { #expect(Self.items(Array(bytes[..<count])).isCut) }
  }

  static let plane = Plane(width: 6, height: 4, samples: Array(0..<24))

  @Test func crops() {
    func crop(_ width: Double, _ height: Double, _ x: Double, _ y: Double, of size: Size) -> Plane<
      Int
    > {
      let aperture = HEIFItems.CleanAperture(width: width, height: height, offsetX: x, offsetY: y)
      return [.crop(aperture)].applied(to: Self.plane, of: size)
    }
    let own = Self.plane.size
    #expect(crop(4, 2, 0, 0, of: own).samples == [7, 8, 9, 10, 13, 14, 15, 16])
    #expect(crop(2, 2, -2, 1, of: own).samples == [12, 13, 18, 19])
    #expect(crop(6, 4, 0, 0, of: own).samples == Self.plane.samples)
    // Of an image ten times as large, and of one that has nothing there.
    #expect(
      crop(40, 20, 0, 0, of: Size(width: 60, height: 40)).samples
        == crop(4, 2, 0, 0, of: own).samples)
    #expect(crop(2, 2, 1e9, -1e9, of: own).samples == [5])
    #expect(crop(0, 0, 0, 0, of: own).size == Size(width: 1, height: 1))
  }

  @Test func stepsFollowEachOther() {
    // Turning exchanges what "right" and "below" are.
    let aperture = HEIFItems.CleanAperture(width: 2, height: 6, offsetX: -1, offsetY: 0)
    let steps: [HEIFItems.Step] = [.turn(.turnedRight), .crop(aperture), .turn(.mirrored)]
    let turned = steps.applied(to: Self.plane, of: Self.plane.size)
    #expect(turned.samples == [11, 5, 10, 4, 9, 3, 8, 2, 7, 1, 6, 0])
    let turns = [steps[0], steps[2]]
    #expect(turns.orientation == steps.orientation)
    #expect(
      Self.plane.turnedUpright(from: steps.orientation).samples
        == turns.applied(to: Self.plane, of: Self.plane.size).samples)
    #expect([.turn(.turnedLeft), .turn(.turnedRight)].orientation == Orientation.upright)
  }
}
