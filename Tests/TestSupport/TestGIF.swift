/// Writes GIF files without compression: each code is an index, and the table is cleared before it
/// could grow the codes.
package struct TestGIF {
  package var width: Int
  package var height: Int
  /// R, G, B of 128 colours at most.
  package var palette: [[Int]]
  package var transparent: Int?
  /// Where on the screen the picture is: left, top, width, height; nil for the whole screen.
  package var place: [Int]?

  package init(width: Int, height: Int, palette: [[Int]]) {
    (self.width, self.height, self.palette) = (width, height, palette)
  }

  /// - Parameter index: of a pixel of the screen.
  package func encode(_ index: (_ x: Int, _ y: Int) -> Int) -> [UInt8] {
    func short(_ value: Int) -> [UInt8] { bigEndian(value, 2).reversed() }
    let place = place ?? [0, 0, width, height]
    // 7 bits a colour, 8 bits a code: codes are bytes.
    var codes: [UInt8] = []
    for y in place[1]..<place[1] + place[3] {
      for x in place[0]..<place[0] + place[2] {
        if codes.count % 101 == 0 { codes.append(0x80) }
        codes.append(UInt8(index(x, y)))
      }
    }
    codes.append(0x81)
    var file = Array("GIF89a".utf8) + short(width) + short(height) + [0xF6, 0, 0]
    for i in 0..<128 { file += (i < palette.count ? palette[i] : [0, 0, 0]).map { UInt8($0) } }
    if let transparent { file += [0x21, 0xF9, 4, 1, 0, 0, UInt8(transparent), 0] }
    file += [0x2C] + place.flatMap(short) + [0, 7]
    for start in stride(from: 0, to: codes.count, by: 255) {
      let part = codes[start..<min(start + 255, codes.count)]
      file += [UInt8(part.count)] + part
    }
    return file + [0, 0x3B]
  }
}
