/// A rectangle of samples in row order: written once, while it is made, and shared freely after.
///
/// The samples stand without padding; (0, 0) is the top left. A plane is a reference to storage
/// that nobody can write any more, so copies cost nothing and may cross threads.
public struct Plane<Sample: BitwiseCopyable & Sendable>: Sendable {
  public let width: Int
  public let height: Int
  private let storage: Storage

  /// The memory of a plane.
  ///
  /// `@unchecked`: written only inside `Plane.init`, before anyone else can hold it.
  private final class Storage: @unchecked Sendable {
    private let block: PlaneMemory.Block<Sample>
    var base: UnsafeMutablePointer<Sample> { block.base }

    init(count: Int) { block = PlaneMemory.allocate(max(count, 1)) }
    deinit { PlaneMemory.deallocate(block) }
  }

  /// Makes a plane row by row, from the top; `fill` must write every sample of the row it is given.
  public init(
    width: Int, height: Int, fill: (_ y: Int, _ row: UnsafeMutableBufferPointer<Sample>) -> Void
  ) {
    precondition(width >= 0 && height >= 0)
    let storage = Storage(count: width * height)
    for y in 0..<height {
      fill(y, UnsafeMutableBufferPointer(start: storage.base + y * width, count: width))
    }
    (self.width, self.height, self.storage) = (width, height, storage)
  }

  /// Makes a plane in one go, for decoders that write whole pictures; `fill` must write every
  /// sample, in row order, or throw.
  public init<Failure: Error>(
    width: Int, height: Int,
    fillAll fill: (UnsafeMutableBufferPointer<Sample>) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(width >= 0 && height >= 0)
    let storage = Storage(count: width * height)
    try fill(UnsafeMutableBufferPointer(start: storage.base, count: width * height))
    (self.width, self.height, self.storage) = (width, height, storage)
  }

  /// Makes a plane with its rows spread over all cores, in no particular order.
  ///
  /// `fill` must write every sample of its row, and its result may depend on nothing but `y`.
  public init(
    width: Int, height: Int,
    concurrentFill fill:
      @Sendable @escaping (_ y: Int, _ row: UnsafeMutableBufferPointer<Sample>)
      -> Void
  ) async {
    await self.init(width: width, height: height) { rows, row in
      for y in rows { fill(y, row(y)) }
    }
  }

  /// Makes a plane in bands of consecutive rows spread over all cores, in no particular order.
  ///
  /// `fill` gets each row of its band from `row` and must write every sample of it; what it writes
  /// may depend on nothing but the row's number and the height, which alone says where bands lie.
  init(
    width: Int, height: Int,
    concurrentBands fill:
      @Sendable @escaping (
        _ rows: Range<Int>, _ row: (_ y: Int) -> UnsafeMutableBufferPointer<Sample>
      ) -> Void
  ) async {
    precondition(width >= 0 && height >= 0)
    let storage = Storage(count: width * height)
    await forEachBand(of: height) { rows in
      fill(rows) { UnsafeMutableBufferPointer(start: storage.base + $0 * width, count: width) }
    }
    (self.width, self.height, self.storage) = (width, height, storage)
  }

  /// A plane of one value.
  public init(width: Int, height: Int, repeating value: Sample) {
    self.init(width: width, height: height) { _, row in row.initialize(repeating: value) }
  }

  /// A plane of the samples of an array in row order, `width * height` of them.
  public init(width: Int, height: Int, samples: [Sample]) {
    precondition(samples.count == width * height)
    self.init(width: width, height: height) { y, row in
      _ = row.initialize(from: samples[y * width..<(y + 1) * width])
    }
  }

  public var size: Size { Size(width: width, height: height) }

  public subscript(x: Int, y: Int) -> Sample {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return storage.base[y * width + x]
  }

  /// All samples in row order. The pointer must not leave the closure.
  public func withUnsafeSamples<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeBufferPointer(start: storage.base, count: width * height))
  }

  /// The samples in row order, copied.
  public var samples: [Sample] { withUnsafeSamples { Array($0) } }

  /// A plane of the same size with every sample mapped.
  @inlinable
  public func map<Other>(_ transform: (Sample) -> Other) -> Plane<Other> {
    withUnsafeSamples { source in
      Plane<Other>(width: width, height: height) { y, row in
        for x in 0..<width { row[x] = transform(source[y * width + x]) }
      }
    }
  }
}

/// Width and height in pixels.
public struct Size: Hashable, Sendable, CustomStringConvertible {
  public let width: Int
  public let height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var longSide: Int { max(width, height) }
  public var description: String { "\(width)x\(height)" }
}

/// Runs `body` over consecutive bands of `0..<count` on all cores and waits for all of them. Where the
/// bands lie depends on `count` alone, so that sums along them are the same on every machine.
func forEachBand(of count: Int, _ body: @Sendable @escaping (Range<Int>) -> Void) async {
  // Many more bands than cores, so that a slow band does not leave the other cores idle.
  let band = max(8, (count + 31) / 32)
  await withTaskGroup(of: Void.self) { group in
    for start in stride(from: 0, to: count, by: band) {
      group.addTask { body(start..<min(start + band, count)) }
    }
  }
}
