internal import CPNG
public import MotionCore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// PNG through libpng: 8 or 16 bits, grey, R'G'B' or R'G'B'A, the latter two with the sRGB chunk
/// (ISO/IEC 15948).
enum PNG {
  /// The file's bytes; nil where memory ran out.
  static func encode(_ picture: Raster) -> [UInt8]? {
    switch picture.samples {
    case .eight(let codes): codes.withUnsafeBytes { encode(picture, $0, bits: 8) }
    case .sixteen(let codes): codes.withUnsafeBytes { encode(picture, $0, bits: 16) }
    }
  }

  private static func encode(
    _ picture: Raster, _ pixels: UnsafeRawBufferPointer, bits: Int
  ) -> [UInt8]? {
    var file = cpng_output()
    defer { free(file.data) }
    // `Raster` has checked that its samples fill the rows.
    let stride = picture.size.width * picture.channels.rawValue * bits / 8
    let isWhole = cpng_encode(
      &file, UInt32(picture.size.width), UInt32(picture.size.height),
      Int32(picture.channels.rawValue), Int32(bits), picture.channels != .grey,
      pixels.baseAddress, stride)
    return isWhole ? Array(UnsafeBufferPointer(start: file.data, count: file.size)) : nil
  }
}

extension Output {
  /// Writes a picture as a PNG.
  ///
  /// - Throws: what `write(_:)` throws; `system(.write, …)` with `ENOMEM` where memory ran out.
  public func write(_ picture: Raster) throws(StreamOutError) {
    guard let bytes = PNG.encode(picture) else {
      throw .system(.write, path: path, code: ENOMEM)
    }
    try write(bytes)
  }
}
