import MotionCore
import TestSupport
import Testing

@testable import PhotoInput

@Suite struct PNMReaderTests {
  static func pam(_ depth: Int, _ most: Int, _ type: String) -> String {
    "P7\n# by hand\nWIDTH 2\nHEIGHT 1\nDEPTH \(depth)\nMAXVAL \(most)\nTUPLTYPE \(type)\nENDHDR\n"
  }

  @Test(
    arguments: [
      ("P1\n2 1\n1 0\n", [], [[0, 0, 0, 255], [255, 255, 255, 255]]),
      ("P2\n# grey\n2 1\n255\n7 200\n", [], [[7, 7, 7, 255], [200, 200, 200, 255]]),
      ("P3 2 1 255 1 2 3 4 5 6\n", [], [[1, 2, 3, 255], [4, 5, 6, 255]]),
      ("P4\n2 1\n", [0x80], [[0, 0, 0, 255], [255, 255, 255, 255]]),
      ("P5\n2 1\n255\n", [7, 200], [[7, 7, 7, 255], [200, 200, 200, 255]]),
      ("P5\n2 1\n65535\n", [1, 2, 3, 4], [[258, 258, 258, 65535], [772, 772, 772, 65535]]),
      ("P5\n2 1\n15\n", [15, 5], [[255, 255, 255, 255], [85, 85, 85, 255]]),
      ("P6\n2 1\n255\n", [1, 2, 3, 4, 5, 6], [[1, 2, 3, 255], [4, 5, 6, 255]]),
      (
        "P6\n2 1\n65535\n", [1, 0, 2, 0, 3, 0, 0, 4, 0, 5, 0, 6],
        [[256, 512, 768, 65535], [4, 5, 6, 65535]]
      ),
      (pam(2, 255, "GRAYSCALE_ALPHA"), [9, 8, 7, 6], [[9, 9, 9, 8], [7, 7, 7, 6]]),
      (pam(4, 255, "RGB_ALPHA"), [1, 2, 3, 4, 5, 6, 7, 8], [[1, 2, 3, 4], [5, 6, 7, 8]]),
    ] as [(String, [UInt8], [[Double]])])
  func everySort(header: String, data: [UInt8], pixels: [[Double]]) throws {
    let picture = try decode(Array(header.utf8) + data)
    #expect(picture.size == Size(width: 2, height: 1))
    #expect([picture[0, 0], picture[1, 0]] == pixels)
  }

  @Test(arguments: [
    (
      "P5\n60000 60000\n255\n",
      Problem.tooLarge(size: Size(width: 60000, height: 60000), maxPixels: 1_000_000)
    ),
    ("P6\n0 5\n255\n", .zeroSize(size: Size(width: 0, height: 5))),
    ("P5\n2 2\n255\nabc", .truncated(kind: "PNM")),
    ("P5\n2 2\n65535\nabcdefg", .truncated(kind: "PNM")),
    ("P6\n2", .truncated(kind: "PNM")),
    ("P5\nwide 2\n255\n", .damaged(kind: "PNM", detail: "header")),
    ("P5\n-2 2\n255\n", .damaged(kind: "PNM", detail: "header")),
    ("P5\n99999999999999999999999999999999999999 2\n", .damaged(kind: "PNM", detail: "header")),
    ("P7\nWIDTH 2\nENDHDR\n", .damaged(kind: "PNM", detail: "header")),
  ])
  func refused(text: String, problem: Problem) {
    #expect(throws: problem) { try decode(Array(text.utf8)) }
  }

  /// A comment that never ends is not searched for ever.
  @Test func headersAreBounded() {
    let bytes = Array("P5\n#".utf8) + [UInt8](repeating: 0x61, count: 200_000)
    #expect(throws: Problem.damaged(kind: "PNM", detail: "header")) { try decode(bytes) }
  }
}
