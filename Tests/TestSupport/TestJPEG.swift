/// Writes JPEG files of flat 8×8 blocks: any subsampling, any number of components, no tool needed.
package struct TestJPEG {
  package struct Sampling: Sendable, Hashable {
    package var h: Int
    package var v: Int

    package init(h: Int, v: Int) { (self.h, self.v) = (h, v) }
  }

  package var width: Int
  package var height: Int
  /// One a component.
  package var sampling: [Sampling]
  /// 0xC0 baseline, 0xC2 progressive: one scan of the mean values.
  package var frame: UInt8 = 0xC0
  /// MCUs between restart markers, or 0.
  package var restart = 0
  /// Component identifiers; 1, 2, 3… where empty.
  package var identifiers: [UInt8] = []
  /// Whole segments behind the start marker.
  package var segments: [UInt8] = []

  package init(
    width: Int, height: Int, sampling: [Sampling], frame: UInt8 = 0xC0, restart: Int = 0,
    identifiers: [UInt8] = [], segments: [UInt8] = []
  ) {
    (self.width, self.height, self.sampling) = (width, height, sampling)
    (self.frame, self.restart) = (frame, restart)
    (self.identifiers, self.segments) = (identifiers, segments)
  }

  package static let yuv420 = [Sampling(h: 2, v: 2), Sampling(h: 1, v: 1), Sampling(h: 1, v: 1)]

  /// - Parameter sample: the value of a component's block whose middle is at a place of the picture.
  package func encode(_ sample: (_ component: Int, _ x: Int, _ y: Int) -> UInt8) -> [UInt8] {
    let ids = identifiers.isEmpty ? sampling.indices.map { UInt8($0 + 1) } : identifiers
    var file: [UInt8] = [0xFF, 0xD8] + segments
    file += Self.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    file += Self.segment(
      frame,
      [8] + bigEndian(height, 2) + bigEndian(width, 2) + [UInt8(sampling.count)]
        + zip(ids, sampling).flatMap { [$0, UInt8($1.h << 4 | $1.v), 0] })
    // Of the mean values: twelve categories with four bits each. Of the rest: "end of block" alone.
    file += Self.segment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0..<12))
    file += Self.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    if restart > 0 { file += Self.segment(0xDD, bigEndian(restart, 2)) }
    file += Self.segment(
      0xDA,
      [UInt8(sampling.count)] + ids.flatMap { [$0, 0x00] }
        + [0, frame == 0xC2 ? 0 : 63, 0])
    return file + scan(sample) + [0xFF, 0xD9]
  }

  package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(body.count + 2, 2) + body
  }

  package static func exif(_ block: [UInt8]) -> [UInt8] {
    segment(0xE1, Array("Exif\0\0".utf8) + block)
  }

  /// Adobe's segment; transform 0 is RGB or CMYK, 1 Y'CbCr, 2 YCCK.
  package static func adobe(transform: UInt8) -> [UInt8] {
    segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
  }

  private func scan(_ sample: (_ component: Int, _ x: Int, _ y: Int) -> UInt8) -> [UInt8] {
    let (maxH, maxV) = (sampling.map(\.h).max()!, sampling.map(\.v).max()!)
    let columns = (width + 8 * maxH - 1) / (8 * maxH)
    let rows = (height + 8 * maxV - 1) / (8 * maxV)
    var writer = BitWriter()
    var last = [Int](repeating: 0, count: sampling.count)
    for mcu in 0..<(rows * columns) {
      if restart > 0, mcu > 0, mcu % restart == 0 {
        writer.restart(mcu / restart - 1)
        last = [Int](repeating: 0, count: sampling.count)
      }
      for (component, size) in sampling.enumerated() {
        let (w, h) = (8 * maxH / size.h, 8 * maxV / size.v)
        for block in 0..<(size.h * size.v) {
          let x = (mcu % columns * size.h + block % size.h) * w + w / 2
          let y = (mcu / columns * size.v + block / size.h) * h + h / 2
          let mean = 8 * (Int(sample(component, x, y)) - 128)
          let change = mean - last[component]
          last[component] = mean
          let category = Int.bitWidth - change.magnitude.leadingZeroBitCount
          writer.put(category, 4)
          writer.put(change < 0 ? change + 1 << category - 1 : change, category)
          if frame != 0xC2 { writer.put(0, 1) }
        }
      }
    }
    return writer.finish()
  }

  private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending = 0
    private var count = 0

    mutating func put(_ value: Int, _ bits: Int) {
      for bit in (0..<bits).reversed() {
        pending = pending << 1 | (value >> bit & 1)
        count += 1
        guard count == 8 else { continue }
        bytes.append(UInt8(pending))
        if pending == 0xFF { bytes.append(0) }
        (pending, count) = (0, 0)
      }
    }

    mutating func restart(_ index: Int) {
      while count != 0 { put(1, 1) }
      bytes += [0xFF, 0xD0 + UInt8(index % 8)]
    }

    mutating func finish() -> [UInt8] {
      while count != 0 { put(1, 1) }
      return bytes
    }
  }
}
