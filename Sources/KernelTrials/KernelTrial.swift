internal import CVector
package import MotionCore

/// A kernel and what it is to work on. The same list is the test, which holds every instruction set to
/// the plain twins, and the benchmark.
package struct KernelTrial {
  package let kernel: String
  package let input: String
  /// How many values the kernel makes.
  package let samples: Int
  private let work: (InstructionSet) -> Void
  private let bytes: () -> [UInt8]

  fileprivate init(
    _ kernel: String, _ input: String, samples: Int, into outputs: [Room],
    _ work: @escaping (InstructionSet) -> Void
  ) {
    (self.kernel, self.input, self.samples, self.work) = (kernel, input, samples, work)
    bytes = { outputs.flatMap(\.bytes) }
  }

  package func run(_ instructions: InstructionSet) { work(instructions) }

  /// All that the kernel wrote, and what stood beside it before.
  package func result(_ instructions: InstructionSet) -> [UInt8] {
    run(instructions)
    return bytes()
  }
}

extension KernelTrial {
  /// Every kernel on rows of many lengths, odd ones among them, that look into planes of noise in every
  /// way that frames do.
  package static var all: [KernelTrial] {
    [1, 7, 33, 240].flatMap { blocks in
      Look.allCases.flatMap { look in
        [segments(blocks, look), luma(blocks, look), chroma(blocks, look, step: 1)]
      } + [chroma(blocks, .level, step: 2), points(blocks), lines(blocks)] + edges(blocks)
    }
  }

  /// The kinds of segments that luma is drawn along by them, and chroma.
  package static var kinds: [Set<Int32>] {
    [8, 4].map { pixels in
      Set(
        Look.allCases.flatMap { look in
          let (segments, numbers) = row(240, look, pixels: pixels)
          let kinds = segments.segments(240).kind
          return withExtendedLifetime(segments) { numbers.map { kinds[Int($0)] } }
        })
    }
  }

  /// Those that are timed.
  package static var timed: [KernelTrial] { all.filter { $0.isLong } }

  private var isLong: Bool { samples >= 240 }

  /// How a row of blocks looks into a plane.
  private enum Look: String, CaseIterable {
    /// Sample by sample; a little faster, and between rows; quickly and steeply; by every number of
    /// samples and rows that segments tell apart; anyhow.
    case still, level, steep, varied, wild

    /// Rows at which edges lie: some on one, some between two or three.
    private var varied: [Float] { [50, 50, 50, 50, 50.3, 50.7, 50.6, 51.9, 52.5, 51] }

    func edges(_ count: Int, _ noise: inout Noise) -> (x: [Float], y: [Float]) {
      var (x, y): ([Float], [Float]) = ([], [])
      for edge in 0..<count {
        let i = Float(edge % 200)
        let point: (Float, Float) =
          switch self {
          case .still: (40 + 8 * i, 50)
          case .level: (40.3 + 8.4 * i, 50.3 + 0.01 * i)
          case .steep: (40.7 + 9.5 * i + noise.unit(), 90.6 - 0.3 * i)
          case .varied:
            (x.last.map { $0 + 8 * (0.1 + 1.8 * noise.unit()) } ?? 40, varied[edge % 10])
          case .wild: (1700 * noise.unit() - 20, 130 * noise.unit() - 5)
          }
        x.append(point.0)
        y.append(point.1)
      }
      return (x, y)
    }
  }

  private static let (width, height) = (2048, 128)

  private static func placing(pixels: Int) -> MSPlacing {
    let scale = Float(pixels) / 8
    return MSPlacing(
      scaleX: scale, scaleY: 1, offsetX: 0.25, offsetY: 0, lastX: Float(width) * scale - 14,
      lastY: Float(height - 4), lead: pixels == 8 ? 0 : 1 / 16, stride: Int32(width))
  }

  private static func whole(_ blocks: Int) -> Int { (blocks + 7) / 8 * 8 }

  /// All eights of a row but each third.
  private static func eights(_ blocks: Int) -> (numbers: Room, count: Int) {
    let numbers = (0..<Int32(whole(blocks) / 8)).filter { $0 % 3 != 1 }
    return (Room(numbers), numbers.count)
  }

