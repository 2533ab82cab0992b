internal import MotionCore
internal import StreamOut

/// Pixel formats by what GStreamer's `rawvideoparse` calls them.
let gstreamerNames = [
  "yuv420p": "i420", "yuv422p": "y42b", "yuv444p": "y444", "gray": "gray8",
  "yuv420p10le": "i420-10le", "yuv422p10le": "i422-10le", "yuv444p10le": "y444-10le",
  "yuv420p12le": "i420-12le", "yuv422p12le": "i422-12le", "yuv444p12le": "y444-12le",
  "nv12": "nv12", "p010le": "p010-10le", "rgb24": "rgb", "bgr24": "bgr", "rgba": "rgba",
  "bgra": "bgra", "rgb0": "rgbx", "bgr0": "bgrx", "gbrp": "gbr",
]

/// Of Y4M, GStreamer 1.22 takes grey and more than 8 bits for something else.
func gstreamerReads(_ format: PixelFormat, _ container: Container) -> Bool {
  container.isRaw
    ? gstreamerNames[format.name] != nil : format.bitDepth == 8 && !format.isGrey
}

func gstreamerElements(_ film: Film) -> [String] {
  let format = film.format
  let pixels = format.pixelFormat
  var elements = ["!", "y4mdec"]
  if film.container.isRaw {
    elements = [
      "!", "rawvideoparse", "format=\(gstreamerNames[pixels.name] ?? "")",
      "width=\(format.size.width)", "height=\(format.size.height)", "framerate=\(format.rate)",
    ]
    // It would pad rows to four bytes, and planes to even heights.
    let rows = pixels.planes.map { plane in
      plane.size(in: format.size).width * plane.components.count * pixels.codeBytes
    }
    if rows.contains(where: { $0 % 4 != 0 }) || format.size.height % 2 == 1 {
      var (offset, offsets) = (0, [Int]())
      for plane in pixels.planes {
        offsets.append(offset)
        offset += pixels.byteCount(plane, format.size)
      }
      elements += [
        "plane-strides=\(gstreamerList(rows))", "plane-offsets=\(gstreamerList(offsets))",
        "frame-size=\(format.frameBytes)",
      ]
    }
  }
  if !pixels.isRGB {
    // What it takes Y'CbCr to be goes by the height alone, whatever Y4M says, and from 2160 on by
    // its version.
    let assumed: (ColorMatrix, ChromaSiting)? =
      format.size.height > 576
      ? format.size.height < 2160 ? (.bt709, .mpeg2) : nil : (.bt601, .jpeg)
    let isAssumed = format.matrix == assumed?.0 && format.range == .limited
    var caps = "video/x-raw"
    if !isAssumed || pixels.isGrey { caps += ",colorimetry=\(gstreamerColorimetry(format))" }
    if pixels.hasSiting, format.siting != assumed?.1 {
      caps += ",chroma-site=" + format.siting.words.gstreamer
    }
    if caps != "video/x-raw" { elements += ["!", "capssetter", "caps=\(caps)"] }
  }
  return elements + ["!", "videoconvert", "!", "autovideosink"]
}

func gstreamerList(_ numbers: [Int]) -> String {
  "<" + numbers.map(String.init).joined(separator: ",") + ">"
}

/// Range, matrix, transfer function and primaries by GStreamer's numbers; the last two are BT.709's.
func gstreamerColorimetry(_ format: VideoFormat) -> String {
  "\(format.range == .full ? 1 : 2):\(format.matrix.words.gstreamer):5:1"
}
