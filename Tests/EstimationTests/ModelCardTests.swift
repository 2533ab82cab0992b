import MotionCore
import Testing

@testable import Estimation

@Suite struct ModelCardTests {
  private static let sound = """
    {"name": "n", "kind": "depth", "file": "f.onnx",
    "input": {"multiple": 32, "longSide": [256, 512]}, "output": {}}
    """

  private func card(_ json: String) throws -> ModelCard { try ModelCard(json: Array(json.utf8)) }

  @Test func soundCards() throws {
    #expect(try card(Self.sound).kind == .depth)
    let remarked = Self.sound.replacing(
      "{\"name\"", "{\"licence\": [\"MIT\"], \"comment\": 1, \"name\"")
    #expect(try card(remarked).kind == .depth)
    let fixed = try card(
      """
      {"name": "n", "kind": "lift", "file": "f.onnx",
      "input": {"name": "i", "size": [320, 200], "channels": "bgr", "white": "byte",
      "mean": [1, 2, 3], "deviation": [4, 5, 6]},
      "output": {"name": "o", "polarity": "dark", "scaling": "sigmoid", "least": 0.5}}
      """)
    #expect(fixed.input.size(for: Size(width: 10, height: 90)) == Size(width: 320, height: 200))
  }

  @Test(arguments: [
    ("", "no JSON"), ("{", "no JSON"), ("[]", "no object"), ("null", "no object"),
    ("{\"kind\": 1}", "name"),
    (
      sound.replacing("\"kind\"", "\"\(String(repeating: "k", count: 9999))\": 1, \"kind\""),
      "kkk is nothing"
    ),
    (sound.replacing("f.onnx", String(repeating: "f", count: 256)), "file"),
    (sound.replacing("\"output\": {}", "\"output\": []"), "output is of another type"),
    (sound.replacing("depth", "sound"), "kind has no such value"),
    (sound.replacing("\"name\": \"n\"", "\"name\": 1"), "name is of another type"),
    (sound.replacing("32", "0"), "input.multiple is not a side"),
    (sound.replacing("32", "-1"), "input.multiple is not a side"),
    (sound.replacing("\"multiple\": 32,", ""), "neither input.size nor input.multiple"),
    (sound.replacing("32", "99999999999999999999"), "a number in it is too large"),
    (sound.replacing("{}", "{\"least\": 1e99}"), "a number in it is too large"),
    (sound.replacing("\"name\": \"n\"", "\"name\": \"n\", \"sort\": 1"), "sort is nothing"),
    (sound.replacing("\"multiple\"", "\"means\": [1], \"multiple\""), "input.means is nothing"),
    (sound.replacing("{}", "{\"invert\": true}"), "output.invert is nothing"),
    (sound.replacing("\"multiple\"", "\"mean\": [\"a\"], \"multiple\""), "input.mean[0] is of"),
    (sound.replacing("[256, 512]", "[512, 256]"), "input.longSide"),
    (sound.replacing("[256, 512]", "[8, 16]"), "input.longSide"),
    (sound.replacing("\"multiple\": 32", "\"size\": [0, 32]"), "input.size"),
    (sound.replacing("\"multiple\": 32", "\"size\": [320]"), "input.size"),
    (sound.replacing("\"multiple\"", "\"mean\": [1], \"multiple\""), "input.mean"),
    (sound.replacing("\"multiple\"", "\"deviation\": [1, 0, 1], \"multiple\""), "input.deviation"),
    (sound.replacing("f.onnx", "../f.onnx"), "file"), (sound.replacing("f.onnx", ""), "file"),
  ])
  func wrongCards(json: String, words: String) {
    let error = #expect(throws: ModelCard.BadCard.self) { try card(json) }
    #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
    #expect(error.map { $0.detail.count < 200 } == true)
  }

  @Test(arguments: [
    (4032, 3024, 512, 384), (3024, 4032, 384, 512), (300, 300, 288, 288), (40, 30, 256, 192),
    (10_000, 10, 512, 32), (1000, 480, 512, 256),
  ])
  func sizes(_ width: Int, _ height: Int, _ inWidth: Int, _ inHeight: Int) throws {
    let size = try card(Self.sound).input.size(for: Size(width: width, height: height))
    #expect(size == Size(width: inWidth, height: inHeight))
  }

  /// Every picture by its own largest sample, its channels in the order and scale of the card.
  @Test func tensors() throws {
    let pixels = Plane<SIMD4<Float>>(
      width: 2, height: 1, samples: [SIMD4(0.5, 0.25, 0, 1), SIMD4(0, 0.125, 0.5, 1)])
    func samples(_ input: String) throws -> [Float] {
      let json = Self.sound.replacing("\"multiple\"", input + ", \"multiple\"")
      return Tensor(pixels, try card(json).input).samples
    }
    #expect(try samples("\"white\": \"one\"") == [0.5, 0, 0.25, 0.125, 0, 0.5])
    #expect(try samples("\"white\": \"largest\"") == [1, 0, 0.5, 0.25, 0, 1])
    #expect(try samples("\"white\": \"byte\", \"channels\": \"bgr\"")[0..<2] == [0, 127.5])
    #expect(
      try samples("\"mean\": [0.5, 0, 0], \"deviation\": [0.5, 1, 1]")[0..<2] == [0, -1])
    let black = Plane<SIMD4<Float>>(width: 1, height: 1, repeating: .zero)
    let json = Self.sound.replacing("\"multiple\"", "\"white\": \"largest\", \"multiple\"")
    #expect(Tensor(black, try card(json).input).samples == [0, 0, 0])
  }
}

extension String {
  fileprivate func replacing(_ old: String, _ new: String) -> String {
    replacing(old, with: new)
  }
}
