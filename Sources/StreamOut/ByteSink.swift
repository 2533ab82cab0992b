internal import CSystem
internal import MotionCore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An open output: takes bytes and either takes all of them or says why not.
///
/// A file is written under a hidden name beside its own and renamed by `finish`; a sink that goes
/// away before that deletes it. What is there already and is no regular file is written directly.
/// The process must ignore `SIGPIPE`, or a reader that leaves ends it.
final class ByteSink {
  /// Bytes the system has taken, and how many of them as pages that were not copied.
  private(set) var bytesWritten = 0
  private(set) var bytesHandedOver = 0

  /// The name a temporary file gets when it is whole, and whether that may replace another.
  private struct Promotion {
    let temporary: String
    let name: String
    let overwrite: Bool
  }

  private enum State { case open, failed, ended }

  /// As the caller gave it; nil for standard output.
  let path: String?
  private let descriptor: Int32
  /// Whether it takes pages instead of a copy, as far as is known.
  private var takesPages: Bool
  private let promotion: Promotion?
  private var state = State.open

  /// - Parameter isOver: asked while a FIFO has no reader; true gives up.
  /// - Throws: what `Output.check` throws; `system(.open, …)`; `isTerminal`.
  init(_ output: Output, unless isOver: () -> Bool = { false }) throws(StreamOutError) {
    let path = output.path
    var promotion: Promotion?
    switch try output.place() {
    case .standardOutput:
      descriptor = STDOUT_FILENO
    case .address:
      throw .system(.open, path: path, code: EPROTONOSUPPORT)
    case .special(let name):
      descriptor = try Self.openSpecial(name, unless: isOver)
    case .regular(let name, let replacedMode):
      let temporary: String
      (descriptor, temporary) = try Self.makeTemporary(beside: name, path: path)
      if let replacedMode { fchmod(descriptor, replacedMode) }
      promotion = Promotion(temporary: temporary, name: name, overwrite: output.overwrites)
    }
    self.path = path
    self.promotion = promotion
    takesPages = isPipe(descriptor)
    // A whole frame a write, and a reader that need not wake for every 64 KiB. Anything but a pipe
    // refuses, and so does a system whose pipe quota is used up: then it stays as it was.
    _ = msSetPipeSize(descriptor, 1 << 20)
  }

  deinit { discard() }

  /// Whether it can go back: a new file, which is its own alone.
  var isSeekable: Bool { promotion != nil }

  /// Where an unfinished file is meanwhile.
  var temporaryPath: String? { promotion?.temporary }

  /// Goes to a place in the file, or past its end.
  ///
  /// - Parameter whence: as `lseek` has it; 65536 asks for the file's length, as libavformat does.
  /// - Returns: the place or length; nil where there is none.
  func seek(_ offset: Int64, _ whence: Int32) -> Int64? {
    guard isSeekable, state == .open else { return nil }
    if whence == 65536 {
      var status = stat()
      return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
    }
    let place = lseek(descriptor, off_t(offset), whence)
    return place < 0 ? nil : Int64(place)
  }

