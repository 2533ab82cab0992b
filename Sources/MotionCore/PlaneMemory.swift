// The only door to what the system does with memory.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Memory for the samples of planes.
enum PlaneMemory {
  /// The size of the pages that Linux has for large blocks. A plane is written once and soon freed:
  /// with small pages most of that would be the system's work, a page at a time.
  private static let largePage = 2 << 20

  /// Memory for `count` samples; `deallocate` frees it.
  static func allocate<Sample>(_ count: Int) -> UnsafeMutablePointer<Sample> {
    let bytes = count * MemoryLayout<Sample>.stride
    #if os(Linux)
      if bytes >= largePage {
        let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: largePage)
        // A request: without it the block is as good, and slower.
        madvise(block, bytes, MADV_HUGEPAGE)
        return block.bindMemory(to: Sample.self, capacity: count)
      }
    #endif
    return UnsafeMutableRawPointer.allocate(
      byteCount: bytes, alignment: MemoryLayout<Sample>.alignment
    ).bindMemory(to: Sample.self, capacity: count)
  }

  static func deallocate<Sample>(_ base: UnsafeMutablePointer<Sample>) {
    UnsafeMutableRawPointer(base).deallocate()
  }
}
