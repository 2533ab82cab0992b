/// Writes NPY files, as NumPy does or deliberately not.
package enum TestNPY {
  /// - Parameters:
  ///   - descr: NumPy's name of the type, whose first character is the byte order.
  ///   - bits: the bit patterns of the numbers in the order of the file.
  package static func encode(
    _ descr: String, _ shape: [Int], fortran: Bool = false, version: UInt8 = 1, bits: [Int]
  ) -> [UInt8] {
    let tuple = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    let header =
      "{'descr': '\(descr)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': (\(tuple)), }"
    let size = Int(descr.suffix(1))!
    return file(header: header, version: version)
      + bits.flatMap { value in
        let bytes = bigEndian(value, size)
        return descr.hasPrefix(">") ? bytes : bytes.reversed()
      }
  }

  /// A file of any header, with nothing behind it.
  package static func file(header: String, version: UInt8 = 1) -> [UInt8] {
    var text = Array(header.utf8)
    let lengthBytes = version == 1 ? 2 : 4
    while (8 + lengthBytes + text.count + 1) % 64 != 0 { text.append(0x20) }
    text.append(0x0A)
    return [0x93] + Array("NUMPY".utf8) + [version, 0]
      + bigEndian(text.count, lengthBytes).reversed()
      + text
  }
}
