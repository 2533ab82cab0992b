/// A BMP of 24 bits a pixel without compression, rows from the bottom up.
package func testBMP(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> [Int]) -> [UInt8] {
  func little(_ value: Int, _ count: Int) -> [UInt8] { bigEndian(value, count).reversed() }
  let stride = (width * 3 + 3) / 4 * 4
  var rows: [UInt8] = []
  for y in (0..<height).reversed() {
    var row = (0..<width).flatMap { x in pixel(x, y).reversed().map { UInt8($0) } }
    row += [UInt8](repeating: 0, count: stride - row.count)
    rows += row
  }
  return Array("BM".utf8) + little(54 + rows.count, 4) + little(0, 4) + little(54, 4)
    + little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(24, 2)
    + little(0, 4) + little(rows.count, 4) + little(2835, 4) + little(2835, 4) + little(0, 8) + rows
}
