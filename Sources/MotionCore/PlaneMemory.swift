internal import Synchronization

// The only door to what the system does with memory.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Memory for the samples of planes.
///
/// A plane is written once and soon freed: most of that would be the system's work, which clears each
/// page before it gives it. So large blocks have large pages, and freed ones wait for the next plane.
enum PlaneMemory {
  /// Samples that are not initialised yet.
  struct Block<Sample> {
    let base: UnsafeMutablePointer<Sample>
    fileprivate let bytes: Int
    /// Whether no page of it holds anything else.
    var hasOwnPages: Bool { bytes >= largePage }
  }

  /// The size of the pages that Linux has for large blocks; smaller blocks are malloc's to keep.
  private static let largePage = 2 << 20
  /// No more than this is kept for later; what waits longest goes.
  private static let mostKept = 64 << 20

  /// Freed blocks, those that wait longest first.
  private static let kept = Mutex<[Block<UInt8>]>([])

  /// Memory for `count` samples; `deallocate` frees it.
  static func allocate<Sample>(_ count: Int) -> Block<Sample> {
    let bytes = count * MemoryLayout<Sample>.stride
    let block = bytes < largePage ? nil : takeKept(bytes) ?? large(bytes)
    let raw =
      block.map { UnsafeMutableRawPointer($0.base) }
      ?? .allocate(byteCount: bytes, alignment: MemoryLayout<Sample>.alignment)
    return Block(
      base: raw.bindMemory(to: Sample.self, capacity: count), bytes: block?.bytes ?? bytes)
  }

  /// - Parameter isLent: whether somebody may still read its pages, so that the memory gets others.
  static func deallocate<Sample>(_ block: Block<Sample>, isLent: Bool = false) {
    let raw = UnsafeMutableRawPointer(block.base)
    #if os(Linux)
      if isLent {
        precondition(block.hasOwnPages)
        // The pages go; who still has one keeps it, and the next to write here gets new ones. Memory
        // whose pages do not go is not used again.
        guard madvise(raw, block.bytes, MADV_DONTNEED) == 0 else { return }
      }
    #endif
    guard largePage...mostKept ~= block.bytes else {
      raw.deallocate()
      return
    }
    let base = raw.bindMemory(to: UInt8.self, capacity: block.bytes)
    free(keep(Block<UInt8>(base: base, bytes: block.bytes)))
  }

  /// - Returns: what is not kept any longer.
  private static func keep(_ block: Block<UInt8>) -> [Block<UInt8>] {
    kept.withLock { kept in
      kept.append(block)
      var total = kept.reduce(0) { $0 + $1.bytes }
      let first = kept.firstIndex { oldest in
        defer { total -= oldest.bytes }
        return total <= mostKept
      }!
      defer { kept.removeFirst(first) }
      return Array(kept[..<first])
    }
  }

  /// Gives back to the system what is kept.
  static func returnKept() {
    free(takeAllKept())
  }

  private static func takeAllKept() -> [Block<UInt8>] {
    kept.withLock { kept in
      defer { kept = [] }
      return kept
    }
  }

  private static func free(_ blocks: [Block<UInt8>]) {
    for block in blocks { UnsafeMutableRawPointer(block.base).deallocate() }
  }

  /// The smallest kept block of at least so many bytes, unless it would waste half of itself.
  private static func takeKept(_ bytes: Int) -> Block<UInt8>? {
    kept.withLock { kept in
      let fitting = kept.indices.filter { bytes...2 * bytes ~= kept[$0].bytes }
      guard let best = fitting.min(by: { kept[$0].bytes < kept[$1].bytes }) else { return nil }
      return kept.remove(at: best)
    }
  }

  /// A block of whole pages.
  private static func large(_ atLeast: Int) -> Block<UInt8> {
    let page = Int(getpagesize())
    let bytes = (atLeast + page - 1) / page * page
    let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: largePage)
    #if os(Linux)
      // A request: without it the block is as good, and slower.
      madvise(raw, bytes, MADV_HUGEPAGE)
    #endif
    return Block(base: raw.bindMemory(to: UInt8.self, capacity: bytes), bytes: bytes)
  }
}

/// Memory that nobody holds but the one who was given the block.
extension PlaneMemory.Block: @unchecked Sendable {}
