/// Writes HEVC pictures without loss: every block is raw samples ("PCM"), and a slice of its own, so
/// that the arithmetic coder always codes the same few decisions and its output is a constant.
///
/// Source: ITU-T H.265: 7.3 (syntax), 9.3 (the coder), 8.4.4.1 (PCM).
package struct TestHEVC {
  /// What the samples of a component are.
  package enum Chroma: Int {
    case grey = 0
    case yuv420
  }

  /// Side of a block in luma samples; width and height are multiples of it.
  package static let block = 16

  package let width: Int
  package let height: Int
  package let bits: Int
  package let chroma: Chroma

  package init(width: Int, height: Int, bits: Int = 8, chroma: Chroma = .grey) {
    precondition(width % Self.block == 0 && height % Self.block == 0)
    (self.width, self.height, self.bits, self.chroma) = (width, height, bits, chroma)
  }

  /// The slices, each behind its length, as an item of a HEIF file has them.
  ///
  /// - Parameter sample: component, x, y in that component; below 2 to the power of `bits`.
  package func encode(_ sample: (_ component: Int, _ x: Int, _ y: Int) -> Int) -> [UInt8] {
    let (columns, rows) = (width / Self.block, height / Self.block)
    let count = columns * rows
    let addressBits = count > 1 ? (count - 1).bitWidth - (count - 1).leadingZeroBitCount : 0
    return (0..<count).flatMap { address in
      var header = Bits()
      header.write(address == 0 ? 1 : 0, 1)  // the first slice of the picture
      header.write(0, 1)  // pictures before it may be shown
      header.golomb(0)  // PPS
      if address > 0 { header.write(address, addressBits) }
      header.golomb(2)  // intra
      header.golomb(0)  // QP as in the PPS: 26
      header.end()
      // One partition (a probable decision, which leaves the range at 270) and PCM (terminating).
      var slice = header.bytes + [0x86, 0x80]
      var samples = Bits()
      for component in 0..<(chroma == .grey ? 1 : 3) {
        let side = component == 0 ? Self.block : Self.block / 2
        for y in 0..<side {
          for x in 0..<side {
            samples.write(
              sample(component, address % columns * side + x, address / columns * side + y), bits)
          }
        }
      }
      slice += samples.bytes
      slice += [0xFE, 0x80]  // the coder begins anew and ends: the last block of the slice
      let unit = Self.unit(19, slice)  // IDR
      return bigEndian(unit.count, 4) + unit
    }
  }

  /// The body of an `hvcC` box: what a decoder must know beforehand.
  package var configuration: [UInt8] {
    var bytes: [UInt8] = [1] + profile
    bytes += [0xF0, 0, 0xFC, 0xFC | UInt8(chroma.rawValue)]
    bytes += [0xF8 | UInt8(bits - 8), 0xF8 | UInt8(bits - 8), 0, 0, 0x0F, 3]
    for (type, unit) in [(32, videoParameters), (33, sequenceParameters), (34, pictureParameters)] {
      bytes += [0x80 | UInt8(type), 0, 1] + bigEndian(unit.count, 2) + unit
    }
    return bytes
  }

  /// Range extensions, level 3.1.
  private var profile: [UInt8] { [4, 0x08, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93] }

  private var videoParameters: [UInt8] {
    var unit = Bits()
    unit.write(0, 4)
    unit.write(3, 2)  // the base layer is here
    unit.write(0, 6)
    unit.write(0, 3)
    unit.write(1, 1)
    unit.write(0xFFFF, 16)
    for byte in profile { unit.write(Int(byte), 8) }
    unit.write(1, 1)
    for _ in 0..<3 { unit.golomb(0) }  // buffers, order, latency
    unit.write(0, 6)
    unit.golomb(0)
    unit.write(0, 2)
    unit.end()
    return Self.unit(32, unit.bytes)
  }

  private var sequenceParameters: [UInt8] {
    var unit = Bits()
    unit.write(0, 4)
    unit.write(0, 3)
    unit.write(1, 1)
    for byte in profile { unit.write(Int(byte), 8) }
    unit.golomb(0)
    unit.golomb(chroma.rawValue)
    unit.golomb(width)
    unit.golomb(height)
    unit.write(0, 1)  // no window
    unit.golomb(bits - 8)
    unit.golomb(bits - 8)
    unit.golomb(0)
    unit.write(1, 1)
    for _ in 0..<3 { unit.golomb(0) }  // buffers, order, latency
    unit.golomb(1)  // coding blocks of 16 …
    unit.golomb(0)  // … and no larger
    unit.golomb(0)  // transform blocks of 4 …
    unit.golomb(2)  // … to 16
    unit.golomb(0)
    unit.golomb(0)
    unit.write(0, 3)  // no scaling lists, no asymmetric partitions, no offsets
    unit.write(1, 1)  // PCM
    unit.write(bits - 1, 4)
    unit.write(bits - 1, 4)
    unit.golomb(1)  // in blocks of 16 …
    unit.golomb(0)  // … and no larger
    unit.write(1, 1)  // not filtered
    unit.golomb(0)
    unit.write(0, 3)  // no long-term references, no motion vectors, no smoothing
    unit.write(0, 2)  // no usability information, no extension
    unit.end()
    return Self.unit(33, unit.bytes)
  }

  private var pictureParameters: [UInt8] {
    var unit = Bits()
    unit.golomb(0)
    unit.golomb(0)
    unit.write(0, 1 + 1 + 3 + 1 + 1)
    unit.golomb(0)
    unit.golomb(0)
    unit.golomb(0)  // QP 26
    unit.write(0, 3)
    unit.golomb(0)
    unit.golomb(0)
    unit.write(0, 7)
    unit.write(0b101, 3)  // deblocking: told here, and not done
    unit.write(0, 2)
    unit.golomb(0)
    unit.write(0, 2)
    unit.end()
    return Self.unit(34, unit.bytes)
  }

  /// A NAL unit: its type, and bytes among which nothing looks like the start of another.
  static func unit(_ type: Int, _ bytes: [UInt8]) -> [UInt8] {
    var unit: [UInt8] = [UInt8(type << 1), 1]
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte <= 3 {
        unit.append(3)
        zeros = 0
      }
      unit.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return unit
  }
}

/// Bits, the highest of a byte first.
struct Bits {
  private(set) var bytes: [UInt8] = []
  private var free = 0

  mutating func write(_ value: Int, _ count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      free -= 1
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(free)
    }
  }

  /// Exponential Golomb code of a number that is not negative.
  mutating func golomb(_ value: Int) {
    let length = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
    write(0, length - 1)
    write(value + 1, length)
  }

  /// A one, and zeros to the end of the byte.
  mutating func end() {
    write(1, 1)
    free = 0
  }
}
