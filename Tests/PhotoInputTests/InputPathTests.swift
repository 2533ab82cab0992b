import Foundation
import MotionCore
import Testing

@testable import PhotoInput

@Suite struct InputPathTests {
  @Test(arguments: [
    ("-", InputPath.standardInput), ("photo.png", .file("photo.png")), ("./-", .file("./-")),
    ("", .file("")),
  ])
  func fromACommandLine(text: String, path: InputPath) {
    #expect(InputPath(text) == path)
    #expect(path.description == text)
    #expect(InputPath(bytes: Array(text.utf8)) == path)
  }

  @Test func namesThatAreNoUTF8() throws {
    let name: [UInt8] = Array("\(NSTemporaryDirectory())/\(UUID().uuidString)".utf8) + [0xE4, 0xFF]
    let path = InputPath(bytes: name)
    #expect(path == .bytes(name) && path.systemName == name)
    let file = try #require(fopen(name.cString, "wb"))
    defer { unlink(name.cString) }
    fputs("Pf 1 1 -1 ABCD", file)
    fclose(file)
    #expect(try PhotoReader.depth(at: path).size.width == 1)
  }
}
