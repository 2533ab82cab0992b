internal import CVector

/// Where the blocks of a frame in 8-bit 4:2:0 stand, and their chroma's sites.
struct BlockOutput {
  private let width: Int
  let isBetweenColumns: Bool
  let isBetweenRows: Bool
  /// Bytes from the frame's first to those of Cb and Cr, from site to site, and from row to row.
  private let cb: Int
  private let cr: Int
  private let step: Int
  private let pitch: Int

  /// Nil for other formats.
  init?(_ format: VideoFormat) {
    let (pixelFormat, size) = (format.pixelFormat, format.size)
    guard pixelFormat.bitDepth == 8, pixelFormat.hasSiting else { return nil }
    width = size.width
    isBetweenColumns = format.siting == .jpeg
    isBetweenRows = format.siting != .paldv
    let chroma = pixelFormat.planes.dropFirst()
    let first = size.width * size.height
    step = chroma.first!.components.count
    pitch = chroma.first!.size(in: size).width * step
    cb = first
    cr = step == 2 ? first + 1 : first + pixelFormat.byteCount(chroma.first!, size)
  }

  /// Where a row begins.
  func luma(_ bytes: UnsafeMutableRawBufferPointer, row: Int) -> UnsafeMutablePointer<UInt8> {
    (bytes.baseAddress! + row * width).assumingMemoryBound(to: UInt8.self)
  }

  /// Where the chroma of a strip begins.
  func chroma(_ bytes: UnsafeMutableRawBufferPointer, top: Int) -> MSChromaTarget {
    func plane(_ start: Int) -> UnsafeMutablePointer<UInt8> {
      (bytes.baseAddress! + (start + top / 2 * pitch)).assumingMemoryBound(to: UInt8.self)
    }
    return MSChromaTarget(cb: plane(cb), cr: plane(cr), step: step)
  }

  /// Copies the blocks of a strip that `isMeant` says from another frame.
  @inline(always)
  func copyRuns(
    of frame: Frame, into bytes: UnsafeMutableRawBufferPointer, top: Int, blocks: Int,
    where isMeant: (_ block: Int) -> Bool
  ) {
    frame.withUnsafeBytes { source in
      func copy(_ start: Int, _ count: Int) {
        (bytes.baseAddress! + start).copyMemory(
          from: source.baseAddress! + start, byteCount: count)
      }
      var block = 0
      while block < blocks {
        let first = block
        while block < blocks, isMeant(block) { block += 1 }
        if block > first {
          let (column, count) = (first * SheetMap.pitch, (block - first) * SheetMap.pitch)
          for row in top..<top + SheetMap.rows { copy(row * width + column, count) }
          let (site, sites) = (top / 2 * pitch + column / 2 * step, count / 2 * step)
          copy(cb + site, sites)
          if step == 1 { copy(cr + site, sites) }
        }
        block += 1
      }
    }
  }
}
