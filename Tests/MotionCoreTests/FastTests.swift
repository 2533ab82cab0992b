import KernelTrials
import Testing

@testable import MotionCore

/// The fast renderer beside the reference.
@Suite struct FastTests {
  /// Differences of codes, in those of 8 bits, over all planes.
  private struct Differences {
    private var counts = [Int](repeating: 0, count: 1 << 16)
    private let unit: Double

    init(_ a: Frame, _ b: Frame) {
      let format = a.format.pixelFormat
      let shift = format.codeShift
      unit = Double(1 << (format.bitDepth - 8))
      let (a, b) = (a.bytes, b.bytes)
      if format.codeBytes == 1 {
        for (x, y) in zip(a, b) { counts[abs(Int(x) - Int(y))] += 1 }
      } else {
        func code(_ bytes: [UInt8], _ i: Int) -> Int {
          (Int(bytes[i]) | Int(bytes[i + 1]) << 8) >> shift
        }
        for i in stride(from: 0, to: a.count, by: 2) { counts[abs(code(a, i) - code(b, i))] += 1 }
      }
    }

    private var total: Int { counts.reduce(0, +) }
    var mean: Double {
      counts.indices.reduce(0.0) { $0 + Double($1 * counts[$1]) } / Double(total) / unit
    }
    var percentile999: Double {
      var left = total / 1000
      for value in counts.indices.reversed() {
        left -= counts[value]
        if left < 0 { return Double(value) / unit }
      }
      return 0
    }
  }

  private func expectSame(
    _ scene: Scene, _ move: Move, amount: Double = 1, output: Size? = nil,
    pixelFormat: PixelFormat = .yuv420p, siting: ChromaSiting = .mpeg2,
    frames: [UInt64] = [0, 17, 30, 60], location: SourceLocation = #_sourceLocation
  ) async throws {
    func shot(_ renderer: Renderer) async throws -> Shot {
      try await scene.shot(
        move, amount: amount, output: output, pixelFormat: pixelFormat, siting: siting,
        renderer: renderer)
    }
    let (fast, reference) = (try await shot(.fast), try await shot(.reference))
    #expect(fast.renderer == .fast && reference.renderer == .reference, sourceLocation: location)
    #expect(fast.framing.amountUsed == amount, sourceLocation: location)
    for n in frames {
      let differences = Differences(fast.frame(n), reference.frame(n))
      let what = "\(move) \(amount) \(fast.format.size) \(pixelFormat) \(siting) frame \(n)"
      #expect(differences.mean < 0.1, "\(what)", sourceLocation: location)
      #expect(differences.percentile999 <= 3, "\(what)", sourceLocation: location)
    }
  }

  /// In the film's own format, at sizes some of which are odd.
  @Test(arguments: [
    Size(width: 640, height: 360), Size(width: 427, height: 241), Size(width: 401, height: 301),
    Size(width: 1280, height: 720),
  ])
  func framesOfTheStillLifeAreTheReferences(size: Size) async throws {
    let picture = await StillLife(size: size).render()
    let scene = try await Scene(
      photo: picture.photo, depth: picture.depth, matte: picture.matte, output: size)
    for move in Move.all {
      for amount in [0.5, 1, 1.5] { try await expectSame(scene, move, amount: amount) }
    }
  }

  @Test(arguments: PixelFormat.all) func everyFormatIsTheReferences(format: PixelFormat)
    async throws
  {
    let scene = try await largeScene()
    for siting in format.hasSiting ? ChromaSiting.allCases : [.mpeg2] {
      for move in Move.all {
        try await expectSame(scene, move, pixelFormat: format, siting: siting, frames: [25])
      }
    }
  }

  /// Photos that are shown larger and smaller than they are.
  @Test(arguments: [(320, 240), (480, 360), (960, 720)])
  func framesOfOtherSizesAreTheReferences(width: Int, height: Int) async throws {
    let scene = try await SphereBeforeWall(width: 480, height: 360, radius: 100).scene(
      output: Size(width: width, height: height))
    for move in Move.all {
      try await expectSame(scene, move, output: Size(width: width, height: height))
    }
  }

  /// A wall in steps, which tears everywhere.
  @Test func aTornSheetIsTheReferences() async throws {
    let sphere = SphereBeforeWall(width: 320, height: 240, radius: 50)
    let depth = DisparityMap(
      disparity: plane(320, 240) { x, y in
        sphere.distance(x, y) < 50 ? 1 : 0.2 + 0.15 * Double((Int(x / 19) + Int(y / 17)) % 4)
      })
    let scene = try await Scene(
      photo: sphere.photo, depth: depth, matte: sphere.matte,
      output: Size(width: 320, height: 240))
    for move in Move.all { try await expectSame(scene, move) }
  }

