internal import MotionCore
internal import StreamOut

/// Names of a matrix.
struct MatrixWords {
  /// In ITU-T H.273.
  let h273: Int
  /// ffmpeg's and x264's.
  let ffmpeg: String
  let mpv: String
  let gstreamer: Int
  let rav1e: String
}

extension ColorMatrix {
  var words: MatrixWords {
    switch self {
    case .bt709: MatrixWords(h273: 1, ffmpeg: "bt709", mpv: "bt.709", gstreamer: 3, rav1e: "BT709")
    case .bt601:
      MatrixWords(h273: 6, ffmpeg: "smpte170m", mpv: "bt.601", gstreamer: 4, rav1e: "BT601")
    }
  }
}

/// Names of a place of chroma.
struct SitingWords {
  /// In ITU-T H.264.
  let h264: Int
  let ffmpeg: String
  let mpv: String
  let gstreamer: String
  /// Nil where SVT-AV1, as AV1, has none.
  let svt: String?
  /// Across and down, in 256ths of a pixel of luma, by swscale.
  let offset: (across: Int, down: Int)
}

extension ChromaSiting {
  var words: SitingWords {
    switch self {
    case .mpeg2:
      SitingWords(
        h264: 0, ffmpeg: "left", mpv: "mpeg2/4/h264", gstreamer: "mpeg2", svt: "left",
        offset: (0, 128))
    case .jpeg:
      SitingWords(
        h264: 1, ffmpeg: "center", mpv: "mpeg1/jpeg", gstreamer: "jpeg", svt: nil,
        offset: (128, 128))
    case .paldv:
      SitingWords(
        h264: 2, ffmpeg: "topleft", mpv: "uhd", gstreamer: "cosited", svt: "topleft",
        offset: (0, 0))
    }
  }
}

extension Container {
  /// Whether nothing says what the frames are. Other streams are Y4M.
  var isRaw: Bool { name == "raw" }
}

/// The command that makes the film, with options more. They go in front: behind `--` they would be
/// a photo's name.
func commandWords(_ film: Film, adding options: [String] = []) -> String {
  ([film.command[0]] + options + film.command.dropFirst()).map(shellQuoted).joined(separator: " ")
}

func piped(_ film: Film, adding options: [String] = [], _ reader: [String]) -> String {
  commandWords(film, adding: options) + " | " + reader.map(shellQuoted).joined(separator: " ")
}

extension PixelFormat {
  /// Whether its pixels are R'G'B'.
  var isRGB: Bool { planes.contains { $0.components.contains(.red) } }
}