  private static func listed(_ list: (numbers: Room, count: Int)) -> MSBlocks {
    MSBlocks(numbers: list.numbers.pointer(), count: list.count)
  }

  private static func segments(_ blocks: Int, _ look: Look) -> KernelTrial {
    var noise = Noise(seed: 1)
    let edges = look.edges(whole(blocks) + 1, &noise)
    let (x, y) = (Room(edges.x), Room(edges.y))
    let out = Room([Int32](repeating: -1, count: 6 * whole(blocks)))
    let wanted = eights(blocks)
    return KernelTrial(
      "place segments", "\(blocks) blocks, \(look)", samples: 8 * wanted.count, into: [out]
    ) { instructions in
      let edges = MSEdges(x: x.pointer(), y: y.pointer())
      instructions.place(
        edges, edges, placing(pixels: 8), 8, listed(wanted), out.segments(whole(blocks)))
    }
  }

  /// Segments of a row, and every block but each fifth.
  private static func row(_ blocks: Int, _ look: Look, pixels: Int) -> (Room, numbers: [Int32]) {
    var noise = Noise(seed: 2)
    let edges = look.edges(whole(blocks) + 1, &noise)
    let (x, y) = (Room(edges.x), Room(edges.y))
    let segments = Room([Int32](repeating: 0, count: 6 * whole(blocks)))
    let wanted = eights(blocks)
    withExtendedLifetime((x, y, segments, wanted.numbers)) {
      let both = MSEdges(x: x.pointer(), y: y.pointer())
      InstructionSet.plain.place(
        both, both, placing(pixels: pixels), Int32(pixels), listed(wanted),
        segments.segments(whole(blocks)))
    }
    // Those of other eights have no segments.
    return (
      segments, (0..<Int32(blocks)).filter { $0 / 8 % 3 != 1 && (blocks == 1 || $0 % 5 != 3) }
    )
  }

  private static func luma(_ blocks: Int, _ look: Look) -> KernelTrial {
    let (segments, list) = row(blocks, look, pixels: 8)
    var noise = Noise(seed: 3)
    let samples = Room((0..<width * height).map { _ in UInt16(noise.unit() * 65528) })
    let codes = Room((0..<8192).map { UInt8(truncatingIfNeeded: $0 / 32 ^ $0) })
    let light = Room([UInt16](repeating: 0, count: 8 * blocks))
    let out = Room([UInt8](repeating: 7, count: 8 * blocks))
    let numbers = Room(list)
    return KernelTrial(
      "draw luma", "\(blocks) blocks, \(look)", samples: 8 * list.count, into: [out]
    ) { instructions in
      instructions.drawLuma(
        MSSamples(base: samples.pointer(), stride: width), segments.segments(whole(blocks)),
        MSBlocks(numbers: numbers.pointer(), count: list.count), codes.pointer(),
        light.pointer(), out.pointer())
    }
  }

  private static func chroma(_ blocks: Int, _ look: Look, step: Int) -> KernelTrial {
    let (segments, list) = row(blocks, look, pixels: 4)
    var noise = Noise(seed: 4)
    let samples = Room((0..<width * height).map { _ in UInt16(noise.unit() * 65280) })
    let out = Room([UInt8](repeating: 7, count: 8 * blocks))
    let numbers = Room(list)
    return KernelTrial(
      "draw chroma", "\(blocks) blocks, \(look), step \(step)", samples: 8 * list.count,
      into: [out]
    ) { instructions in
      let cb = out.pointer() as UnsafeMutablePointer<UInt8>
      instructions.drawChroma(
        MSSamples(base: samples.pointer(), stride: width), segments.segments(whole(blocks)),
        MSBlocks(numbers: numbers.pointer(), count: list.count),
        MSChromaTarget(cb: cb, cr: step == 1 ? cb + 4 * blocks : cb + 1, step: step))
    }
  }

