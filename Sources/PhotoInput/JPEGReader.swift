internal import CFFmpeg
internal import MotionCore

/// JPEG through libavcodec, and libyuv for colour: baseline and progressive, grey, Y'CbCr of any
/// subsampling, RGB, and inks with a profile. Source: ITU-T T.81 and T.871 (JFIF): full range, BT.601
/// matrix, chroma centred between the luma samples it belongs to.
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
    let colour = file.colour(in: bytes)
    if file.components == 4 {
      // Without a profile the colours are not known, and the pixels not worth decoding.
      let profile: InkProfile = try InkProfile(colour, kind: name)
      let pixels = try profile.colours(of: inks(of: file, in: bytes))
      return Picture(
        stored: .sixteen(pixels), kind: name, exif: file.exif(in: bytes),
        colour: .inks(profile: profile.name))
    }
    let (samples, _) = try picture(of: file, in: bytes).samples()
    return Picture(stored: samples, kind: name, exif: file.exif(in: bytes), colour: colour)
  }

  /// The photo before it is decoded; nil where it may not be the one that is wanted.
  static func outline(_ bytes: RawSpan, maxPixels: Int) -> Photo? {
    guard let file = try? JPEGFile(bytes, maxPixels: maxPixels), !file.mentions(.image, in: bytes)
    else { return nil }
    let exif = file.exif(in: bytes)
    let (width, height) = (file.size.width, file.size.height)
    let size = exif.orientation.transposes ? Size(width: height, height: width) : file.size
    return Photo(
      pending: size, focalLength35: exif.focalLength35, orientation: exif.orientation.rawValue)
  }

  /// The pixels as C, M, Y, K, where 0 is no ink.
  private static func inks(
    of file: JPEGFile, in bytes: RawSpan
  ) throws(Problem) -> Plane<SIMD4<UInt8>> {
    let coding = file.inks(in: bytes)
    let stored: Plane<SIMD4<UInt8>>
    if coding.isYCCK {
      // Y'CbCr becomes three of the inks, and the fourth plane stays as alpha would.
      guard case .eight(let plane) = try picture(of: file, in: bytes).samples().samples else {
        preconditionFailure("8 bits were more")
      }
      stored = plane
    } else {
      stored = try picture(of: file, in: bytes).planes()
    }
    guard coding.isInverted else { return stored }
    // Of YCCK the first three have been turned over on the way to Y'CbCr already.
    let flip: SIMD4<UInt8> = coding.isYCCK ? [0, 0, 0, 255] : [255, 255, 255, 255]
    return stored.map { $0 ^ flip }
  }

  /// The picture as the decoder gets it: without application data and comments, in which it looks for
  /// the customs of video files and over which it stumbles; Adobe's (APP14) names the colour model
  /// and stays, except with inks, of which the decoder would make colours that no profile knows.
  private static func picture(
    of file: JPEGFile, in bytes: RawSpan
  ) throws(Problem) -> LibavPicture {
    let kept = file.segments.filter { segment in
      switch segment.marker {
      case JPEGFile.Marker.app14: file.components != 4
      case 0xE0...0xEF, JPEGFile.Marker.comment: false
      default: true
      }
    }
    return try LibavPicture(
      AV_CODEC_ID_MJPEG, kind: name, size: file.size,
      parts: [0..<2] + kept.map(\.range) + [(file.end - 2)..<file.end], of: bytes)
  }
}
