internal import CFFmpeg

/// JPEG through libavcodec, and libyuv for colour: baseline and progressive, grey, Y'CbCr of any
/// subsampling, and RGB. Source: ITU-T T.81 and T.871 (JFIF): full range, BT.601 matrix, chroma
/// centred between the luma samples it belongs to.
enum JPEGReader {
  static let name = JPEGFile.name

  static func matches(_ head: RawSpan) -> Bool { head.has([0xFF, JPEGFile.Marker.start, 0xFF]) }

  static func read(_ bytes: RawSpan, maxPixels: Int) throws(Problem) -> Picture {
    let file = try JPEGFile(bytes, maxPixels: maxPixels)
    guard (0xC0...0xC2).contains(file.frameMarker) else {
      throw .unsupported(kind: name, feature: .coding("SOF\(file.frameMarker - 0xC0)"))
    }
    guard file.bitsPerSample == 8 else {
      throw .unsupported(kind: name, feature: .bitsPerSample(file.bitsPerSample))
    }
    guard file.components != 4 else { throw .unsupported(kind: name, feature: .cmyk) }
    let (samples, _) = try LibavPicture(
      AV_CODEC_ID_MJPEG, kind: name, size: file.size, parts: parts(of: file), of: bytes
    ).samples()
    return Picture(stored: samples, kind: name, exif: file.exif(in: bytes))
  }

  /// The picture as the decoder gets it: without application data and comments, in which it looks for
  /// the customs of video files and over which it stumbles; Adobe's (APP14) names the colour model
  /// and stays.
  private static func parts(of file: JPEGFile) -> [Range<Int>] {
    let kept = file.segments.filter { segment in
      switch segment.marker {
      case JPEGFile.Marker.app14: true
      case 0xE0...0xEF, JPEGFile.Marker.comment: false
      default: true
      }
    }
    return [0..<2] + kept.map(\.range) + [(file.end - 2)..<file.end]
  }
}
