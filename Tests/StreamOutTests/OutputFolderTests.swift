import Foundation
import Testing

@testable import StreamOut

@Suite struct OutputFolderTests {
  private let scratch = ScratchFolder()

  private func check(_ path: String, overwrite: Bool = false) -> StreamOutError? {
    failure { () throws(StreamOutError) in
      try OutputFolder(path: path, overwrite: overwrite).check(["a", "b"])
    }
  }

  @Test(arguments: ["new", "new/", "new//"])
  func aNewFolderIsMade(_ name: String) throws {
    let folder = OutputFolder(path: scratch.file(name), overwrite: false)
    try folder.check(["a"])
    #expect(scratch.names.isEmpty)
    try folder.make()
    try folder.make()
    try folder.file("a").write([1, 2])
    #expect(contents(scratch.file("new/a")) == [1, 2])
  }

  @Test func onlyNamedFilesStandInTheWay() {
    put("", at: scratch.file("other"))
    #expect(check(scratch.path) == nil)
    put("", at: scratch.file("b"))
    #expect(check(scratch.path) == .exists(path: scratch.file("b")))
    #expect(check(scratch.path, overwrite: true) == nil)
  }

  @Test func placesThatTakeNoFolderAreRefused() {
    put("", at: scratch.file("f"))
    #expect(check(scratch.file("no/new"))?.code == ENOENT)
    #expect(check(scratch.file("f"))?.code == ENOTDIR)
    #expect(check(scratch.file("f/new"))?.code == ENOTDIR)
    #expect(check("")?.code == ENOENT)
    let error = failure { () throws(StreamOutError) in
      try OutputFolder(path: scratch.file("f/new"), overwrite: false).make()
    }
    #expect(error == .system(.makeFolder, path: scratch.file("f/new"), code: ENOTDIR))
  }
}
