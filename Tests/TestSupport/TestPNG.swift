/// Writes PNG files of any form, uncompressed, without libpng: an independent opinion.
package struct TestPNG {
  package enum Color: UInt8 {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyAlpha = 4
    case rgba = 6

    package var channels: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  package var width: Int
  package var height: Int
  package var bits = 8
  package var color = Color.rgba
  package var isInterlaced = false
  package var palette: [UInt8] = []
  package var transparency: [UInt8] = []
  package var exif: [UInt8] = []
  /// Further chunks, behind the header.
  package var chunks: [(type: String, body: [UInt8])] = []

  package init(
    width: Int, height: Int, bits: Int = 8, color: Color = .rgba, isInterlaced: Bool = false,
    palette: [UInt8] = [], transparency: [UInt8] = [], exif: [UInt8] = []
  ) {
    (self.width, self.height, self.bits, self.color) = (width, height, bits, color)
    self.isInterlaced = isInterlaced
    (self.palette, self.transparency, self.exif) = (palette, transparency, exif)
  }

  /// - Parameter sample: the channels of a pixel, each below 2 to the power of `bits`.
  package func encode(_ sample: (_ x: Int, _ y: Int) -> [Int]) -> [UInt8] {
    var data: [UInt8] = []
    let whole = [(x: 0, y: 0, dx: 1, dy: 1)]
    let adam7: [(x: Int, y: Int, dx: Int, dy: Int)] = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
      (1, 0, 2, 2), (0, 1, 1, 2),
    ]
    for pass in isInterlaced ? adam7 : whole where pass.x < width {
      for y in stride(from: pass.y, to: height, by: pass.dy) {
        data.append(0)  // no filter
        let row = stride(from: pass.x, to: width, by: pass.dx).flatMap { sample($0, y) }
        data += pack(row)
      }
    }
    var file = head()
    for (type, body) in chunks { file += chunk(type, body) }
    if !palette.isEmpty { file += chunk("PLTE", palette) }
    if !transparency.isEmpty { file += chunk("tRNS", transparency) }
    if !exif.isEmpty { file += chunk("eXIf", exif) }
    return file + chunk("IDAT", Self.zlib(data)) + chunk("IEND", [])
  }

  /// A file whose data is that of no pixel, whatever its header says.
  package func encodeHeaderOnly() -> [UInt8] {
    head() + chunk("IDAT", Self.zlib([])) + chunk("IEND", [])
  }

  private func head() -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk(
        "IHDR",
        bigEndian(width, 4) + bigEndian(height, 4)
          + [UInt8(bits), color.rawValue, 0, 0, isInterlaced ? 1 : 0])
  }

  private func pack(_ samples: [Int]) -> [UInt8] {
    switch bits {
    case 16: return samples.flatMap { bigEndian($0, 2) }
    case 8: return samples.map { UInt8($0) }
    default:
      let perByte = 8 / bits
      return stride(from: 0, to: samples.count, by: perByte).map { start in
        (0..<perByte).reduce(UInt8(0)) { byte, index in
          let value = start + index < samples.count ? UInt8(samples[start + index]) : 0
          return byte << UInt8(bits) | value
        }
      }
    }
  }

  private func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + body
    return bigEndian(body.count, 4) + content + bigEndian(Int(Self.crc(content)), 4)
  }

  static func zlib(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65535, data.count)
      let count = UInt16(end - start)
      stream.append(end == data.count ? 1 : 0)
      for value in [count, ~count] { stream += [UInt8(value & 255), UInt8(value >> 8)] }
      stream += data[start..<end]
      start = end
    } while start < data.count
    var (a, b) = (1, 0)
    for byte in data {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return stream + bigEndian(b << 16 | a, 4)
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }
}

/// The lowest `count` bytes of a number, the highest first.
package func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
