internal import MotionCore
internal import StreamOut

extension Consumer {
  /// The line for a shell that makes the film and has it read, each word quoted where it needs to be.
  func commandLine(for film: Film) throws(ConsumerError) -> String {
    if let error = refusal(of: film) { throw error }
    return line(film)
  }

  private func refusal(of film: Film) -> ConsumerError? {
    let format = film.format
    var reasons: [ConsumerError.Reason] = []
    var use: [String] = []
    let (pixels, container) = nearest(to: film)
    if pixels != format.pixelFormat || container.name != film.container.name {
      reasons.append(.pixels(format.pixelFormat, film.container))
      if container.name != film.container.name { use += ["--format", container.name] }
      if pixels != format.pixelFormat { use += ["--pix-fmt", pixels.name] }
      // Without alpha there is no subject alone.
      if format.alpha != .opaque, !pixels.hasAlpha { use += ["--layer", "all"] }
    }
    if format.alpha == .premultiplied, pixels.hasAlpha {
      reasons.append(.premultiplied)
      use += ["--alpha", "straight"]
    }
    let ranges = ranges(pixels)
    if !ranges.contains(format.range) {
      reasons.append(.range(pixels, format.range))
      use += ["--range", ranges[0].rawValue]
    }
    if pixels.hasSiting, !sitings.contains(format.siting) {
      reasons.append(.siting(format.siting))
      use += ["--chroma-siting", sitings[0].rawValue]
    }
    let size = nearest(to: format.size, of: pixels, container)
    if size != format.size {
      reasons.append(.size(format.size))
      use += ["--size", "\(size)"]
    }
    if film.isEndless && !takesEndless {
      reasons.append(.endless)
      use += ["--loops", "1"]
    }
    return reasons.first.map { ConsumerError(consumer: self, reason: $0, use: use) }
  }

  /// The film's pixel format and container where the consumer reads them, else what is most like
  /// them: the pixel format in another container, then one with as many bits, then any; with alpha
  /// first where the subject is alone.
  private func nearest(to film: Film) -> (PixelFormat, Container) {
    let (wanted, said) = (film.format.pixelFormat, film.format.siting)
    let siting = sitings.contains(said) ? said : sitings[0]
    let transparent = PixelFormat.all.filter { $0.hasAlpha && film.format.alpha != .opaque }
    let formats =
      [wanted] + transparent + PixelFormat.all.filter { $0.bitDepth == wanted.bitDepth }
      + PixelFormat.all
    // A picture is no stream, and what is encoded is no stream of frames.
    let containers = ([film.container] + Container.all).filter { !$0.isStill && !$0.isEncoded }
    for format in formats where said == .mpeg2 || format.hasSiting {
      for container in containers
      where container.canCarry(format, siting) && reads(format, container) {
        return (format, container)
      }
    }
    preconditionFailure("\(name) reads nothing that is sited as \(said)")
  }

  /// The size itself where the consumer takes it, else the nearest below; both sides scaled together
  /// where one is out of bounds.
  private func nearest(
    to size: Size, of pixelFormat: PixelFormat, _ container: Container
  ) -> Size {
    let sides = sides(container)
    let shortSide = min(size.width, size.height)
    let scale =
      shortSide < sides.lowerBound
      ? Double(sides.lowerBound) / Double(shortSide)
      : min(1, Double(sides.upperBound) / Double(size.longSide))
    func side(_ length: Int, _ shifts: [Int]) -> Int {
      let step = wantsWholeChroma ? 1 << (shifts.max() ?? 0) : 1
      let steps = Double(length) * scale / Double(step)
      let whole = Int(steps.rounded(scale == 1 ? .down : .toNearestOrAwayFromZero)) * step
      let clamped = min(max(whole, sides.lowerBound), sides.upperBound)
      return max(clamped / step * step, step)
    }
    return Size(
      width: side(size.width, pixelFormat.planes.map { $0.shiftX }),
      height: side(size.height, pixelFormat.planes.map { $0.shiftY }))
  }
}
