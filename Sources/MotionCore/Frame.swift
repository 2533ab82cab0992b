/// A frame being drawn: its only owner may write it, and `finish` turns it into a `Frame`.
public struct Canvas: ~Copyable {
  public let format: VideoFormat
  private let storage: FrameStorage

  public init(format: VideoFormat) {
    self.format = format
    storage = FrameStorage(count: format.frameBytes)
  }

  /// The bytes of all planes, one behind the other. The pointer must not leave the closure.
  public mutating func withUnsafeMutableBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    body(UnsafeMutableRawBufferPointer(start: storage.base, count: storage.count))
  }

  /// Ends the drawing.
  public consuming func finish() -> Frame { Frame(format: format, storage: storage) }
}

/// One finished picture of a stream: immutable, shared without copying.
public struct Frame: Sendable {
  public let format: VideoFormat
  private let storage: FrameStorage

  fileprivate init(format: VideoFormat, storage: FrameStorage) {
    (self.format, self.storage) = (format, storage)
  }

  /// The bytes of all planes, one behind the other, without padding. The pointer must not leave the
  /// closure.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeRawBufferPointer(start: storage.base, count: storage.count))
  }

  /// The bytes, copied.
  public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// The memory of a frame.
///
/// `@unchecked`: written only through a `Canvas`, which cannot be copied and is gone when a `Frame`
/// exists.
private final class FrameStorage: @unchecked Sendable {
  private let block: PlaneMemory.Block<UInt8>
  let count: Int
  var base: UnsafeMutableRawPointer { UnsafeMutableRawPointer(block.base) }

  init(count: Int) {
    self.count = count
    block = PlaneMemory.allocate(count)
  }

  deinit { PlaneMemory.deallocate(block) }
}