  /// Writes the bytes and then those of the buffer, in one call to the system where it takes them.
  ///
  /// - Throws: `readerGone` or `system(.write, …)`; nothing can be written afterwards.
  func write(
    _ start: [UInt8],
    then rest: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(StreamOutError) {
    precondition(state == .open, "written after an error or the end")
    try start.withUnsafeBufferPointer { (start) throws(StreamOutError) in
      try write(UnsafeRawBufferPointer(start), rest)
    }
  }

  /// Writes the bytes and then a frame, whose pages are handed over and not copied where a pipe takes
  /// them.
  func write(_ start: [UInt8], then frame: Frame) throws(StreamOutError) {
    if takesPages {
      let isDone: Void? = try frame.withUnsafeLentBytes { (bytes) throws(StreamOutError) in
        if !start.isEmpty { try write(start) }
        let taken = try handOver(bytes)
        if taken < bytes.count {
          try write([], then: UnsafeRawBufferPointer(rebasing: bytes[taken...]))
        }
      }
      if isDone != nil { return }
    }
    try frame.withUnsafeBytes { (bytes) throws(StreamOutError) in
      try write(start, then: bytes)
    }
  }

  /// Closes, and gives a file its name.
  ///
  /// - Throws: `system(.close, …)`, `system(.rename, …)`, or `exists` where another file has taken
  ///   the name in the meantime. The temporary file is gone then.
  func finish() throws(StreamOutError) {
    precondition(state == .open, "finished twice or after an error")
    state = .ended
    var code = closeChecked()
    guard let promotion else {
      if code != 0 { throw .system(.close, path: path, code: code) }
      return
    }
    var operation = StreamOutError.Operation.close
    if code == 0 {
      operation = .rename
      code = Self.promote(promotion)
    }
    guard code != 0 else { return }
    unlink(promotion.temporary)
    if code == EEXIST { throw .exists(path: promotion.name) }
    throw .system(operation, path: path, code: code)
  }

  /// Closes and deletes an unfinished file. Does nothing after `finish`.
  func discard() {
    guard state != .ended else { return }
    state = .ended
    _ = closeChecked()
    if let promotion { unlink(promotion.temporary) }
  }

  // MARK: - The system's side

  /// Writes both buffers, whatever it takes: short writes, interruptions, a full non-blocking pipe.
  private func write(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) throws(StreamOutError) {
    let total = first.count + second.count
    var done = 0
    while done < total {
      let code = Self.advance(&done, first, second, descriptor)
      switch code {
      case 0, EINTR: continue
      case EAGAIN, EWOULDBLOCK: waitUntilWritable()
      case EPIPE, ECONNRESET:
        state = .failed
        throw .readerGone
      default:
        state = .failed
        throw .system(.write, path: path, code: code)
      }
    }
    bytesWritten += total
  }

  /// Gives pages to a pipe, and returns how many bytes of them it took: fewer than all where it takes
  /// none after all.
  private func handOver(_ bytes: UnsafeRawBufferPointer) throws(StreamOutError) -> Int {
    var done = 0
    while done < bytes.count {
      let taken = msHandOver(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if taken > 0 {
        done += taken
        bytesWritten += taken
        bytesHandedOver += taken
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case EPIPE:
        state = .failed
        throw .readerGone
      default:
        takesPages = false
        return done
      }
    }
    return done
  }

  /// One `writev` of what lies behind `done` in the two buffers. Returns an error number or 0.
  ///
  /// The casts away from const are sound: `writev` only reads.
  private static func advance(
    _ done: inout Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    _ descriptor: Int32
  ) -> Int32 {
    let split = min(done, first.count)
    let rests = [first[split...], second[(done - split)...]].filter { !$0.isEmpty }
    let vectors = rests.map {
      let rest = UnsafeRawBufferPointer(rebasing: $0)
      return iovec(
        iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
    }
    let count = writev(descriptor, vectors, Int32(vectors.count))
    // A device that takes nothing and says nothing would keep us here for ever.
    guard count > 0 else { return count == 0 ? EIO : errno }
    done += count
    return 0
  }

  /// Waits without turning; an error or a signal is the next write's to report.
  private func waitUntilWritable() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }

  /// Closes and returns an error number or 0. Standard output stays open, so that nothing opened
  /// later takes its number: closing a copy makes a network file system report all the same.
  private func closeChecked() -> Int32 {
    let closing = descriptor == STDOUT_FILENO ? dup(descriptor) : descriptor
    guard closing >= 0, close(closing) != 0, errno != EINTR else { return 0 }
    return errno
  }

  /// Opens a FIFO or device, and waits for a FIFO's reader: by asking now and then, since a signal
  /// that is handled on another thread does not end the system's own waiting.
  private static func openSpecial(
    _ name: String, unless isOver: () -> Bool
  ) throws(StreamOutError) -> Int32 {
    let isFIFO = isFIFO(name)
    let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY
    var descriptor = open(name, isFIFO ? flags | O_NONBLOCK : flags)
    while isFIFO, descriptor < 0, errno == ENXIO {
      if isOver() { throw .system(.open, path: name, code: EINTR) }
      usleep(10_000)
      descriptor = open(name, flags | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw .system(.open, path: name, code: errno) }
    if isFIFO { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
    if isatty(descriptor) == 1 {
      close(descriptor)
      throw .isTerminal(path: name)
    }
    return descriptor
  }

  /// A new, hidden file in the folder of `name`.
  private static func makeTemporary(
    beside name: String, path: String?
  ) throws(StreamOutError) -> (descriptor: Int32, temporary: String) {
    // More than one number only for several sinks of a process, or what a killed one left.
    for number in 0..<1000 {
      let temporary = folder(of: name) + ".motion-stream-\(getpid())-\(number).part"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, temporary) }
      guard errno == EEXIST else { throw .system(.open, path: path, code: errno) }
    }
    throw .system(.open, path: path, code: EEXIST)
  }

  /// Gives the temporary file its name and returns an error number or 0. A link, unlike a rename,
  /// never replaces a file that came in the meantime; where there are no links, asking must do.
  private static func promote(_ promotion: Promotion) -> Int32 {
    let (temporary, name) = (promotion.temporary, promotion.name)
    if !promotion.overwrite {
      if link(temporary, name) == 0 {
        unlink(temporary)
        return 0
      }
      if errno == EEXIST || access(name, F_OK) == 0 { return EEXIST }
    }
    return rename(temporary, name) == 0 ? 0 : errno
  }
}