  private func largeScene() async throws -> Scene {
    try await SphereBeforeWall(width: 331, height: 227, radius: 60).scene()
  }

  /// Large enough for luma and chroma of their own.
  @Test(arguments: Move.all) func theBytesDependOnTheFrameAlone(move: Move) async throws {
    let shot = try await largeScene().shot(move, period: 8, pixelFormat: .yuv420p)
    let expected = (0..<16).map { shot.frame(UInt64($0)).bytes }
    #expect(Set(expected).count == 5)
    for threads in [1, 2, 3, 7] {
      for cacheBytes in [0, 3 * shot.format.frameBytes, Shot.defaultCacheBytes] {
        for start in [0, 3] {
          var n = start
          try await shot.render(
            FrameRange(start: UInt64(start), count: 12), threads: threads, cacheBytes: cacheBytes
          ) { frame in
            #expect(frame.bytes == expected[n], "\(threads) \(cacheBytes) \(n)")
            n += 1
            return true
          }
          #expect(n == start + 12)
        }
      }
    }
    // And are those of its pose alone.
    let pose = shot.loop.pose(id: shot.loop.poseID(ofFrame: 3))
    let fixed = try await largeScene().shot(at: pose, move, pixelFormat: .yuv420p)
    #expect(fixed.frame(0).bytes == expected[3])
    let again = try await largeScene().shot(move, period: 8, pixelFormat: .yuv420p)
    #expect(again.frame(3).bytes == expected[3])
  }

  /// Frames are the same bytes by every instruction set, and by the plain twins of all kernels.
  @Test(arguments: Move.all) func theBytesAreEveryInstructionSets(move: Move) async throws {
    let sphere = SphereBeforeWall(width: 480, height: 360, radius: 100)
    for size in [Size(width: 480, height: 360), Size(width: 331, height: 227)] {
      let scene = try await sphere.scene(output: size)
      for (format, siting) in [
        (PixelFormat.yuv420p, ChromaSiting.mpeg2), (.yuv420p, .jpeg), (.yuv420p, .paldv),
        (.named("nv12")!, .mpeg2), (.yuv444p, .mpeg2), (.rgb24, .mpeg2),
      ] {
        var frames: [[UInt8]] = []
        for instructions in InstructionSet.all + [.plain] {
          let shot = try await scene.shot(
            move, output: size, pixelFormat: format, siting: siting, instructions: instructions)
          #expect(shot.renderer == .fast)
          frames.append(shot.frame(25).bytes)
        }
        #expect(frames.allSatisfy { $0 == frames[0] }, "\(size) \(format) \(siting)")
      }
    }
  }

  /// What the fast one does not draw, and no more than that, the reference does.
  @Test func theReferenceDrawsTheRest() async throws {
    let (scene, push) = (try await largeScene(), Move.push)
    #expect(try await scene.shot(push).renderer == .fast)
    #expect(try await scene.shot(push, layers: .background).renderer == .fast)
    #expect(try await scene.shot(push, layers: .subject).renderer == .reference)
    #expect(try await scene.shot(push, method: .oneSheet).renderer == .reference)
    #expect(try await scene.shot(at: Pose(z: 0.1), push).renderer == .fast)
    #expect(try await scene.shot(at: Pose(x: 0.5), push).renderer == .reference)
    #expect(try await scene.shot(at: Pose(zoom: 0.01), push).renderer == .reference)
    let small = Size(width: 256, height: 175)
    #expect(try await scene.shot(push, output: small).renderer == .reference)
  }

