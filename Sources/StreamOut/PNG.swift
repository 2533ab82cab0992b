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
    case .eight(let codes):
      codes.withUnsafeBytes { encode(picture.size, picture.channels, $0, bits: 8) }
    case .sixteen(let codes):
      codes.withUnsafeBytes { encode(picture.size, picture.channels, $0, bits: 16) }
    }
  }

  /// How a pixel format stands in a PNG; nil where none does.
  static func layout(of pixelFormat: PixelFormat) -> (channels: Raster.Channels, bits: Int)? {
    let bits = pixelFormat.bitDepth
    guard pixelFormat.planes.count == 1, bits == 8 || bits == 16 else { return nil }
    switch pixelFormat.planes[0].components {
    case [.luma]: return (.grey, bits)
    case [.red, .green, .blue]: return (.rgb, bits)
    case [.red, .green, .blue, .alpha]: return (.rgba, bits)
    default: return nil
    }
  }

  /// A frame's file; nil where memory ran out.
  static func encode(_ frame: Frame) -> [UInt8]? {
    guard let (channels, bits) = layout(of: frame.format.pixelFormat) else {
      preconditionFailure("PNG does not carry \(frame.format.pixelFormat)")
    }
    return frame.withUnsafeBytes { encode(frame.format.size, channels, $0, bits: bits) }
  }

  private static func encode(
    _ size: Size, _ channels: Raster.Channels, _ pixels: UnsafeRawBufferPointer, bits: Int
  ) -> [UInt8]? {
    var file = cpng_output()
    defer { free(file.data) }
    let stride = size.width * channels.rawValue * bits / 8
    precondition(pixels.count == stride * size.height)
    let isWhole = cpng_encode(
      &file, UInt32(size.width), UInt32(size.height), Int32(channels.rawValue), Int32(bits),
      channels != .grey,
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
