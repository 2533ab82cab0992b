internal import MotionCore

/// HEIC and AVIF through libheif: 8, 10 and 12 bits, grey or colour, with alpha, turned and cropped
/// as the file says. Source: ISO/IEC 23008-12 (HEIF) and 23000-22 (MIAF).
///
/// In these files EXIF says how the photo lay, but it is no instruction: `irot` and `imir` are.
enum HEICReader {
  /// After AVIF in the table: brands that both have belong to this.
  static let heic = kind(
    "HEIC",
    brands: [
      "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1",
    ])
  static let avif = kind("AVIF", brands: ["avif", "avis"])

  private static func kind(_ name: String, brands: Set<String>) -> InputKind {
    InputKind(
      name: name,
      matches: { head in !brands.isDisjoint(with: Self.brands(head)) },
      read: { (bytes, maxPixels) throws(Problem) in
        try read(bytes, kind: name, maxPixels: maxPixels)
      },
      embedded: { bytes, wanted, maxPixels in
        embedded(bytes, kind: name, wanted: wanted, maxPixels: maxPixels)
      })
  }

  /// What a file says it can be read as, of which the first few are looked at.
  private static func brands(_ head: RawSpan) -> [String] {
    guard let length = head.uint32(at: 0), head.letters(at: 4) == "ftyp" else { return [] }
    let compatible = stride(from: 16, to: min(length, head.byteCount), by: 4)
    return ([8] + compatible).compactMap { head.letters(at: $0) }
  }

  #if HEIC
    static func read(_ bytes: RawSpan, kind: String, maxPixels: Int) throws(Problem) -> Picture {
      try HEIFFile.open(bytes, kind: kind, maxPixels: maxPixels) { (file) throws(Problem) in
        try file.photo()
      }
    }
  #else
    static func read(_ bytes: RawSpan, kind: String, maxPixels: Int) throws(Problem) -> Picture {
      throw .leftOut(kind: kind, trait: "HEIC")
    }

    static func embedded(
      _ bytes: RawSpan, kind: String, wanted: Set<PhotoInputError.Role>, maxPixels: Int
    ) -> EmbeddedPictures {
      EmbeddedPictures()
    }
  #endif
}
