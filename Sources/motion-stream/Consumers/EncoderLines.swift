internal import MotionCore
internal import StreamOut

/// Pixel formats by what x264 calls them, and as what it encodes them. It would turn R'G'B' into
/// BT.601 whatever it is told.
let x264Names = [
  "yuv420p": ("i420", "i420"), "yuv422p": ("i422", "i422"), "yuv444p": ("i444", "i444"),
  "yuv420p10le": ("i420", "i420"), "yuv422p10le": ("i422", "i422"),
  "yuv444p10le": ("i444", "i444"), "yuv420p12le": ("i420", "i420"),
  "yuv422p12le": ("i422", "i422"), "yuv444p12le": ("i444", "i444"), "gray": ("i400", "i400"),
  "gray10le": ("i400", "i400"), "gray12le": ("i400", "i400"), "nv12": ("nv12", "i420"),
]

func x264Options(_ film: Film) -> [String] {
  let format = film.format
  let (input, output) = x264Names[format.pixelFormat.name]!
  let range = format.range == .full ? "pc" : "tv"
  var options = ["--demuxer", "y4m"]
  if film.container.isRaw {
    options = [
      "--demuxer", "raw", "--input-csp", input, "--input-depth", "\(format.pixelFormat.bitDepth)",
      "--input-res", "\(format.size)", "--fps", "\(format.rate)",
    ]
  }
  return options + [
    "--input-range", range, "--range", range, "--output-csp", output,
    "--output-depth", format.pixelFormat.bitDepth > 8 ? "10" : "8", "--crf", "18",
    "--colorprim", "bt709", "--transfer", "bt709",
    "--colormatrix", format.matrix.words.ffmpeg,
  ] + (format.pixelFormat.hasSiting ? ["--chromaloc", "\(format.siting.words.h264)"] : [])
}

func svtOptions(_ film: Film) -> [String] {
  let format = film.format
  return [
    "-i", "stdin", "--input-depth", "\(format.pixelFormat.bitDepth)", "--crf", "30",
    "--color-primaries", "1", "--transfer-characteristics", "1",
    "--matrix-coefficients", "\(format.matrix.words.h273)",
    "--color-range", format.range == .full ? "1" : "0",
    "--chroma-sample-position", format.siting.words.svt!, "-b", "film.ivf",
  ]
}

func rav1eOptions(_ film: Film) -> [String] {
  let format = film.format
  return [
    "--quantizer", "80", "--primaries", "BT709", "--transfer", "BT709",
    "--matrix", format.matrix.words.rav1e,
    "--range", format.range == .full ? "Full" : "Limited", "--output", "film.ivf",
  ]
}
