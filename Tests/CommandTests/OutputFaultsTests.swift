import Foundation
import Testing

/// What goes wrong with where the frames go, on the real binary.
@Suite struct OutputFaultsTests {
  /// Frames of 64 × 48 at 4:2:0.
  private static let frameBytes = 64 * 48 * 3 / 2
  private static let size = ["--size", "64x48"]
  /// A run that no test waits for the end of.
  private static let long = size + ["--frames", "100000000"]
  private static let endless = size + ["--endless"]

  // MARK: - Readers that leave

  @Test func headEndsAFiniteRunSilently() throws {
    let run = try Command.shell(
      #""$0" --size 64x48 --frames 100000000 | head -c 1000000 | wc -c; echo "${PIPESTATUS[0]}""#)
    #expect(run.text.split(whereSeparator: \.isWhitespace) == ["1000000", "141"])
    #expect(run.error == "")
  }

  @Test func headEndsAnEndlessRunWithSuccess() throws {
    let run = try Command.shell(
      #""$0" --size 64x48 --endless | head -c 1000000 | wc -c; echo "${PIPESTATUS[0]}""#)
    #expect(run.text.split(whereSeparator: \.isWhitespace) == ["1000000", "0"])
    #expect(run.error == "")
  }

  enum Leaving: CaseIterable {
    case atOnce, afterHeader, midFrame, afterFrame
  }

  @Test(arguments: Leaving.allCases, [false, true])
  func readerMayLeaveAnywhere(_ leaving: Leaving, _ isEndless: Bool) throws {
    let child = try Child(isEndless ? Self.endless : Self.long)
    if leaving != .atOnce {
      while let byte = child.read(1).first, byte != UInt8(ascii: "\n") {}
    }
    switch leaving {
    case .atOnce, .afterHeader: break
    case .midFrame: _ = child.read(6 + Self.frameBytes / 2)
    case .afterFrame: _ = child.read(6 + Self.frameBytes)
    }
    child.closeOutput()
    #expect(child.wait().status == (isEndless ? 0 : 141))
    #expect(child.errorAtEnd() == "")
  }

  // MARK: - Readers that are odd

  @Test func readerMayTakeAByteAtATime() throws {
    let child = try Child(["--size", "16x16", "--frames", "3"])
    var bytes: [UInt8] = []
    while let byte = child.read(1).first { bytes.append(byte) }
    #expect(child.wait() == .exit(0))
    let stream = try #require(Y4MStream(bytes, frameBytes: 384))
    #expect(stream.isWhole && stream.frames.count == 3)
  }

  /// Frames wait for their reader, and no more are made meanwhile.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func sleepingReaderCostsNoMemory() throws {
    let (width, height) = (640, 360)
    let step = 6 + width * height * 3 / 2
    let child = try Child(["--size", "\(width)x\(height)", "--endless"])
    var header = 0
    while let byte = child.read(1).first, byte != UInt8(ascii: "\n") { header += 1 }
    #expect(header > 0)
    // Two loops, after which every pose is kept that will be.
    for _ in 0..<240 { #expect(child.read(step).count == step) }
    let before = try #require(child.residentKiB)
    for _ in 0..<5 {
      #expect(child.waitUntilStalled())
      usleep(300_000)
      let frame = child.read(step)
      #expect(frame.count == step && frame.starts(with: Array("FRAME\n".utf8)))
    }
    let after = try #require(child.residentKiB)
    #expect(after - before <= 4096, "\(before) KiB, then \(after)")
    child.send(SIGTERM)
    #expect(child.readAll().count % step == 0)
    #expect(child.wait() == .signal(SIGTERM))
  }

  @Test func nonBlockingOutputGetsEverything() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK)
    let child = try Child(
      ["--size", "640x360", "--frames", "12"], output: .descriptor(ends[1]))
    close(ends[1])
    usleep(300_000)
    let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let bytes = Array(reader.readDataToEndOfFile())
    #expect(child.wait() == .exit(0))
    #expect(child.errorAtEnd() == "")
    let stream = try #require(Y4MStream(bytes, frameBytes: 640 * 360 * 3 / 2))
    #expect(stream.isWhole && stream.frames.count == 12)
  }

  // MARK: - Places that take nothing

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDeviceIsOneLine() throws {
    let result = try Child(Self.size + ["--frames", "3"], output: .path("/dev/full")).result()
    #expect(result.ending == .exit(1))
    #expect(result.errorLines.count == 1)
  }

  @Test func closedOutputIsOneLine() throws {
    let result = try Child(Self.size + ["--frames", "3"], output: .closed).result()
    #expect(result.ending == .exit(1))
    #expect(result.errorLines.count == 1)
  }

  @Test func terminalIsRefused() throws {
    var (controller, terminal): (Int32, Int32) = (-1, -1)
    try #require(openpty(&controller, &terminal, nil, nil, nil) == 0)
    defer { for end in [controller, terminal] { close(end) } }
    for end in [controller, terminal] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let result = try Child(Self.size, output: .descriptor(terminal)).result()
    #expect(result.ending == .exit(2))
    #expect(result.errorLines.count == 1)
    _ = fcntl(controller, F_SETFL, O_NONBLOCK)
    var byte: UInt8 = 0
    #expect(read(controller, &byte, 1) < 0, "something was written to the terminal")
  }

  /// Neither number may go to a file that is opened later.
  @Test func closedInputAndOutputAreOneLine() throws {
    let result = try Child(
      Self.size + ["--frames", "3"], input: .closed, output: .closed
    ).result()
    #expect(result.ending == .exit(1))
    #expect(result.errorLines.count == 1)
  }

