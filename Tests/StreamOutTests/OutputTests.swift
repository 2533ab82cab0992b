import Foundation
import Testing

@testable import StreamOut

struct OutputTests {
  let scratch = ScratchFolder()

  private func check(_ path: String, overwrite: Bool = false) -> StreamOutError? {
    failure { () throws(StreamOutError) in
      try Output.file(path: path, overwrite: overwrite).check()
    }
  }

  @Test func newFileIsFine() {
    #expect(check(scratch.file("a")) == nil)
    #expect(scratch.names.isEmpty)
  }

  @Test func existingFileNeedsOverwrite() {
    let path = scratch.file("a")
    put("old", at: path)
    #expect(check(path) == .exists(path: path))
    #expect(check(path, overwrite: true) == nil)
  }

  @Test func foldersAndNamelessPathsAreRefused() {
    for overwrite in [false, true] {
      #expect(check(scratch.path, overwrite: overwrite)?.code == EISDIR)
      #expect(check(scratch.file("new/"), overwrite: overwrite)?.code == EISDIR)
      #expect(check("", overwrite: overwrite)?.code == ENOENT)
      #expect(check(scratch.file("no/a"), overwrite: overwrite)?.code == ENOENT)
      put("", at: scratch.file("f"))
      #expect(check(scratch.file("f/a"), overwrite: overwrite)?.code == ENOTDIR)
      let long = String(repeating: "n", count: 300)
      #expect(check(scratch.file(long), overwrite: overwrite)?.code == ENAMETOOLONG)
    }
  }

  /// In a process that is not root's: root may write everywhere.
  @Test func protectedFoldersAndFilesAreRefused() async {
    await #expect(processExitsWith: .success) {
      if geteuid() == 0 { precondition(setgid(65534) == 0 && setuid(65534) == 0) }
      let scratch = ScratchFolder()
      let file = Output.file(path: scratch.file("a"), overwrite: true)
      put("old", at: scratch.file("a"))
      chmod(scratch.file("a"), 0o400)
      precondition(failure(file.check)?.code == EACCES)
      chmod(scratch.file("a"), 0o600)
      precondition(failure(file.check) == nil)
      chmod(scratch.path, 0o500)
      precondition(failure(file.check)?.code == EACCES)
      precondition(
        failure(Output.file(path: scratch.file("b"), overwrite: false).check)?.code == EACCES)
    }
  }

  @Test func linksAreFollowed() throws {
    let link = scratch.file("link")
    mkdir(scratch.file("in"), 0o700)
    symlink("in/target", link)
    // To nothing yet…
    guard case .regular(let name, nil) = try Output.file(path: link, overwrite: false).place()
    else {
      Issue.record("no regular place")
      return
    }
    #expect(name == scratch.file("in/target"))
    // …and to a file.
    put("old", at: name)
    #expect(check(link) == .exists(path: link))
    guard
      case .regular(let again, let mode?) = try Output.file(path: link, overwrite: true).place()
    else {
      Issue.record("no regular place")
      return
    }
    #expect(again.hasSuffix("/in/target"))
    #expect(mode & 0o600 == 0o600)
  }

  @Test func linksInACircleAreRefused() {
    symlink("b", scratch.file("a"))
    symlink("a", scratch.file("b"))
    #expect(check(scratch.file("a"))?.code == ELOOP)
  }

  @Test func devicesAndFIFOsAreWrittenDirectly() throws {
    mkfifo(scratch.file("fifo"), 0o600)
    for path in ["/dev/null", scratch.file("fifo")] {
      #expect(try Output.file(path: path, overwrite: false).place() == .special(path))
    }
  }
}

extension StreamOutError {
  /// The system's error number, where it is the system's error.
  var code: Int32? {
    if case .system(_, _, let code) = self { code } else { nil }
  }
}

/// Which outputs would write into one place.
struct SameOutputTests {
  let scratch = ScratchFolder()

  private func isSame(_ first: String, _ second: String) -> Bool {
    Output.file(path: first, overwrite: true).isSame(as: .file(path: second, overwrite: true))
  }

  @Test func namesOfOneFile() {
    let path = scratch.file("a")
    symlink("a", scratch.file("link"))
    mkdir(scratch.file("in"), 0o700)
    for _ in 0..<2 {
      for other in [path, scratch.file("./a"), scratch.file("in/../a"), scratch.file("link")] {
        #expect(isSame(path, other) && isSame(other, path), "\(other)")
      }
      #expect(!isSame(path, scratch.file("b")) && !isSame(path, scratch.file("in/a")))
      // And again when it is there.
      put("", at: path)
    }
    link(path, scratch.file("hard"))
    #expect(isSame(path, scratch.file("hard")))
  }

  @Test func pipesAndDevices() {
    mkfifo(scratch.file("fifo"), 0o600)
    symlink("fifo", scratch.file("link"))
    #expect(isSame(scratch.file("fifo"), scratch.file("link")))
    #expect(!isSame("/dev/null", "/dev/null"))
    // What cannot be written is not the same as anything.
    #expect(!isSame(scratch.path, scratch.path))
  }
}
