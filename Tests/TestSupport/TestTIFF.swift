/// Writes uncompressed TIFF files of any form without libtiff: an independent opinion.
package struct TestTIFF {
  package var width: Int
  package var height: Int
  package var bits = 8
  package var channels = 1
  /// 0 white is zero, 1 black is zero, 2 R, G, B, 5 inks.
  package var photometric = 1
  /// 1 whole numbers, 2 signed ones, 3 floats.
  package var sampleFormat = 1
  package var bigEndian = false
  package var isPlanar = false
  /// Sides of the tiles, multiples of 16; 0 for strips.
  package var tile = 0
  package var rowsPerStrip = 3
  package var orientation = 0
  /// What the sample behind the colour is: 1 alpha that is multiplied, 2 plain alpha; 0 not said.
  package var extra = 0
  /// A colour profile.
  package var profile: [UInt8] = []
  /// 1 for a reduced picture.
  package var subfile = 0

  package init(width: Int, height: Int, bits: Int = 8, channels: Int = 1, photometric: Int = 1) {
    (self.width, self.height, self.bits) = (width, height, bits)
    (self.channels, self.photometric) = (channels, photometric)
  }

  /// - Parameter sample: the bit pattern of a sample.
  package func encode(_ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int) -> [UInt8] {
    let (blockWidth, blockHeight) = tile > 0 ? (tile, tile) : (width, rowsPerStrip)
    var data: [UInt8] = []
    var offsets: [Int] = []
    for plane in isPlanar ? Array(0..<channels) : [-1] {
      for top in stride(from: 0, to: height, by: blockHeight) {
        for left in stride(from: 0, to: width, by: blockWidth) {
          offsets.append(8 + data.count)
          let bottom = tile > 0 ? top + tile : min(top + blockHeight, height)
          for y in top..<bottom {
            for x in left..<left + blockWidth {
              for channel in plane < 0 ? Array(0..<channels) : [plane] {
                let isInside = x < width && y < height
                data += number(isInside ? sample(x, y, channel) : 0, bits / 8)
              }
            }
          }
        }
      }
    }
    let ends = offsets.dropFirst() + [8 + data.count]
    let counts = zip(offsets, ends).map { $1 - $0 }

    var tags: [(tag: Int, type: Int, values: [Int])] = [
      (256, 4, [width]), (257, 4, [height]), (258, 3, Array(repeating: bits, count: channels)),
      (259, 3, [1]), (262, 3, [photometric]), (277, 3, [channels]),
      (284, 3, [isPlanar ? 2 : 1]), (339, 3, Array(repeating: sampleFormat, count: channels)),
    ]
    tags +=
      tile > 0
      ? [(322, 3, [tile]), (323, 3, [tile]), (324, 4, offsets), (325, 4, counts)]
      : [(273, 4, offsets), (278, 4, [rowsPerStrip]), (279, 4, counts)]
    if orientation > 0 { tags.append((274, 3, [orientation])) }
    if extra > 0 { tags.append((338, 3, [extra])) }
    if !profile.isEmpty { tags.append((34675, 7, profile.map(Int.init))) }
    if subfile > 0 { tags.append((254, 4, [subfile])) }
    tags.sort { $0.tag < $1.tag }

    let directory = 8 + data.count
    var behind: [UInt8] = []
    var entries: [UInt8] = []
    for (tag, type, values) in tags {
      let size = type == 3 ? 2 : type == 7 ? 1 : 4
      var body = values.flatMap { number($0, size) }
      if body.count > 4 {
        let place = directory + 2 + 12 * tags.count + 4 + behind.count
        behind += body
        body = number(place, 4)
      }
      body += [UInt8](repeating: 0, count: 4 - body.count)
      entries += number(tag, 2) + number(type, 2) + number(values.count, 4) + body
    }
    return Array((bigEndian ? "MM" : "II").utf8) + number(42, 2) + number(directory, 4) + data
      + number(tags.count, 2) + entries + number(0, 4) + behind
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return bigEndian ? bytes : bytes.reversed()
  }
}