  /// Parts of a strip encoded one by one are the frame that is encoded whole.
  @Test(arguments: PixelFormat.all) func aStripsPartsAreTheFrames(format: PixelFormat) throws {
    var noise = SplitMix(seed: 7)
    let (width, height) = (45, 7)
    let picture = (0..<width * height).map { _ in
      SIMD4(noise.unit(), noise.unit(), noise.unit(), 1)
    }
    for siting in format.hasSiting ? ChromaSiting.allCases : [.mpeg2] {
      let video = try VideoFormat(
        size: Size(width: width, height: height), rate: FrameRate(30)!, pixelFormat: format,
        matrix: .bt709, range: .limited, siting: siting)
      let encoder = FrameEncoder(video)
      let whole = encoder.frame { y, row in
        _ = row.update(fromContentsOf: picture[y * width..<(y + 1) * width])
      }
      var canvas = Canvas(format: video)
      canvas.withUnsafeMutableBytes { bytes in
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { linear in
          ColourRow.withRows(encoder.rowsOfStrip, width: width) { rows in
            for top in stride(from: 0, to: height, by: encoder.stripRows) {
              for columns in [16..<32, 32..<45, 0..<8, 8..<16] {
                // Whatever is not asked for is another colour.
                linear.update(repeating: SIMD4(repeating: 0.5))
                encoder.strip(top, columns, linear: linear, rows: rows, into: bytes) {
                  y, columns, row in
                  for x in columns { row[x] = picture[y * width + x] }
                }
              }
            }
          }
        }
      }
      #expect(canvas.finish().bytes == whole.bytes, "\(format) \(siting)")
    }
  }
}

