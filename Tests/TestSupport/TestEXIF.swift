/// An EXIF block with an orientation and a focal length where they are given.
package func exifBlock(
  orientation: Int? = nil, focalLength35: Int? = nil, bigEndian isBig: Bool = true
) -> [UInt8] {
  func number(_ value: Int, _ count: Int) -> [UInt8] {
    isBig ? bigEndian(value, count) : bigEndian(value, count).reversed()
  }
  func short(_ tag: Int, _ value: Int) -> [UInt8] {
    number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
  }
  let main = (orientation == nil ? 0 : 1) + (focalLength35 == nil ? 0 : 1)
  var block = Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
  block += number(main, 2)
  if let orientation { block += short(0x0112, orientation) }
  if let focalLength35 {
    let details = 8 + 2 + 12 * main + 4
    block += number(0x8769, 2) + number(4, 2) + number(1, 4) + number(details, 4)
    block += number(0, 4) + number(1, 2) + short(0xA405, focalLength35)
  }
  return block + number(0, 4)
}
