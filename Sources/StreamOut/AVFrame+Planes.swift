internal import CFFmpeg
internal import MotionCore

extension Frame {
  /// Lays the planes, which stand one behind the other, where libavcodec wants them: as many columns
  /// and rows as its picture has, from the left and the top. Chroma is interleaved where the picture
  /// is NV12.
  ///
  /// The frame is of planes of one byte a sample, the picture of the same, no larger.
  func copyPlanes(into picture: UnsafeMutablePointer<AVFrame>) {
    let size = Size(width: Int(picture.pointee.width), height: Int(picture.pointee.height))
    let isInterleaved = picture.pointee.format == AV_PIX_FMT_NV12.rawValue
    let targets = [picture.pointee.data.0, picture.pointee.data.1, picture.pointee.data.2]
    let strides = [
      picture.pointee.linesize.0, picture.pointee.linesize.1, picture.pointee.linesize.2,
    ]
    withUnsafeBytes { bytes in
      var source = bytes.baseAddress!
      for (index, plane) in format.pixelFormat.planes.enumerated() {
        let (own, wanted) = (plane.size(in: format.size), plane.size(in: size))
        let target = isInterleaved ? min(index, 1) : index
        for y in 0..<wanted.height {
          let from = source + y * own.width
          let to = UnsafeMutableRawPointer(targets[target]!) + y * Int(strides[target])
          if isInterleaved && index > 0 {
            for x in 0..<wanted.width {
              to.storeBytes(
                of: from.load(fromByteOffset: x, as: UInt8.self), toByteOffset: 2 * x + index - 1,
                as: UInt8.self)
            }
          } else {
            to.copyMemory(from: from, byteCount: wanted.width)
          }
        }
        source += own.width * own.height
      }
    }
  }
}

/// A size without the last column and row where they would be odd.
func evenSize(_ size: Size) -> Size {
  Size(width: size.width & ~1, height: size.height & ~1)
}
