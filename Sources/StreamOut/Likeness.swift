internal import MotionCore

/// What a frame looks like from afar: the mean luma of eight by eight cells, row by row from the upper
/// left. Encoding leaves it nearly as it was, so that it tells frames of a film apart where their bytes
/// are no longer the same.
public struct Likeness: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Cells of a row, and rows.
  static let side = 8

  /// How many codes of 255 a cell may differ, beyond what encoding has changed, for two pictures to be
  /// taken for the same. Neighbours in a slow move are.
  static let tolerance = 4

  private let cells: [UInt8]

  /// Of the luma of a frame with eight bits a sample, whose picture is cut to a size.
  init(_ frame: Frame, size: Size) {
    precondition(frame.format.pixelFormat.planes[0].components == [.luma])
    precondition(frame.format.pixelFormat.bitDepth == 8)
    self = frame.withUnsafeBytes { bytes in
      let width = frame.format.size.width
      return Likeness(size) { y, row in
        for x in row.indices { row[x] = UInt32(bytes[y * width + x]) }
      }
    }
  }

  /// - Parameter readRow: lays a row's luma, as codes of eight bits, into the buffer.
  init(_ size: Size, readRow: (Int, UnsafeMutableBufferPointer<UInt32>) -> Void) {
    var sums = [Int](repeating: 0, count: Self.side * Self.side)
    var counts = sums
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size.width) { row in
      row.initialize(repeating: 0)
      for y in 0..<size.height {
        readRow(y, row)
        let line = y * Self.side / size.height * Self.side
        for column in 0..<Self.side {
          // The pixels x with x · side / width = column.
          let start = (column * size.width + Self.side - 1) / Self.side
          let end = ((column + 1) * size.width + Self.side - 1) / Self.side
          var sum = 0
          for x in start..<end { sum += Int(row[x]) }
          sums[line + column] += sum
          counts[line + column] += end - start
        }
      }
    }
    cells = zip(sums, counts).map { sum, count in
      count == 0 ? 0 : UInt8(min((sum + count / 2) / count, 255))
    }
  }

  /// Reads 128 hexadecimal digits.
  public init?(_ text: String) {
    guard let cells = bytes(hexadecimal: text), cells.count == Self.side * Self.side else {
      return nil
    }
    self.cells = cells
  }

  public var description: String { hexadecimal(cells) }

  /// The largest difference of a cell.
  func distance(to other: Likeness) -> Int {
    zip(cells, other.cells).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Likeness(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a likeness is 128 hexadecimal digits")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
