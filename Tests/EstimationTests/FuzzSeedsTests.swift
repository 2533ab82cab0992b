import Foundation
import Testing

@testable import Estimation

/// What the fuzzer starts from, as in the tests of readers: inputs that are sound.
@Suite struct FuzzSeedsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(components: "..", "..").standardized

  /// By target, as `Fuzz/Targets.swift` names them. `WRITE_FUZZ_SEEDS=1` writes them anew.
  static let seeds: [(target: String, files: [[UInt8]])] = [
    ("model-card", cards),
    (
      "worker-answer",
      [
        words(0, 4, 1, 1, 2, 3)
          + [Float](arrayLiteral: 0, 1, .nan, -1, 3e38, .infinity)
          .flatMap { words($0.bitPattern).dropFirst(4) },
        words(1, 8) + Array("no model".utf8), words(2, 4) + Array("name".utf8),
      ]
    ),
    (
      "command-words",
      ["prog {in} {out}", #"'my prog' --from="{in}" -o {out}.png \" \\ "#].map { Array($0.utf8) }
    ),
  ]

  /// Those that models are installed with.
  private static let cards: [[UInt8]] = {
    let folder = root.appending(component: "models")
    let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".json") }.sorted().map {
      Array(try! Data(contentsOf: folder.appending(component: $0)))
    }
  }()

  /// An answer's numbers, behind the one that it begins with.
  private static func words(_ numbers: UInt32...) -> [UInt8] {
    ([0x3165_736D] + numbers).flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
  }

  @Test(arguments: seeds.indices) func areInTheCorpus(index: Int) throws {
    let (target, files) = Self.seeds[index]
    let folder = Self.root.appending(components: "Fuzz", "Corpus", target)
    if ProcessInfo.processInfo.environment["WRITE_FUZZ_SEEDS"] != nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (number, bytes) in files.enumerated() {
        try Data(bytes).write(to: folder.appending(component: "seed-\(number)"))
      }
    }
    for (number, bytes) in files.enumerated() {
      let file = try Data(contentsOf: folder.appending(component: "seed-\(number)"))
      #expect(Array(file) == bytes, "\(target) \(number)")
    }
  }

  @Test func areSound() throws {
    for card in Self.seeds[0].files { _ = try ModelCard(json: card) }
    for answer in Self.seeds[1].files {
      #expect(Answer(answer) != nil)
      #expect(Answer(Array(answer.dropLast())) == nil)
    }
    for text in Self.seeds[2].files {
      #expect(ExternalCommand(String(decoding: text, as: UTF8.self)) != nil)
    }
  }
}
