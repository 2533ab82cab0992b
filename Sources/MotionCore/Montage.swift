/// Pictures of 8-bit R'G'B' side by side on a dark ground.
public struct Montage {
  public let size: Size
  private var codes: [UInt8]

  /// The ground between the pictures.
  private static let ground: UInt8 = 24

  public init(size: Size) {
    self.size = size
    codes = Array(repeating: Self.ground, count: size.width * size.height * 3)
  }

  /// Lays a picture with its top left corner at a place; what does not fit is left out.
  public mutating func lay(_ picture: Thumbnail, left: Int, top: Int) {
    precondition(left >= 0 && top >= 0)
    let count = max(min(picture.size.width, size.width - left), 0) * 3
    for y in 0..<max(min(picture.size.height, size.height - top), 0) {
      let (from, to) = (y * picture.size.width * 3, ((top + y) * size.width + left) * 3)
      codes.replaceSubrange(to..<to + count, with: picture.codes[from..<from + count])
    }
  }

  public var raster: Raster { Raster(size: size, channels: .rgb, samples: .eight(codes)) }
}

/// A picture of 8-bit R'G'B' for a montage.
public struct Thumbnail: Sendable {
  public let size: Size
  /// R', G', B' of each pixel in row order.
  let codes: [UInt8]

  /// A frame in `rgb24`.
  public init(_ frame: Frame) {
    precondition(frame.format.pixelFormat == .rgb24)
    self.init(size: frame.format.size, codes: frame.bytes)
  }

  init(size: Size, codes: [UInt8]) {
    precondition(codes.count == size.width * size.height * 3)
    (self.size, self.codes) = (size, codes)
  }

  /// The picture with its long side at most `longSide`, averaged in linear light.
  public func reduced(toLongSide longSide: Int) async -> Thumbnail {
    guard size.longSide > longSide else { return self }
    let photo = Photo(
      samples: .eight(
        await Plane(width: size.width, height: size.height) { y, row in
          for x in 0..<size.width {
            let at = (y * size.width + x) * 3
            row[x] = SIMD4(codes[at], codes[at + 1], codes[at + 2], .max)
          }
        }), hasAlpha: false)
    let linear = await photo.linear(
      onto: Grid(photo: size, density: Double(longSide) / Double(size.longSide)))
    let encoded = TransferFunction.sRGB.withEncoder { encode in
      linear.samples.flatMap { pixel in
        let value = encode(pixel) * 255 + 0.5
        return [UInt8(value.x), UInt8(value.y), UInt8(value.z)]
      }
    }
    return Thumbnail(size: linear.size, codes: encoded)
  }

  /// A part of the picture, each pixel `times` as wide and high. The part is moved inside where it
  /// reaches beyond the edge, and no larger than the picture.
  public func enlarged(left: Int, top: Int, _ part: Size, times: Int) -> Thumbnail {
    let (width, height) = (min(part.width, size.width), min(part.height, size.height))
    let (left, top) = (
      min(max(left, 0), size.width - width), min(max(top, 0), size.height - height)
    )
    var enlarged: [UInt8] = []
    enlarged.reserveCapacity(width * height * times * times * 3)
    for y in 0..<height * times {
      for x in 0..<width * times {
        let at = ((top + y / times) * size.width + left + x / times) * 3
        enlarged += codes[at..<at + 3]
      }
    }
    return Thumbnail(size: Size(width: width * times, height: height * times), codes: enlarged)
  }
}

extension Montage {
  /// The long side of a contact sheet's frames, where they are not smaller.
  public static let cellSide = 480

  /// Frames of one round of a loop, evenly spaced from its first, in rows from the top left.
  ///
  /// - Parameter shot: of `rgb24`, as large as each frame is to be.
  public static func contactSheet(of shot: Shot, frames: Int = 12, columns: Int = 4) -> Raster {
    let count = min(frames, shot.loop.period)
    let cells = (0..<count).map {
      Thumbnail(shot.frame(UInt64($0 * shot.loop.period / count)))
    }
    let (gap, cell) = (8, cells[0].size)
    let across = min(columns, count)
    let down = (count + across - 1) / across
    var sheet = Montage(
      size: Size(
        width: across * (cell.width + gap) + gap, height: down * (cell.height + gap) + gap))
    for (index, picture) in cells.enumerated() {
      sheet.lay(
        picture, left: gap + index % across * (cell.width + gap),
        top: gap + index / across * (cell.height + gap))
    }
    return sheet.raster
  }
}