  @Test func fileNeedsNoStandardStreams() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.y4m")
    let result = try Child(
      Self.size + ["--frames", "3", "-v", "--progress", "json", "-o", path], input: .closed,
      output: .closed, error: .closed
    ).result()
    #expect(result.ending == .exit(0))
    let stream = try #require(Y4MStream(contents(path) ?? [], frameBytes: Self.frameBytes))
    #expect(stream.isWhole && stream.frames.count == 3)
  }

  // MARK: - Standard input

  @Test func inputIsLeftAlone() throws {
    let run = try Command.shell(
      #"""
      printf 'a\nb\nc\n' | while read -r line; do
        "$0" --size 16x16 --frames 1 >/dev/null; echo "$line"
      done
      """#)
    #expect(run.text == "a\nb\nc\n")
  }

  @Test func closedInputDoesNotMatter() throws {
    let run = try Command.run("--size", "16x16", "--frames", "2", input: .closed)
    #expect(run.ending == .exit(0))
    #expect(Y4MStream(run.output, frameBytes: 384)?.frames.count == 2)
  }

  // MARK: - Files

  @Test func fileIsTheSameStream() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.y4m")
    let run = try Command.run("--size", "64x48", "--frames", "3", "-o", path)
    #expect(run.ending == .exit(0))
    #expect(run.output.isEmpty)
    #expect(scratch.names == ["a.y4m"])
    #expect(contents(path) == (try Command.run("--size", "64x48", "--frames", "3").output))
  }

  @Test func existingFileIsKeptWithoutY() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.y4m")
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    let refused = try Command.run("--size", "64x48", "--frames", "3", "-o", path)
    #expect(refused.ending == .exit(1))
    #expect(refused.errorLines.count == 1)
    #expect(contents(path) == Array("old".utf8))
    #expect(scratch.names == ["a.y4m"])

    let replaced = try Command.run("--size", "64x48", "--frames", "3", "-y", "-o", path)
    #expect(replaced.ending == .exit(0))
    #expect(Y4MStream(contents(path) ?? [], frameBytes: Self.frameBytes)?.frames.count == 3)
    #expect(scratch.names == ["a.y4m"])
  }

  /// What is read from standard input has no name, and is the user's photo all the same.
  @Test(arguments: ["-o", "--index", "--index-only", "--contact-sheet"])
  func inputOnStandardInputStays(_ option: String) throws {
    let pictures = try Pictures()
    let before = contents(pictures.photo)
    let run = try Command.shell(
      #"""
      "$0" - --matte '\#(pictures.matte)' --frames 1 --format y4m -y \#(option) \#
        '\#(pictures.photo)' <'\#(pictures.photo)' >/dev/null
      """#)
    #expect(run.ending == .exit(2) && run.errorLines.count == 1, "\(run.error)")
    #expect(run.error.contains("photo.png is read"))
    #expect(contents(pictures.photo) == before)
  }

  @Test func fifoIsWrittenDirectly() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.y4m")
    try #require(mkfifo(path, 0o600) == 0)
    let child = try Child(Self.size + ["--frames", "3", "-o", path])
    let reader = try #require(FileHandle(forReadingAtPath: path))
    let bytes = Array(reader.readDataToEndOfFile())
    #expect(child.wait() == .exit(0))
    #expect(Y4MStream(bytes, frameBytes: Self.frameBytes)?.frames.count == 3)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  /// A FIFO that nobody reads must not hold a user's Ctrl-C.
  @Test func fifoWithoutReaderEndsByASignal() throws {
    let scratch = ScratchFolder()
    let path = scratch.file("a.y4m")
    try #require(mkfifo(path, 0o600) == 0)
    let child = try Child(Self.size + ["--frames", "3", "-o", path])
    usleep(2_000_000)
    try #require(child.isRunning)
    child.send(SIGINT)
    #expect(child.wait() == .signal(SIGINT))
  }

  /// A folder that is missing, one that takes no files from anybody, and one that is a file.
  @Test(arguments: ["/nonexistent/a.y4m", "/proc/a.y4m", "/dev/null/a.y4m"])
  func folderThatTakesNoFilesIsOneLine(_ path: String) throws {
    let run = try Command.run("--size", "64x48", "--frames", "3", "-o", path)
    #expect(run.ending == .exit(1))
    #expect(run.errorLines.count == 1)
    #expect(run.error.contains(path))
  }

  /// Permissions do not bind root, who becomes nobody for this.
  @Test(.enabled(if: getuid() != 0 || hasProgram("setpriv")))
  func unwritableFolderIsOneLine() throws {
    let scratch = ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: scratch.file("locked"), withIntermediateDirectories: false)
    let nobody = getuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
    let run = try Command.shell(
      #"""
      cp "$0" '\#(scratch.path)/command' && cd '\#(scratch.path)' &&
        chmod 755 . command && chmod 555 locked || exit 9
      \#(nobody) ./command --size 64x48 --frames 3 -o locked/a.y4m
      """#)
    #expect(run.ending == .exit(1))
    #expect(run.errorLines.count == 1 && run.error.contains("locked/a.y4m"), "\(run.error)")
    #expect(run.error.contains("permission denied"))
    #expect(scratch.names == ["command", "locked"])
  }

  /// A limit on the size of files stands for a full disk (`ulimit -f` counts KiB).
  @Test(.withoutSanitizer) func fullDiskLeavesNothing() throws {
    let scratch = ScratchFolder()
    let run = try Command.shell(
      #"trap '' XFSZ; ulimit -f 4; "$0" --size 64x48 --frames 30 -o "\#(scratch.file("a.y4m"))""#)
    #expect(run.ending == .exit(1))
    #expect(run.errorLines.count == 1)
    #expect(scratch.names.isEmpty)
  }
}
