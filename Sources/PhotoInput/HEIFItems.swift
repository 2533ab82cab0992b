internal import MotionCore

/// What the table of contents of a HEIF file says of its images: how large they are before anything
/// is decoded, and how each is to be turned and cropped, which libheif tells only from 1.16 on.
///
/// Source: ISO/IEC 14496-12 (boxes; `meta`, `pitm`, `iinf`) and 23008-12 (`iprp`, `ispe`, `irot`,
/// `imir`), `clap` as there. What makes no sense says nothing: libheif judges the file.
struct HEIFItems: Sendable, Hashable {
  struct Item: Sendable, Hashable {
    /// Four letters that name how it is coded, as "hvc1".
    var type: String?
    /// As stored, before `steps`.
    var size: Size?
    /// From the stored image to the upright one, in this order.
    var steps: [Step] = []
  }

  /// A transformative property.
  enum Step: Sendable, Hashable {
    case turn(Orientation)
    case crop(CleanAperture)
  }

  /// What is kept of an image, around a centre that lies off the image's own.
  struct CleanAperture: Sendable, Hashable {
    let width, height, offsetX, offsetY: Double
  }

  /// The identifier of the photo.
  private(set) var primary: Int?
  private(set) var items: [Int: Item] = [:]
  /// Whether the last box says that it goes on behind the end of the file.
  let isCut: Bool

  /// More than the entries of any photo take.
  private static let maximumBytes = 1 << 20

  /// The longest side of any image.
  var longSide: Int { items.values.compactMap(\.size?.longSide).max() ?? 0 }

  init(_ bytes: RawSpan) {
    let boxes = Box.all(in: 0..<bytes.byteCount, of: bytes)
    isCut = (boxes.last?.body.upperBound ?? 0) < bytes.byteCount
    guard let meta = boxes.first(where: { $0.type == "meta" }) else { return }
    var properties: [Box] = []
    var associations: Box?
    for box in Box.all(in: meta.body.dropFirst(4), of: bytes)
    where box.body.count <= Self.maximumBytes {
      switch box.type {
      case "pitm":
        primary = Self.identifier(
          isLong: bytes.version(box) > 0, at: box.body.lowerBound + 4, bytes)
      case "iinf": readTypes(box, bytes)
      case "iprp":
        for part in Box.all(in: box.body, of: bytes) {
          switch part.type {
          case "ipco": properties = Box.all(in: part.body, of: bytes)
          case "ipma": associations = part
          default: break
          }
        }
      default: break
      }
    }
    if let associations { associate(properties, associations, bytes) }
  }

  private mutating func readTypes(_ box: Box, _ bytes: RawSpan) {
    let count = bytes.version(box) == 0 ? 2 : 4
    for entry in Box.all(in: box.body.dropFirst(4 + count), of: bytes) where entry.type == "infe" {
      let isLong = bytes.version(entry) >= 3
      let start = entry.body.lowerBound + 4
      guard bytes.version(entry) >= 2,
        let item = Self.identifier(isLong: isLong, at: start, bytes),
        let type = bytes.letters(at: start + (isLong ? 6 : 4))
      else { continue }
      items[item, default: Item()].type = type
    }
  }

  /// Gives the items their properties.
  private mutating func associate(_ properties: [Box], _ box: Box, _ bytes: RawSpan) {
    let isLong = bytes.version(box) > 0
    let isWide = (bytes.byte(at: box.body.lowerBound + 3) ?? 0) & 1 != 0
    var offset = box.body.lowerBound + 8
    var told: Set<Int> = []
    for _ in 0..<(bytes.uint32(at: box.body.lowerBound + 4) ?? 0) {
      guard offset < box.body.upperBound,
        let item = Self.identifier(isLong: isLong, at: offset, bytes)
      else { break }
      offset += isLong ? 4 : 2
      let count = Int(bytes.byte(at: offset) ?? 0)
      offset += 1
      // An item has one entry.
      guard told.insert(item).inserted else { break }
      for _ in 0..<count {
        // The highest bit says that a reader must know the property.
        let index =
          isWide
          ? (bytes.uint16(at: offset) ?? 0) & 0x7FFF : Int(bytes.byte(at: offset) ?? 0) & 0x7F
        offset += isWide ? 2 : 1
        guard properties.indices.contains(index - 1) else { continue }
        items[item, default: Item()].add(properties[index - 1], bytes)
      }
    }
  }

  private static func identifier(isLong: Bool, at offset: Int, _ bytes: RawSpan) -> Int? {
    isLong ? bytes.uint32(at: offset) : bytes.uint16(at: offset)
  }
}

