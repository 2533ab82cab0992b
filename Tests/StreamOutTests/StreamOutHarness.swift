import Foundation
import MotionCore
import StreamOut

/// A folder of its own that goes away with its owner.
final class ScratchFolder {
  let path: String

  init() {
    var template = Array((NSTemporaryDirectory() + "/streamout-XXXXXX").utf8CString)
    precondition(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// The names in the folder, hidden ones too, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

func contents(_ path: String) -> [UInt8]? {
  FileManager.default.contents(atPath: path).map(Array.init)
}

func put(_ text: String, at path: String) {
  precondition(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
}

func videoFormat(
  _ width: Int, _ height: Int, _ pixelFormat: PixelFormat = .yuv420p,
  range: ColorRange = .limited
) -> VideoFormat {
  // Sides and rates in these tests are all legal.
  try! VideoFormat(
    size: Size(width: width, height: height), rate: FrameRate(30)!, pixelFormat: pixelFormat,
    matrix: .bt601, range: range)
}

/// A frame whose bytes count up from the seed, modulo a prime, so that a shifted one shows.
func testFrame(_ format: VideoFormat, seed: Int = 0) -> Frame {
  var canvas = Canvas(format: format)
  canvas.withUnsafeMutableBytes { bytes in
    for index in bytes.indices { bytes[index] = UInt8((index + seed) % 251) }
  }
  return canvas.finish()
}

/// What a call throws, or nil.
func failure(_ body: () throws(StreamOutError) -> Void) -> StreamOutError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

/// A pipe whose ends are closed with it. Its reader, if any, drains it on a thread of its own.
final class TestPipe: @unchecked Sendable {
  let readEnd: Int32
  private(set) var writeEnd: Int32
  private var received: [UInt8] = []
  private let done = DispatchSemaphore(value: 0)

  init() {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// The name under which the write end can be opened again.
  var writePath: String { "/dev/fd/\(writeEnd)" }

  func closeWriteEnd() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }

  /// Reads until the writers are gone, `piece` bytes at a time with a pause before each.
  func startReading(piece: Int, pauseMicroseconds: UInt32 = 0) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: piece)
      while true {
        if pauseMicroseconds > 0 { usleep(pauseMicroseconds) }
        let count = read(readEnd, &buffer, piece)
        guard count > 0 else { break }
        received += buffer[..<count]
      }
      done.signal()
    }
  }

  /// What the reader got; ends the write side first.
  func finishReading() -> [UInt8] {
    closeWriteEnd()
    done.wait()
    return received
  }

  deinit {
    closeWriteEnd()
    close(readEnd)
  }
}
