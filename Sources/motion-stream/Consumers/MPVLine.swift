internal import MotionCore
internal import StreamOut

func mpvOptions(_ film: Film) -> [String] {
  let format = film.format
  let pixels = format.pixelFormat
  var options: [String] = []
  var said: [String] = []
  if !pixels.isRGB {
    if format.matrix != .assumed(for: format.size), !pixels.isGrey {
      said.append("colormatrix=" + format.matrix.words.mpv)
    }
    // Y4M says its range itself, but mpv does not believe it of grey.
    if film.container.isRaw && format.range == .full || pixels.isGrey {
      said.append("colorlevels=\(format.range.rawValue)")
    }
    // Where nothing says it, it goes by the range. Y4M says it of 8 bits.
    let assumed: ChromaSiting = format.range == .full ? .jpeg : .mpeg2
    if pixels.hasSiting, film.container.isRaw || pixels.bitDepth > 8, format.siting != assumed {
      said.append("chroma-location=" + format.siting.words.mpv)
    }
  }
  if film.container.isRaw {
    let rate = format.rate
    options = [
      "--demuxer=rawvideo", "--demuxer-rawvideo-w=\(format.size.width)",
      "--demuxer-rawvideo-h=\(format.size.height)",
      // A float there.
      "--demuxer-rawvideo-fps=\(rate.denominator == 1 ? "\(rate.numerator)" : "\(Float(rate.framesPerSecond))")",
      // Names are the machine's own byte order.
      "--demuxer-rawvideo-mp-format="
        + (pixels.name.hasSuffix("le") ? String(pixels.name.dropLast(2)) : pixels.name),
      "--demuxer-rawvideo-size=\(format.frameBytes)",
    ]
  }
  return options + (said.isEmpty ? [] : ["--vf=format=" + said.joined(separator: ":")])
}