  /// A sheet with steps and noise, seen from aside and from near.
  private static func withSheet(_ disparity: Room, _ body: (MSSheet) -> Void) {
    body(
      MSSheet(
        disparity: disparity.pointer(), width: 200, lastX: 199, lastY: 99, lastPairX: 198,
        lastPairY: 98, densityX: 0.5, densityY: 0.45, offsetX: 99.5, offsetY: 49.5, shiftX: 3,
        shiftY: -2, perZoom: 0.9, forward: 0.15, sidewaysX: 14, sidewaysY: 0, nearest: 0.9,
        rounds: 32,
        rest: 1 / 65536))
  }

  private static var disparity: Room {
    var noise = Noise(seed: 5)
    return Room(
      (0..<200 * 100).map { place -> Float in
        let step = Float(place % 200 / 40) * 0.2
        return step + Float(place / 200) / 500 + 0.01 * noise.unit()
      })
  }

  private static func points(_ blocks: Int) -> KernelTrial {
    let disparity = disparity
    let count = (blocks + 31) / 32 * 32
    let (x, y) = (
      Room([Float](repeating: 0, count: count)), Room([Float](repeating: 0, count: count))
    )
    let columns = Room((0..<count).map { Float($0 * 7 % count) })
    return KernelTrial("solve points", "\(count) points", samples: count, into: [x, y]) {
      instructions in
      withSheet(disparity) {
        instructions.solve(
          $0, MSPinnedRow(left: -200, step: 400 / Float(count), line: 20), columns.pointer(),
          count, x.pointer(), y.pointer())
      }
    }
  }

  private static func lines(_ blocks: Int) -> KernelTrial {
    let disparity = disparity
    let count = (blocks + 31) / 32 * 32
    var noise = Noise(seed: 6)
    let step = 50 / Float(count)
    func edges() -> (x: Room, y: Room) {
      let x = Room((0...count).map { Float($0) * 8 * step - 200 + 6 * noise.unit() })
      return (x, Room((0...count).map { _ in 20 + noise.unit() }))
    }
    let (upper, lower) = (edges(), edges())
    let out = Room([UInt8](repeating: 7, count: count))
    return KernelTrial("check lines", "\(count) blocks", samples: count, into: [out]) {
      instructions in
      func line(_ edges: (x: Room, y: Room), _ line: Float) -> (edges: MSEdges, row: MSPinnedRow) {
        (
          MSEdges(x: edges.x.pointer(), y: edges.y.pointer()),
          MSPinnedRow(left: -200, step: step, line: line)
        )
      }
      withSheet(disparity) { sheet in
        for block in stride(from: 0, to: count, by: 8) {
          instructions.check(
            sheet, line(upper, 20), line(lower, 21), block, 4, out.pointer() + block)
        }
      }
    }
  }
}

