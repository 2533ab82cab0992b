import Foundation
import MotionCore
import Synchronization
import Testing

@testable import StreamOut

struct ByteSinkTests {
  let scratch = ScratchFolder()

  init() { signal(SIGPIPE, SIG_IGN) }

  private func sink(_ path: String, overwrite: Bool = false) throws(StreamOutError) -> ByteSink {
    try ByteSink(.file(path: path, overwrite: overwrite))
  }

  private func write(_ bytes: [UInt8], mark: [UInt8] = [], to sink: ByteSink) throws(StreamOutError)
  {
    try bytes.withUnsafeBufferPointer { (buffer) throws(StreamOutError) in
      try sink.write(mark, then: UnsafeRawBufferPointer(buffer))
    }
  }

  // MARK: - Pages

  /// A pipe is given large frames by their pages; what has no pages of its own is copied.
  @Test(arguments: [(1920, 1080), (1919, 1081), (320, 180)])
  func pipesAreGivenPages(_ width: Int, _ height: Int) throws {
    let pipe = TestPipe()
    pipe.startReading(piece: 50_000, pauseMicroseconds: 100)
    var (expected, handedOver): ([UInt8], Int) = ([], 0)
    do {
      let sink = try sink(pipe.writePath)
      for seed in 0..<3 {
        // Gone, and its memory free, before the reader has seen the end of it.
        let frame = testFrame(videoFormat(width, height), seed: seed)
        expected += [70] + frame.bytes
        try sink.write([70], then: frame)
      }
      handedOver = sink.bytesHandedOver
      try sink.finish()
    }
    #expect(pipe.finishReading() == expected)
    #if os(Linux)
      #expect(handedOver == (width > 1000 ? expected.count - 3 : 0))
    #endif
  }

  @Test func filesAreGivenCopies() throws {
    let sink = try sink(scratch.file("a"))
    try sink.write([], then: testFrame(videoFormat(1920, 1080)))
    #expect(sink.bytesHandedOver == 0 && sink.bytesWritten == 1920 * 1080 * 3 / 2)
  }

  // MARK: - Interruptions

  /// Every wait of a write into a full pipe is broken off again and again by a signal whose handler
  /// does not restart it.
  @Test func aStormOfSignalsLosesNothing() throws {
    Interruptions.handle()
    let path = scratch.file("fifo")
    try #require(mkfifo(path, 0o600) == 0)
    let count = 4 << 20
    let storm = Interruptions(path: path, count: count)
    let reader = try #require(FileHandle(forReadingAtPath: path))
    var bytes: [UInt8] = []
    while let part = try reader.read(upToCount: 40_000), !part.isEmpty {
      bytes += part
      usleep(500)
    }
    #expect(storm.end() == nil)
    #expect(bytes == Interruptions.pattern(count))
    #expect(Interruptions.seen.load(ordering: .relaxed) > 20, "there was no storm")
  }

  // MARK: - Files

  @Test func fileAppearsWhenItIsWhole() throws {
    let path = scratch.file("a")
    let sink = try sink(path)
    try write([3, 4], mark: [1, 2], to: sink)
    #expect(contents(path) == nil)
    #expect(scratch.names.count == 1 && scratch.names[0].hasPrefix("."))
    try sink.finish()
    #expect(contents(path) == [1, 2, 3, 4])
    #expect(scratch.names == ["a"])
    #expect(sink.bytesWritten == 4)
  }

  @Test func discardRemovesTheFileAndMayBeRepeated() throws {
    let sink = try sink(scratch.file("a"))
    try write([1], to: sink)
    sink.discard()
    sink.discard()
    #expect(scratch.names.isEmpty)
  }

  @Test func droppedSinkRemovesTheFile() throws {
    do { try write([1], to: sink(scratch.file("a"))) }
    #expect(scratch.names.isEmpty)
  }

  @Test func replacedFileStaysUntilTheEndAndKeepsItsMode() throws {
    let path = scratch.file("a")
    put("old", at: path)
    chmod(path, 0o640)
    let sink = try sink(path, overwrite: true)
    try write(Array("new".utf8), to: sink)
    #expect(contents(path) == Array("old".utf8))
    try sink.finish()
    #expect(contents(path) == Array("new".utf8))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(scratch.names == ["a"])
  }

  @Test func fileThatCameMeanwhileIsKept() throws {
    let path = scratch.file("a")
    let sink = try sink(path)
    put("other", at: path)
    #expect(failure(sink.finish) == .exists(path: path))
    #expect(contents(path) == Array("other".utf8))
    #expect(scratch.names == ["a"])
  }

  @Test func folderThatWentIsAnError() throws {
    let folder = scratch.file("in")
    mkdir(folder, 0o700)
    let sink = try sink(folder + "/a")
    try FileManager.default.removeItem(atPath: folder)
    #expect(failure(sink.finish) == .system(.rename, path: folder + "/a", code: ENOENT))
  }

