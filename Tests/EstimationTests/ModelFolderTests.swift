import Testing

@testable import Estimation

@Suite struct ModelFolderTests {
  @Test(arguments: [
    (["MOTION_STREAM_MODELS": "/m", "HOME": "/h"], ["/m"]),
    (
      ["XDG_DATA_HOME": "/x", "HOME": "/h", "MOTION_STREAM_MODELS": ""],
      [
        "/x/motion-stream/models", "/usr/local/share/motion-stream/models",
        "/usr/share/motion-stream/models",
      ]
    ),
    (
      ["HOME": "/h"],
      [
        "/h/.local/share/motion-stream/models", "/usr/local/share/motion-stream/models",
        "/usr/share/motion-stream/models",
      ]
    ),
    (
      [:], ["/usr/local/share/motion-stream/models", "/usr/share/motion-stream/models"]
    ),
  ])
  func folders(environment: [String: String], paths: [String]) {
    #expect(ModelFolder(environment: environment).paths == paths)
  }

  @Test func noFolder() throws {
    #expect(try ModelFolder(environment: ["MOTION_STREAM_MODELS": "/no/such"]).first(.lift) == nil)
  }
}
