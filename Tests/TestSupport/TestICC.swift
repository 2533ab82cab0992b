/// Writes ICC profiles of version 2, byte by byte. Source: ICC.1:2001-04.
package struct TestICC {
  /// "RGB ", "GRAY" or "CMYK".
  package var channels = "RGB "
  /// "XYZ " or "Lab ".
  package var space = "XYZ "
  package var name = "test profile"
  package var tags: [(signature: String, body: [UInt8])] = []

  package init(_ channels: String = "RGB ", space: String = "XYZ ", name: String = "test profile") {
    (self.channels, self.space, self.name) = (channels, space, name)
  }

  /// A profile of primaries, columns of X, Y, Z relative to D50, and one curve.
  package static func rgb(_ columns: [[Double]], curve: [UInt8], name: String = "test profile")
    -> TestICC
  {
    var profile = TestICC(name: name)
    for (letter, column) in zip(["r", "g", "b"], columns) {
      profile.tags.append((letter + "XYZ", xyz(column)))
      profile.tags.append((letter + "TRC", curve))
    }
    return profile
  }

  package static func grey(curve: [UInt8]) -> TestICC {
    var profile = TestICC("GRAY")
    profile.tags.append(("kTRC", curve))
    return profile
  }

  package static let displayP3 = [
    [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
  ]
  package static let adobeRGB = [
    [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
  ]
  package static let sRGB = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
  ]

  package static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + values.flatMap { fixed($0) }
  }

  /// v^gamma, in units of 1/256.
  package static func gamma(_ gamma: Double) -> [UInt8] {
    Array("curv\0\0\0\0".utf8) + bigEndian(1, 4) + bigEndian(Int((gamma * 256).rounded()), 2)
  }

  /// A curve of samples, 0…65535.
  package static func samples(_ values: [Int]) -> [UInt8] {
    Array("curv\0\0\0\0".utf8) + bigEndian(values.count, 4) + values.flatMap { bigEndian($0, 2) }
  }

  /// sRGB's formula, as telephones write it.
  package static let sRGBFormula =
    Array("para\0\0\0\0".utf8) + bigEndian(3, 2) + [0, 0]
    + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap { fixed($0) }

  /// Tables of 8 bits: corners of a cube (first channel slowest) to L, a, b, all curves straight.
  ///
  /// - Parameter lab: L 0…100, a and b −128…127, of each corner.
  package static func table(_ channels: Int, _ lab: ([Int]) -> [Double]) -> [UInt8] {
    var body = Array("mft1\0\0\0\0".utf8) + [UInt8(channels), 3, 2, 0]
    body += [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { fixed($0) }
    let straight = (0...255).map { UInt8($0) }
    for _ in 0..<channels { body += straight }
    for corner in 0..<1 << channels {
      let value = lab((0..<channels).map { corner >> (channels - 1 - $0) & 1 })
      body += [value[0] * 2.55, value[1] + 128, value[2] + 128].map {
        UInt8(min(max($0.rounded(), 0), 255))
      }
    }
    return body + straight + straight + straight
  }

  package func encode() -> [UInt8] {
    let text = Array(name.utf8) + [0]
    let description =
      Array("desc\0\0\0\0".utf8) + bigEndian(text.count, 4) + text
      + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
    let all = [("desc", description), ("wtpt", Self.xyz([0.9642, 1, 0.8249]))] + tags
    var table = bigEndian(all.count, 4)
    var data: [UInt8] = []
    let start = 128 + 4 + 12 * all.count
    for (signature, body) in all {
      table += Array(signature.utf8) + bigEndian(start + data.count, 4) + bigEndian(body.count, 4)
      data += body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    }
    var head = bigEndian(start + data.count, 4) + bigEndian(0, 4) + bigEndian(0x0210_0000, 4)
    head += Array((channels == "CMYK" ? "prtr" : "mntr").utf8) + Array((channels + space).utf8)
    head += bigEndian(2026, 2) + bigEndian(1, 2) + bigEndian(1, 2) + [0, 0, 0, 0, 0, 0]
    head += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    head += [0.9642, 1, 0.8249].flatMap { Self.fixed($0) }
    head += [UInt8](repeating: 0, count: 128 - head.count)
    return head + table + data
  }

  /// s15Fixed16.
  private static func fixed(_ value: Double) -> [UInt8] {
    bigEndian(Int((value * 65536).rounded()), 4)
  }
}

extension TestJPEG {
  /// The APP2 segments of a profile, `size` bytes of it in each, in order.
  package static func icc(_ profile: [UInt8], size: Int = 60_000) -> [[UInt8]] {
    let count = (profile.count + size - 1) / size
    return (0..<count).map { part in
      let body = profile[(part * size)..<min((part + 1) * size, profile.count)]
      return segment(
        0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(part + 1), UInt8(count)] + body)
    }
  }
}

extension TestPNG {
  package static func icc(_ profile: [UInt8]) -> (type: String, body: [UInt8]) {
    ("iCCP", Array("a profile".utf8) + [0, 0] + zlib(profile))
  }

  /// - Parameter gamma: of the encoding.
  package static func gamma(_ gamma: Double) -> (type: String, body: [UInt8]) {
    ("gAMA", bigEndian(Int((gamma * 1e5).rounded()), 4))
  }

  /// - Parameter xy: of white, red, green and blue.
  package static func primaries(_ xy: [Double]) -> (type: String, body: [UInt8]) {
    ("cHRM", xy.flatMap { bigEndian(Int(($0 * 1e5).rounded()), 4) })
  }

  package static let sRGB: (type: String, body: [UInt8]) = ("sRGB", [0])
}
