internal import MotionCore
internal import StreamOut

/// ffmpeg 5.1 takes grey for full range, whatever is said of it.
let ffmpegRanges: @Sendable (PixelFormat) -> [ColorRange] = {
  $0.isGrey ? [.full] : ColorRange.allCases
}

/// The decoder's own words for what Y4M does not say, and for all that a raw stream does not.
func ffmpegInput(_ film: Film) -> [String] {
  let format = film.format
  let colours = ffmpegColours(format)
  if !film.container.isRaw { return ["-f", "yuv4mpegpipe"] + colours + ["-i", "-"] }
  let range = ["-color_range", format.range == .full ? "pc" : "tv"]
  let siting =
    format.pixelFormat.hasSiting ? ["-chroma_sample_location", format.siting.words.ffmpeg] : []
  return [
    "-f", "rawvideo", "-pixel_format", format.pixelFormat.name, "-video_size", "\(format.size)",
    "-framerate", "\(format.rate)",
  ] + (format.pixelFormat.isRGB ? [] : range + colours + siting) + ["-i", "-"]
}

func ffmpegColours(_ format: VideoFormat) -> [String] {
  format.pixelFormat.isRGB || format.pixelFormat.isGrey
    ? [] : ["-colorspace", format.matrix.words.ffmpeg]
}

/// A film as players take it: limited range, H.264's pixel formats, and ProRes where there is alpha.
func ffmpegFilm(_ film: Film) -> [String] {
  let format = film.format
  if format.pixelFormat.hasAlpha {
    let codec = ["-c:v", "prores_ks", "-profile:v", "4444"]
    return codec + ffmpegPixels(format, as: "yuva444p10le") + ["film.mov"]
  }
  let codec =
    ["-c:v", "libx264", "-crf", "18"] + ffmpegPixels(format, as: h264Pixels(format))
  return codec + (film.isEndless ? ["film.mkv"] : ["-movflags", "+faststart", "film.mp4"])
}

let obsAddress = "udp://127.0.0.1:5000"

func ffmpegService(_ film: Film) -> [String] {
  let format = film.format
  let everySecond = "\(max(1, Int(format.rate.framesPerSecond.rounded())))"
  return ["-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-g", everySecond]
    + ffmpegPixels(format, as: h264Pixels(format))
    + ["-f", "mpegts", "\(obsAddress)?pkt_size=1316"]
}

/// H.264 has no 12 bits here, and no odd sides where chroma is halved.
func h264Pixels(_ format: VideoFormat) -> String {
  let pixels = format.pixelFormat
  let shifts = pixels.planes.last.map { ($0.shiftX, $0.shiftY) } ?? (0, 0)
  let (isOddWide, isOddHigh) = (format.size.width % 2 == 1, format.size.height % 2 == 1)
  let chroma =
    switch shifts {
    case (1, 0): isOddWide ? "444" : "422"
    case (0, 0) where !pixels.isRGB && !pixels.isGrey: "444"
    default: isOddWide || isOddHigh ? "444" : "420"
    }
  return "yuv\(chroma)p" + (pixels.bitDepth > 8 ? "10le" : "")
}

/// What the frames are turned into and how the film is tagged.
func ffmpegPixels(_ format: VideoFormat, as pixels: String) -> [String] {
  let matrix = format.matrix.rawValue
  var scale: [String] = []
  if format.pixelFormat.isRGB || format.pixelFormat.isGrey {
    scale = ["out_color_matrix=\(matrix)", "out_range=tv"]
  } else if format.range == .full {
    scale = [
      "in_color_matrix=\(matrix)", "out_color_matrix=\(matrix)", "in_range=pc", "out_range=tv",
    ]
  }
  if format.pixelFormat.hasSiting, PixelFormat.named(pixels)?.hasSiting != true {
    let offset = format.siting.words.offset
    scale += ["in_h_chr_pos=\(offset.across)", "in_v_chr_pos=\(offset.down)"]
  }
  return (scale.isEmpty ? [] : ["-vf", "scale=" + scale.joined(separator: ":")]) + [
    "-pix_fmt", pixels, "-color_primaries", "bt709", "-color_trc", "bt709",
    "-colorspace", format.matrix.words.ffmpeg, "-color_range", "tv",
  ]
}
