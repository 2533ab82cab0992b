internal import MotionCore

/// NPY: one array of NumPy's, of the shape (H, W), (1, H, W) or (H, W, 1), in C order; rows run from
/// the top down. Whole numbers are a fraction of their type's largest value, floats are as they are.
/// Source: `numpy.lib.format`, versions 1 to 3.
enum NPYReader {
  static let name = "NPY"
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  static func matches(_ head: RawSpan) -> Bool { head.has(magic) }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    let header = try NPYHeader(bytes)
    guard let type = SampleType(header.descr) else {
      throw .unsupported(kind: name, feature: .arrayType(header.descr))
    }
    guard !header.isFortranOrder else { throw .unsupported(kind: name, feature: .fortranOrder) }
    var shape = header.shape
    if shape.count == 3, shape[0] == 1 {
      shape.removeFirst()
    } else if shape.count == 3, shape[2] == 1 {
      shape.removeLast()
    }
    guard shape.count == 2 else {
      throw .unsupported(kind: name, feature: .arrayShape(header.shape))
    }
    let size = try Size(header: shape[1], shape[0], maxPixels: maxPixels)
    guard size.width * size.height * type.bytes <= bytes.byteCount - header.end else {
      throw .truncated(kind: name)
    }

    func plane<Stored: FixedWidthInteger & BitwiseCopyable, Sample>(
      _ stored: Stored.Type, _ sample: (Stored) -> Sample
    ) -> Plane<Sample> {
      Plane(width: size.width, height: size.height) { y, row in
        let start = header.end + y * size.width * type.bytes
        for x in 0..<row.count {
          // Within the bytes: their number was compared with the size above.
          let bits = bytes.unsafeLoadUnaligned(
            fromByteOffset: start + x * type.bytes, as: Stored.self)
          row[x] = sample(type.isBigEndian ? Stored(bigEndian: bits) : Stored(littleEndian: bits))
        }
      }
    }
    let samples: Picture.Samples =
      switch type.form {
      case .uint8: .eight(plane(UInt8.self) { SIMD4($0, $0, $0, .max) })
      case .uint16: .sixteen(plane(UInt16.self) { SIMD4($0, $0, $0, .max) })
      case .float16: .float(plane(UInt16.self) { Float(binary16: $0) })
      case .float32: .float(plane(UInt32.self) { Float(bitPattern: $0) })
      }
    return Picture(stored: samples, kind: name)
  }

  /// The types of numbers that are read, as NumPy names them.
  private struct SampleType {
    enum Form: String {
      case uint8 = "u1"
      case uint16 = "u2"
      case float16 = "f2"
      case float32 = "f4"
    }

    let form: Form
    let isBigEndian: Bool

    var bytes: Int {
      switch form {
      case .uint8: 1
      case .uint16, .float16: 2
      case .float32: 4
      }
    }

    init?(_ descr: String) {
      guard let order = descr.first, "<>|".contains(order),
        let form = Form(rawValue: String(descr.dropFirst())),
        order != "|" || form == .uint8
      else { return nil }
      (self.form, isBigEndian) = (form, order == ">")
    }
  }
}

/// What the header of an NPY file says.
struct NPYHeader {
  let descr: String
  let isFortranOrder: Bool
  let shape: [Int]
  /// Where the numbers begin.
  let end: Int

  /// Longer headers belong to arrays of records.
  private static let longest = 1 << 16
  /// More dimensions than NumPy has.
  private static let mostDimensions = 64

  /// Reads the Python literal: a dictionary of exactly three keys, in any order.
  /// - Throws: `truncated`, `damaged`.
  init(_ bytes: RawSpan) throws(Problem) {
    let truncated = Problem.truncated(kind: NPYReader.name)
    guard let version = bytes.byte(at: 6) else { throw truncated }
    guard (1...3).contains(version) else {
      throw .damaged(kind: NPYReader.name, detail: "version \(version)")
    }
    let start = version == 1 ? 10 : 12
    let length =
      version == 1
      ? bytes.uint16(at: 8, bigEndian: false) : bytes.uint32(at: 8, bigEndian: false)
    guard let length else { throw truncated }
    guard length <= Self.longest else { throw Self.damaged }
    guard start + length <= bytes.byteCount else { throw truncated }
    end = start + length

    var text = Text((start..<end).map { bytes.byte(at: $0)! })
    var (descr, order, shape) = (String?.none, Bool?.none, [Int]?.none)
    try text.take("{")
    while !text.skip("}") {
      let key = try text.string()
      try text.take(":")
      switch key {
      case "descr" where descr == nil: descr = try text.string()
      case "fortran_order" where order == nil: order = try text.truth()
      case "shape" where shape == nil: shape = try text.tuple(atMost: Self.mostDimensions)
      default: throw Self.damaged
      }
      if !text.skip(",") {
        try text.take("}")
        break
      }
    }
    guard let descr, let order, let shape, text.isAtEnd else { throw Self.damaged }
    (self.descr, isFortranOrder, self.shape) = (descr, order, shape)
  }

  private static let damaged = Problem.damaged(kind: NPYReader.name, detail: "header")

  /// The literal, from which things are taken off one by one; spaces between them count for nothing.
  private struct Text {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool {
      mutating get {
        skipSpace()
        return rest.isEmpty
      }
    }

    private mutating func skipSpace() {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    /// Takes a word off if it stands there.
    mutating func skip(_ word: String) -> Bool {
      skipSpace()
      guard rest.starts(with: word.utf8) else { return false }
      rest = rest.dropFirst(word.utf8.count)
      return true
    }

    mutating func take(_ word: String) throws(Problem) {
      guard skip(word) else { throw NPYHeader.damaged }
    }

    /// A string without escapes, in quotes of either sort.
    mutating func string() throws(Problem) -> String {
      let quote: UInt8 = skip("'") ? 0x27 : 0x22
      if quote == 0x22 { try take("\"") }
      guard let end = rest.firstIndex(of: quote) else { throw NPYHeader.damaged }
      let string = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      return string
    }

    mutating func truth() throws(Problem) -> Bool {
      if skip("True") { return true }
      try take("False")
      return false
    }

    /// Whole numbers of at most 18 digits in parentheses.
    mutating func tuple(atMost count: Int) throws(Problem) -> [Int] {
      var numbers: [Int] = []
      try take("(")
      while !skip(")") {
        skipSpace()
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard digits.count <= 18, let number = Int(String(decoding: digits, as: UTF8.self)),
          numbers.count < count
        else { throw NPYHeader.damaged }
        numbers.append(number)
        rest = rest[digits.endIndex...]
        if !skip(",") {
          try take(")")
          break
        }
      }
      return numbers
    }
  }
}

extension Float {
  /// The number that 16 bits stand for. Source: IEEE 754, binary16; `Float16` is not everywhere.
  init(binary16 bits: UInt16) {
    let (exponent, fraction) = (UInt32(bits >> 10 & 0x1F), UInt32(bits & 0x3FF))
    let magnitude: Float =
      switch exponent {
      case 0: Float(fraction) * 0x1p-24
      case 0x1F: Float(bitPattern: 0x7F80_0000 | fraction << 13)
      default: Float(bitPattern: (exponent + 112) << 23 | fraction << 13)
      }
    self = Float(bitPattern: magnitude.bitPattern | UInt32(bits & 0x8000) << 16)
  }
}
