/// The built-in scene: grasses in a ribbed vase on a table before a wall, drawn by arithmetic.
///
/// It hands over what a photograph hands over, only exactly: the picture, the depth and the coverage
/// of each pixel; and it can be looked at from any other pose, which no photograph can. Its unit of
/// length is the distance of the vase's axis from the camera that took the photo. The same size
/// gives the same bytes on every machine.
public struct StillLife: Sendable {
  /// The lens of the camera that took the photo, as a 35 mm equivalent in millimetres.
  public static let focalLength35 = 28.0

  /// The photo's size in pixels.
  public let size: Size
  public let optics: Optics

  let composition: Composition
  let room: Room
  let vase: Vase
  let glaze: Glaze
  let bouquet: Bouquet
  let shadow: ShadowMap

  public init(size: Size) {
    precondition(size.width > 0 && size.height > 0)
    self.size = size
    optics = Optics(photo: size, focalLength35: Self.focalLength35)
    composition = Composition(size: size, optics: optics)
    let daylight = Daylight(composition)
    room = Room(composition: composition, daylight: daylight)
    vase = Vase(composition)
    glaze = Glaze(composition: composition, daylight: daylight)
    bouquet = Bouquet(composition: composition, daylight: daylight)
    shadow = ShadowMap(
      vase: vase, bouquet: bouquet, daylight: daylight, composition: composition)
  }

  /// What a camera in another pose truly sees.
  public struct View: Sendable {
    /// Linear light with sRGB primaries in x, y and z, nothing premultiplied; w is how much of the
    /// pixel the subject covers, 0…1.
    public let colour: Plane<SIMD4<Float>>
    /// δ = S / Z with Z from the camera that took the photo, of what each pixel sees first.
    public let disparity: Plane<Float>
  }

  /// The photo, the inverse depth 1/Z of each of its pixels in the scene's unit, and the coverage of
  /// the subject, which is the vase and all that stands in it. All are of the photo's size.
  ///
  /// A pixel's depth is that of the thing with which, counted from the front, half of it is covered.
  public func render() async -> (photo: Photo, depth: DisparityMap, matte: Matte) {
    let renderer = StillLifeRenderer(self, view: rest)
    let transfer = TransferFunction.sRGB
    let pixels = await renderer.plane { texel in
      Pixel(
        colour: transfer.sixteenBit(texel.colour), nearness: texel.nearness,
        coverage: texel.colour.w)
    }
    let colour = await pixels.concurrentMap { $0.colour }
    let nearness = await pixels.concurrentMap { $0.nearness }
    let coverage = await pixels.concurrentMap { $0.coverage }
    return (
      Photo(samples: .sixteen(colour), hasAlpha: false, focalLength35: Self.focalLength35),
      DisparityMap(disparity: nearness, source: .stillLife),
      Matte(coverage: coverage, isExact: true, source: .stillLife)
    )
  }

  /// The photo alone: 16 bits a channel, no alpha.
  public func photo() async -> Photo { await render().photo }

  /// What `camera` truly sees, for comparison with a frame that was made from layers.
  ///
  /// - Parameters:
  ///   - camera: a pose of the camera that took the photo; its optics are the still life's.
  ///   - window: the part of the photo that is looked at; its output is the view's size.
  ///   - crop: the magnification that the frame has on top.
  ///   - unit: the subject's distance S in the scene's unit, in which poses are measured.
  public func trueView(
    camera: Camera, window: Window, crop: Double, unit: Double
  ) async -> View {
    let view = Viewpoint(camera: camera, window: window, crop: crop, unit: unit)
    let texels = await StillLifeRenderer(self, view: view).plane { $0 }
    let scale = Float(unit)
    return View(
      colour: await texels.concurrentMap { $0.colour },
      disparity: await texels.concurrentMap { $0.nearness * scale })
  }

  /// The view that is the photo.
  private var rest: Viewpoint {
    Viewpoint(
      camera: Camera(optics: optics, pose: .rest, target: nil),
      window: Window(photo: size, output: size, target: optics.centre), crop: 1, unit: 1)
  }

  private struct Pixel {
    var colour: SIMD4<UInt16>
    var nearness: Float
    var coverage: Float
  }
}

extension Plane {
  fileprivate func concurrentMap<Other>(
    _ transform: @Sendable @escaping (Sample) -> Other
  ) async -> Plane<Other> {
    await Plane<Other>(
      width: width, height: height,
      concurrentFill: { y, row in
        withUnsafeSamples { source in
          for x in 0..<width { row[x] = transform(source[y * width + x]) }
        }
      })
  }
}