extension KernelTrial {
  /// What draws blocks in linear light, on lists that leave out every fifth block.
  private static func edges(_ blocks: Int) -> [KernelTrial] {
    let list = (0..<Int32(blocks)).filter { blocks == 1 || $0 % 5 != 3 }
    let numbers = Room(list)
    let count = (9 * list.count + 7) / 8 * 8
    var noise = Noise(seed: 8)
    func row(_ count: Int, _ range: Float, _ least: Float) -> Room {
      Room((0..<count).map { _ in least + range * noise.unit() })
    }
    let edges = (x: row(blocks + 2, 500, -50), y: row(blocks + 2, 300, -20))
    let (x, y) = (row(count, 0, 0), row(count, 0, 0))
    /// With values that are no place at all.
    func odd(_ room: Room) -> Room {
      let values = room.pointer() as UnsafeMutablePointer<Float>
      for index in stride(from: 0, to: count, by: 17) {
        values[index] = [.nan, .infinity, -.infinity][index % 3]
      }
      return room
    }
    let places = (x: odd(row(count, 260, -130)), y: odd(row(count, 160, -80)))
    let colour = row(4 * 201 * 101, 1.2, -0.1)
    let light = row(4 * count, 1.2, -0.1)
    let oddLight = odd(row(4 * count, 1.2, -0.1))
    let laid = row(4 * count, 1, 0)
    let room = row(3 * count, 1, 0)
    let table = row(16386, 1, 0)
    let encoded = row(3 * count, 1, 0)
    let other = row(3 * count, 1, 0)
    let (made, codes) = (row(3 * count, 0, 0), Room([UInt8](repeating: 7, count: 8 * blocks)))
    let chroma = Room([UInt8](repeating: 7, count: 8 * blocks))
    let matrix = MSMatrixRow(red: 60, green: 150, blue: 20, offset: 16)
    let input = "\(blocks) blocks"
    func lay(_ isOver: Bool) -> KernelTrial {
      KernelTrial(
        "lay colour", "\(input), \(isOver ? "over" : "alone")", samples: count, into: [laid]
      ) { instructions in
        // It takes from what it writes to.
        laid.copy(light)
        instructions.layColour(
          MSColours(
            colour: colour.pointer(), width: 201, lastX: 200, lastY: 100, lastPairX: 199,
            lastPairY: 99, densityX: 0.9, densityY: 0.8, offsetX: 100, offsetY: 50),
          places.x.pointer(), places.y.pointer(), count, isOver,
          room.places(count), laid.pointer())
      }
    }
    return [
      KernelTrial("place pixels", input, samples: 9 * list.count, into: [x, y]) { instructions in
        instructions.placePixels(
          MSEdges(x: edges.x.pointer(), y: edges.y.pointer()), listed((numbers, list.count)), 0,
          x.pointer(),
          y.pointer())
      },
      lay(false), lay(true),
      KernelTrial("encode light", input, samples: count, into: [made]) { instructions in
        instructions.encodeLight(
          oddLight.pointer() as UnsafePointer<SIMD4<Float>>, count, table.pointer(), 16384,
          made.pointer())
      },
      KernelTrial("put luma", input, samples: 8 * list.count, into: [codes]) { instructions in
        instructions.putLuma(
          encoded.pointer(), count, listed((numbers, list.count)), matrix, codes.pointer())
      },
      KernelTrial("put chroma", input, samples: 8 * list.count, into: [chroma]) { instructions in
        let cb = chroma.pointer() as UnsafeMutablePointer<UInt8>
        instructions.putChroma(
          encoded.pointer(), other.pointer(), count, listed((numbers, list.count)),
          MSSiteFilter(upper: 0.5, lower: 0.5, left: 0.25, own: 0.5, right: 0.25),
          MSMatrixRow(red: -30, green: -80, blue: 110, offset: 128),
          MSMatrixRow(red: 110, green: -90, blue: -20, offset: 128),
          MSChromaTarget(cb: cb, cr: cb + 4 * blocks, step: 1))
      },
    ]
  }
}

/// Memory for a kernel's input or output.
private final class Room {
  private let memory: UnsafeMutableRawBufferPointer

  /// Some room behind the values is theirs: kernels may read whole vectors.
  init<Value: BitwiseCopyable>(_ values: [Value]) {
    let count = values.count * MemoryLayout<Value>.stride
    memory = .allocate(byteCount: count + 64, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    values.withUnsafeBytes { memory.copyMemory(from: $0) }
  }

  deinit { memory.deallocate() }

  func pointer<Value>() -> UnsafeMutablePointer<Value> {
    memory.baseAddress!.assumingMemoryBound(to: Value.self)
  }

  func pointer<Value>() -> UnsafePointer<Value> {
    UnsafePointer(pointer() as UnsafeMutablePointer<Value>)
  }

  func segments(_ blocks: Int) -> MSSegments {
    let base = pointer() as UnsafeMutablePointer<Int32>
    return MSSegments(
      first: base, place: base + blocks, step: base + 2 * blocks, down: base + 3 * blocks,
      fall: base + 4 * blocks, kind: base + 5 * blocks)
  }

  func places(_ pixels: Int) -> MSPlaces {
    let base = pointer() as UnsafeMutablePointer<Int32>
    let shares = UnsafeMutableRawPointer(base + pixels).assumingMemoryBound(to: Float.self)
    return MSPlaces(first: base, across: shares, down: shares + pixels)
  }

  var bytes: [UInt8] { Array(memory) }

  func copy(_ other: Room) { memory.copyMemory(from: UnsafeRawBufferPointer(other.memory)) }
}

/// Numbers that look like chance (Steele, Lea and Flood, 2014).
private struct Noise {
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