/// The stages of the fast renderer beside their plain twins.
@Suite struct FastStageTests {
  /// Every kernel writes what its plain twin writes, by every instruction set and to the last bit.
  @Test func kernelsAreTheirPlainTwins() {
    for trial in KernelTrial.all {
      let plain = trial.result(.plain)
      for instructions in InstructionSet.all {
        #expect(
          trial.result(instructions) == plain,
          "\(trial.kernel), \(trial.input), \(instructions.name)")
      }
    }
  }

  /// They are tried with segments of every kind that there is.
  @Test func kernelsAreTriedWithEveryKind() {
    for kinds in KernelTrial.kinds { #expect(kinds == Set(0...9)) }
  }

  /// A block that is said to show nothing of a card, or nothing but it, does so at every sample that
  /// its pixels take.
  @Test(arguments: Move.all) func coverIsWhatTheSamplesSay(move: Move) async throws {
    let scene = try await SphereBeforeWall(width: 160, height: 120, radius: 33).scene()
    let framing = Framing(scene, move: move, amount: 1, output: scene.photo.size)
    let card = await scene.layers(.layered, for: framing)[1]
    let pixel = 1 / (framing.window.scale * framing.crop)
    let cameras = ([.rest] + move.extremes(amount: 1)).map { framing.camera($0) }
    let step = cameras.map { $0.step(disparity: 1) }.max()! * pixel * card.grid.density
    let centre = framing.optics.centre
    let cover = await CardCover(card, centre: centre, step: step, takesRowAbove: true)
    var seen: [CardCover.Cover: Int] = [:]
    for camera in cameras {
      for top in stride(from: 0, to: 120, by: 2) {
        func line(_ y: Int) -> CardLine {
          CardLine(
            card, disparity: 1,
            from: framing.window.photoPoint(SIMD2(0.5, Double(y) + 0.5), crop: framing.crop)
              - centre, step: pixel, camera: camera)
        }
        cover.eachBlock(along: line(top), count: 20) { block, cover in
          seen[cover, default: 0] += 1
          if cover == .some { return }
          for y in top - 1...top + 1 {
            let line = line(y)
            for x in 8 * block - 1..<8 * block + 8 {
              let point = line[x]
              let at =
                SIMD2<Double>(SIMD2(Double(point.x), Double(point.y)) + centre - card.grid.origin)
                * card.grid.density - 0.5
              for j in 0...1 {
                for i in 0...1 {
                  let a = card.colour[
                    min(max(Int(at.x.rounded(.down)) + i, 0), card.grid.size.width - 1),
                    min(max(Int(at.y.rounded(.down)) + j, 0), card.grid.size.height - 1)
                  ].w
                  #expect(cover == .all ? a == 1 : a == 0)
                }
              }
            }
          }
        }
      }
    }
    for cover in [CardCover.Cover.none, .all, .some] { #expect(seen[cover, default: 0] > 50) }
  }

  /// The map's points are those of the lookup, to a fraction of a pixel where it says so, and exactly
  /// elsewhere.
  @Test(arguments: Move.all) func theMapIsTheLookups(move: Move) async throws {
    let sphere = SphereBeforeWall(width: 160, height: 120, radius: 25)
    let depth = DisparityMap(
      disparity: plane(160, 120) { x, y in
        sphere.distance(x, y) < 25 ? 1 : x < 40 ? 0.2 : 0.4 + x / 1000
      })
    let scene = try await Scene(
      photo: sphere.photo, depth: depth, matte: sphere.matte,
      output: Size(width: 160, height: 120))
    let framing = Framing(scene, move: move, amount: 1, output: scene.photo.size)
    let camera = framing.camera(move.extremes(amount: 1)[0])
    let (linear, solved) = await Self.compare(
      scene.backgroundDisparity, framing, camera, strips: [40, 10, 118, 0])
    #expect(linear > 1000 && solved > 10)
  }

  /// A near thing whose rim reaches a pixel or two from a torn block into the next is not cut off there,
  /// though all lines of that block are right for what is behind it.
  @Test(arguments: Move.all) func rimsAreNotCutOffBetweenBlocks(move: Move) async throws {
    let size = Size(width: 480, height: 360)
    let scene = try await SphereBeforeWall(width: 480, height: 360, radius: 40).scene()
    let framing = Framing(scene, move: move, amount: 1, output: size)
    let grid = scene.backgroundDisparity.grid
    var random = SplitMix(seed: 3)
    var discs: [(x: Double, y: Double, radius: Double)] = []
    for y in stride(from: 20.0, to: 360, by: 36) {
      for x in stride(from: 20.0, to: 480, by: 36) {
        func jitter(_ range: Double) -> Double { (Double(random.unit()) - 0.5) * range }
        discs.append((x + jitter(8), y + jitter(8), 9 + jitter(5)))
      }
    }
    let field = DisparityField(
      grid: grid,
      plane: plane(grid.size.width, grid.size.height) { x, y in
        let p = SIMD2(x, y) / grid.density + grid.origin
        let isNear = discs.contains {
          ($0.x - p.x) * ($0.x - p.x) + ($0.y - p.y) * ($0.y - p.y) < $0.radius * $0.radius
        }
        return isNear ? 0.95 : 0.3
      })
    let (linear, solved) = await Self.compare(
      field, framing, framing.camera(move.extremes(amount: 1)[0]), strips: [])
    #expect(linear > 1000 && solved > 1000)
  }

  /// Expects the map's points where the lookup's are: in a frame's strips in order, and in others.
  ///
  /// - Returns: how many were drawn along lines, and how many were not.
  private static func compare(
    _ field: DisparityField, _ framing: Framing, _ camera: Camera, strips: [Int]
  ) async -> (linear: Int, solved: Int) {
    let lookup = SheetLookup(field, rounds: Method.sheetRounds, camera: camera)
    let map = SheetMap(lookup, roughness: await SheetRoughness(field.plane), framing: framing)
    let step = 1 / (framing.window.scale * framing.crop)
    let size = framing.window.output
    var (linear, solved) = (0, 0)
    for top in Array(stride(from: 0, to: size.height, by: 2)) + strips {
      map.move(to: top) { _, _ in true }
      for y in top..<top + 2 {
        let first =
          framing.window.photoPoint(SIMD2(0.5, Double(y) + 0.5), crop: framing.crop)
          - framing.optics.centre
        for block in 0..<size.width / 8 {
          let points = map.points(row: y, block: block)
          let expected = lookup.photoPoints(from: first, step: step, column: 8 * block)
          let (x, y) = (points.x - expected.x, points.y - expected.y)
          let error = max(x.max(), y.max(), -x.min(), -y.min())
          if map.isLinear(block) {
            linear += 1
            #expect(error < 0.5)
          } else {
            solved += 1
            #expect(error == 0)
          }
        }
      }
    }
    return (linear, solved)
  }

  /// Chroma's weights over samples that are pixels are the filter's own.
  @Test func chromaTapsAreTheFilters() {
    #expect(ChromaTaps(isBetween: false, step: 1).weights == [0, 0.25, 0.5, 0.25, 0])
    #expect(ChromaTaps(isBetween: true, step: 1).weights == [0, 0, 0.5, 0.5, 0])
    for step: Float in [0.7, 1.1, 1.5, 2] {
      for isBetween in [false, true] {
        let taps = ChromaTaps(isBetween: isBetween, step: step)
        #expect(abs(taps.weights.reduce(0, +) - 1) < 1e-6)
        let middle = zip(taps.weights, -2...2).reduce(Float(0)) { $0 + $1.0 * Float($1.1) }
        #expect(abs(middle - taps.offset) < 1e-6)
      }
    }
  }
}

/// Numbers that look like chance (Steele, Lea and Flood, 2014).
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// 0…1.
  mutating func unit() -> Float {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Float((z ^ (z >> 31)) >> 40) / 0x1p24
  }
}
