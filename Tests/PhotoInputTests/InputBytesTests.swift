import Foundation
import Testing

@testable import PhotoInput

@Suite struct InputBytesTests {
  static func read(_ path: String, maximum: Int = 1 << 20) throws(Problem) -> [UInt8] {
    try InputBytes.read(.file(path), maximum: maximum) { _ in }
  }

  @Test(arguments: [1, 63, 64, 65, 300_000]) func wholeFiles(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let found = try withFile(bytes) { path in try Self.read(path) }
    #expect(found == bytes)
  }

  @Test func pipes() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let path = NSTemporaryDirectory() + "pipe-\(UUID().uuidString)"
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let writer = Thread {
      // Small pieces: the first is shorter than any kind's magic bytes.
      guard let file = FileHandle(forWritingAtPath: path) else { return }
      for start in stride(from: 0, to: bytes.count, by: 10_001) {
        try? file.write(contentsOf: Data(bytes[start..<min(start + 10, bytes.count)]))
        try? file.write(
          contentsOf: Data(bytes[min(start + 10, bytes.count)..<min(start + 10_001, bytes.count)]))
      }
      try? file.close()
    }
    writer.start()
    #expect(try Self.read(path) == bytes)
  }

  @Test func headIsSeenFirst() throws {
    var seen = 0
    #expect(throws: Problem.notAPicture(head: [5])) {
      try withFile([UInt8](repeating: 5, count: 1_000_000)) { path in
        try InputBytes.read(.file(path)) { (head) throws(Problem) in
          seen = head.byteCount
          throw .notAPicture(head: [5])
        }
      }
    }
    #expect(seen >= InputKind.headBytes && seen < 1_000_000)
  }

  @Test func failures() throws {
    #expect(throws: Problem.cannotOpen(errno: ENOENT)) { try Self.read("/nowhere/at/all") }
    #expect(throws: Problem.cannotOpen(errno: ENOENT)) { try Self.read("") }
    #expect(throws: Problem.isDirectory) { try Self.read(NSTemporaryDirectory()) }
    #expect(throws: Problem.empty) { try withFile { path in try Self.read(path) } }
    #expect(throws: Problem.tooManyBytes(limit: 100)) {
      try withFile([UInt8](repeating: 1, count: 101)) { path in
        try Self.read(path, maximum: 100)
      }
    }
    #expect(throws: Problem.tooManyBytes(limit: 100)) { try Self.read("/dev/zero", maximum: 100) }
  }
}