  @Test func writesThroughALink() throws {
    mkdir(scratch.file("in"), 0o700)
    put("old", at: scratch.file("in/target"))
    symlink("in/target", scratch.file("link"))
    let sink = try sink(scratch.file("link"), overwrite: true)
    try write([1], to: sink)
    try sink.finish()
    #expect(contents(scratch.file("in/target")) == [1])
    let link = scratch.file("link")
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil)
  }

  @Test func sinksForOneNameDoNotMeet() throws {
    let path = scratch.file("a")
    let (one, two) = (try sink(path, overwrite: true), try sink(path, overwrite: true))
    try write([1], to: one)
    try write([2], to: two)
    try one.finish()
    try two.finish()
    #expect(contents(path) == [2])
  }

  /// A limit on the size of files stands for a full disk: the system writes what fits, then fails.
  @Test func fullDiskIsAnErrorAndLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      let setLimit: (inout rlimit) -> Int32 = {
        #if canImport(Darwin)
          setrlimit(RLIMIT_FSIZE, &$0)
        #else
          setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &$0)
        #endif
      }
      precondition(setLimit(&limit) == 0)
      let scratch = ScratchFolder()
      let path = scratch.file("a")
      do {
        let sink = try ByteSink(.file(path: path, overwrite: false))
        let error = failure { () throws(StreamOutError) in
          try sink.write(Array(repeating: 1, count: 1500))
        }
        precondition(error == .system(.write, path: path, code: EFBIG))
      } catch {
        preconditionFailure("\(error)")
      }
      precondition(scratch.names.isEmpty)
    }
  }

  @Test(.enabled(if: access("/dev/full", W_OK) == 0))
  func fullDeviceIsAnError() throws {
    let sink = try sink("/dev/full")
    #expect(
      failure { () throws(StreamOutError) in try write([1], to: sink) }
        == .system(.write, path: "/dev/full", code: ENOSPC))
  }

  // MARK: - Pipes

  @Test(arguments: [(1, 0), (4096, 0), (100_000, 100)])
  func slowReadersGetEveryByte(_ piece: Int, _ pause: UInt32) throws {
    let pipe = TestPipe()
    let bytes = testFrame(videoFormat(piece == 1 ? 127 : 1280, 720)).bytes
    let sink = try sink(pipe.writePath)
    pipe.startReading(piece: piece, pauseMicroseconds: pause)
    try write(bytes, mark: Array("FRAME\n".utf8), to: sink)
    try write(bytes, to: sink)
    try sink.finish()
    #expect(pipe.finishReading() == Array("FRAME\n".utf8) + bytes + bytes)
  }

  /// A pipe that is full and does not block, as another program may leave standard output.
  @Test func nonBlockingPipeIsWaitedFor() throws {
    let pipe = TestPipe()
    let sink = try sink(pipe.writePath)
    // A second opening has flags of its own, so the sink's must be found and set.
    for descriptor in 3..<256 as Range<Int32>
    where descriptor != pipe.writeEnd && sameFile(descriptor, pipe.writeEnd) {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    let bytes = testFrame(videoFormat(1920, 1080)).bytes
    pipe.startReading(piece: 50_000, pauseMicroseconds: 500)
    try write(bytes, mark: [9], to: sink)
    try sink.finish()
    #expect(pipe.finishReading() == [9] + bytes)
  }

  @Test func pipeGrowsWhereItMay() throws {
    let pipe = TestPipe()
    let sink = try sink(pipe.writePath)
    #if os(Linux)
      let size = fcntl(pipe.writeEnd, 1032)  // F_GETPIPE_SZ
      #expect(size == 1 << 20 || size == 65536 || size == 4096)
    #endif
    sink.discard()
  }

  @Test func readerThatLeavesIsTyped() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("fifo")
    mkfifo(path, 0o600)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    let sink = try sink(path)
    try write([1, 2, 3], to: sink)
    close(reader)
    #expect(
      failure { () throws(StreamOutError) in try write([4], to: sink) } == .readerGone)
    sink.discard()
    #expect(scratch.names == ["fifo"])
  }

  @Test func terminalsAreRefused() throws {
    var (controller, terminal): (Int32, Int32) = (-1, -1)
    try #require(openpty(&controller, &terminal, nil, nil, nil) == 0)
    defer { for end in [controller, terminal] { close(end) } }
    let name = String(cString: ttyname(terminal))
    #expect(failure { () throws(StreamOutError) in _ = try sink(name) } == .isTerminal(path: name))
  }

  private func sameFile(_ a: Int32, _ b: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    guard fstat(a, &first) == 0, fstat(b, &second) == 0 else { return false }
    return first.st_ino == second.st_ino && first.st_dev == second.st_dev
      && fcntl(a, F_GETFL) & O_ACCMODE == O_WRONLY
  }
}

/// A thread that writes, and one that interrupts it until it has written all.
private final class Interruptions: @unchecked Sendable {
  static let seen = Atomic<Int>(0)

  private let isDone = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)
  /// Set by the writer before it signals its end.
  private var failure: (any Error)?

  static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

  /// Has the signal handled, and not restarted after.
  static func handle() {
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    let handler: @convention(c) (Int32) -> Void = { _ in
      Interruptions.seen.add(1, ordering: .relaxed)
    }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(SIGUSR2, &action, nil)
  }

  init(path: String, count: Int) {
    Thread.detachNewThread { [self] in
      // A test's own thread lets no signal through, and its threads are like it.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_UNBLOCK, &all, nil)
      let writer = pthread_self()
      let storm = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [self] in
        while !isDone.load(ordering: .acquiring) {
          pthread_kill(writer, SIGUSR2)
          usleep(200)
        }
        storm.signal()
      }
      do {
        let sink = try ByteSink(.file(path: path, overwrite: false))
        try sink.write(Self.pattern(count))
        try sink.finish()
      } catch {
        failure = error
      }
      isDone.store(true, ordering: .releasing)
      // The writer must live as long as anybody signals it.
      storm.wait()
      ended.signal()
    }
  }

  /// Waits for the writer, and says what stopped it.
  func end() -> (any Error)? {
    ended.wait()
    return failure
  }
}