extension HEIFItems.Item {
  fileprivate mutating func add(_ property: Box, _ bytes: RawSpan) {
    let start = property.body.lowerBound
    switch property.type {
    case "ispe":
      if let width = bytes.uint32(at: start + 4), let height = bytes.uint32(at: start + 8) {
        size = Size(width: width, height: height)
      }
    case "irot":
      // Quarter turns to the left.
      let turns: [Orientation] = [.upright, .turnedRight, .turnedHalf, .turnedLeft]
      if let turn = bytes.byte(at: start) { steps.append(.turn(turns[Int(turn & 3)])) }
    case "imir":
      if let axis = bytes.byte(at: start) {
        steps.append(.turn(axis & 1 == 0 ? .flipped : .mirrored))
      }
    case "clap":
      var values: [Double] = []
      for fraction in 0..<4 {
        guard let numerator = bytes.uint32(at: start + 8 * fraction),
          let denominator = bytes.uint32(at: start + 8 * fraction + 4), denominator > 0
        else { return }
        // The two offsets may be negative.
        let isSigned = fraction >= 2
        let number = isSigned ? Int(Int32(truncatingIfNeeded: numerator)) : numerator
        values.append(Double(number) / Double(denominator))
      }
      steps.append(
        .crop(
          HEIFItems.CleanAperture(
            width: values[0], height: values[1], offsetX: values[2], offsetY: values[3])))
    default: break
    }
  }
}

extension [HEIFItems.Step] {
  /// How the stored rows lie, all in all.
  var orientation: Orientation {
    reduce(.upright) { sum, step in
      if case .turn(let turn) = step { sum.followed(by: turn) } else { sum }
    }
  }

  /// The same on a picture that is of another resolution than the image these steps are told of.
  /// - Parameter size: that image's, as stored.
  func applied<Sample>(to picture: Plane<Sample>, of size: Size) -> Plane<Sample> {
    var (picture, size) = (picture, size)
    for step in self {
      switch step {
      case .turn(let orientation):
        picture = picture.turnedUpright(from: orientation)
        if orientation.transposes { size = Size(width: size.height, height: size.width) }
      case .crop(let aperture):
        let columns = Self.kept(aperture.width, aperture.offsetX, of: size.width)
        let rows = Self.kept(aperture.height, aperture.offsetY, of: size.height)
        picture = picture.cropped(
          Self.scaled(columns, from: size.width, to: picture.width),
          Self.scaled(rows, from: size.height, to: picture.height))
        size = Size(width: columns.count, height: rows.count)
      }
    }
    return picture
  }

  /// The samples of a row or column that an aperture keeps: at least one, all within.
  private static func kept(_ aperture: Double, _ offset: Double, of count: Int) -> Range<Int> {
    let first = (offset + Double(count - 1) / 2 - (aperture - 1) / 2).rounded(.down)
    let start = Int(Swift.min(Swift.max(first, 0), Double(count - 1)))
    let end = Swift.min(Swift.max(first + aperture.rounded(), Double(start + 1)), Double(count))
    return start..<Int(end)
  }

  private static func scaled(_ range: Range<Int>, from count: Int, to other: Int) -> Range<Int> {
    let scale = Double(other) / Double(count)
    let start = Swift.min(Int((Double(range.lowerBound) * scale).rounded()), other - 1)
    let end = Int((Double(range.upperBound) * scale).rounded())
    return start..<Swift.max(end, start + 1)
  }
}

extension Plane {
  fileprivate func cropped(_ columns: Range<Int>, _ rows: Range<Int>) -> Plane {
    withUnsafeSamples { samples in
      Plane(width: columns.count, height: rows.count) { y, row in
        let start = (rows.lowerBound + y) * width + columns.lowerBound
        for x in 0..<columns.count { row[x] = samples[start + x] }
      }
    }
  }
}

/// A piece of a file with a name and a length.
private struct Box {
  /// Four letters.
  let type: String
  /// Without the header.
  let body: Range<Int>

  /// No file that is a picture has more boxes beside one another.
  private static let mostBoxes = 65_536

  /// The boxes that fill a range, up to the first that does not fit.
  static func all(in range: Range<Int>, of bytes: RawSpan) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while offset < range.upperBound, boxes.count < mostBoxes, let short = bytes.uint32(at: offset),
      let type = bytes.letters(at: offset + 4)
    {
      var (length, header) = (short, 8)
      if short == 1 {
        guard let high = bytes.uint32(at: offset + 8), let low = bytes.uint32(at: offset + 12),
          high == 0
        else { break }
        (length, header) = (low, 16)
      } else if short == 0 {
        length = range.upperBound - offset
      }
      guard length >= header, length <= range.upperBound - offset else { break }
      boxes.append(Box(type: type, body: (offset + header)..<(offset + length)))
      offset += length
    }
    return boxes
  }
}

extension RawSpan {
  /// Four bytes as letters; nil behind the end.
  func letters(at offset: Int) -> String? {
    var text = ""
    for place in offset..<(offset + 4) {
      guard let byte = byte(at: place) else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }

  /// The version of a box that has one.
  fileprivate func version(_ box: Box) -> Int { Int(byte(at: box.body.lowerBound) ?? 0) }
}
