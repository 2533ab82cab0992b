import Foundation
import Testing

/// A pipe is given the pages of frames, not copies: whatever its reader does, and however late, it must
/// see what a file has.
@Suite(.enabled(if: hasProgram("python3")))
struct PipeTests {
  /// Readers of standard input that write it to standard output: some time after it was handed over,
  /// without ever looking at it, and twice.
  private static let readers = [
    "slow": """
    import os, time
    while True:
      time.sleep(0.002)
      piece = os.read(0, 65536)
      if not piece: break
      os.write(1, piece)
    """,
    "splice": """
    import os, time
    here, there = os.pipe()
    while True:
      got = os.splice(0, there, 1 << 16)
      if got == 0: break
      time.sleep(0.002)
      while got > 0: got -= os.splice(here, 1, got)
    """,
    "tee": """
    import ctypes, os, time
    libc = ctypes.CDLL(None, use_errno=True)
    here, there = os.pipe()
    while True:
      got = libc.tee(0, there, 1 << 16, 0)
      if got == 0: break
      assert got > 0, os.strerror(ctypes.get_errno())
      first = b""
      while len(first) < got: first += os.read(0, got - len(first))
      time.sleep(0.002)
      second = b""
      while len(second) < got: second += os.read(here, got - len(second))
      assert first == second
      os.write(1, second)
    """,
  ]

  /// Frames of more than a large page, and of less than one, kept and not kept.
  @Test(arguments: ["slow", "splice", "tee"], [["--cache", "0"], ["--cache", "1G"]])
  func everyReaderSeesTheFrames(_ reader: String, _ cache: [String]) throws {
    let scratch = ScratchFolder()
    let script = scratch.file("reader.py")
    try Self.readers[reader]!.write(toFile: script, atomically: true, encoding: .utf8)
    for size in ["1920x1080", "322x180"] {
      let options =
        (["-q", "--move", "sway", "--fps", "6", "--length", "1", "--frames", "15", "--size", size]
        + cache).joined(separator: " ")
      let run = try Command.shell(
        #"""
        set -o pipefail
        cd '\#(scratch.path)'
        "$0" \#(options) -o file.y4m
        "$0" \#(options) | python3 reader.py >piped.y4m
        cmp file.y4m piped.y4m && rm file.y4m piped.y4m
        """#)
      #expect(run.ending == .exit(0), "\(reader) \(size): \(run.error)\(run.text)")
    }
  }

  /// A pipe that waits for nobody.
  @Test func aNonBlockingPipeGetsEverything() throws {
    let run = try Command.shell(
      #"""
      set -o pipefail
      options="-q --fps 4 --length 1 --size 1920x1080"
      python3 -c 'import fcntl, os, subprocess, sys
      here, there = os.pipe()
      fcntl.fcntl(there, fcntl.F_SETFL, os.O_NONBLOCK)
      child = subprocess.Popen(sys.argv[1:], stdout=there)
      os.close(there)
      with open(here, "rb") as pipe: sys.stdout.buffer.write(pipe.read())
      sys.exit(child.wait())' "$0" $options | md5sum
      "$0" $options | cat | md5sum
      """#)
    let sums = run.text.split(separator: "\n")
    #expect(run.ending == .exit(0) && sums.count == 2 && sums.first == sums.last, "\(run.error)")
  }
}
