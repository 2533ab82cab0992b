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
  }
}
