import Foundation
import MotionCore
import PhotoInput
import Testing

/// The two models of `scripts/get-models.sh` on a picture of the still life, which knows its own matte
/// and depth. Each test is skipped, by name, where its model is not installed.
@Suite struct InstalledModelsTests {
  private static let models = ProcessInfo.processInfo.environment["MOTION_STREAM_MODELS"] ?? ""

  private static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(models)/\(name).onnx")
  }

  private let folder = ScratchFolder()

  /// A picture of what is estimated, and the same of what is known.
  private func pictures(_ name: String, _ arguments: String...) throws -> (
    Plane<Float>, Plane<Float>
  ) {
    let size = ["--size", "640x360"]
    let photo = folder.file("photo.png")
    let known = folder.file("known")
    let estimated = folder.file("estimated")
    try run(size + ["--amount", "0", "--still", "0", "-o", photo])
    try run(size + ["--dump-layers", known])
    try run([photo] + arguments + ["--dump-layers", estimated])
    func read(_ folder: String) throws -> Plane<Float> {
      try PhotoReader.depth(at: .file("\(folder)/\(name).png"))
    }
    return (try read(estimated), try read(known))
  }

  private func run(_ arguments: [String]) throws {
    let run = try Child(arguments, environment: ["MOTION_STREAM_MODELS": Self.models]).result()
    #expect(run.ending == .exit(0), "\(run.error)")
  }

  @Test(.enabled(if: has("u2netp"), "u2netp is not installed: scripts/get-models.sh"))
  func theVaseIsTheSubject() throws {
    let (lift, known) = try pictures("coverage", "--estimate", "lift")
    #expect(lift.size == known.size)
    var (both, either) = (0, 0)
    // The vase itself: between its ears of grass a network of 320 samples sees no gaps.
    for y in known.height * 6 / 10..<known.height {
      for x in 0..<known.width {
        let (a, b) = (lift[x, y] > 0.5, known[x, y] > 0.5)
        both += a && b ? 1 : 0
        either += a || b ? 1 : 0
      }
    }
    #expect(Double(both) / Double(either) > 0.85)
    #expect(lift[5, 5] < 0.05 && lift[known.width - 5, known.height - 5] < 0.05)
  }

  @Test(
    .enabled(
      if: has("tcmonodepth-small"), "tcmonodepth-small is not installed: scripts/get-models.sh"))
  func theVaseIsBeforeTheWall() throws {
    let (guess, known) = try pictures("disparity-photo", "--estimate", "depth")
    #expect(guess.size == known.size)
    var (n, sums, squares, product) = (0.0, SIMD2<Double>.zero, SIMD2<Double>.zero, 0.0)
    for y in 0..<known.height {
      for x in 0..<known.width {
        let pair = SIMD2(Double(guess[x, y]), Double(known[x, y]))
        n += 1
        sums += pair
        squares += pair * pair
        product += pair.x * pair.y
      }
    }
    let deviations = squares / n - sums / n * (sums / n)
    let correlation =
      (product / n - sums.x / n * sums.y / n) / (deviations.x * deviations.y).squareRoot()
    #expect(correlation > 0.5)
  }
}
