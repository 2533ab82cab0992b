import MotionCore
import PhotoInput
import Testing

/// The fast renderer beside the reference on photographs: their depth is rougher than what tests make.
@Suite(.enabled(if: EmbeddedPhotosTests.photos != nil, "no photographs here"))
struct FastPhotosTests {
  @Test(
    arguments: ["vase-iphone-mpf.jpg", "dahlia-gdepth.jpg"],
    [(1920, 1080), (1280, 720), (810, 1080), (641, 479)])
  func framesAreTheReferences(photo: String, sides: (Int, Int)) async throws {
    let folder = try #require(EmbeddedPhotosTests.photos)
    let file = try PhotoReader.file(at: .file("\(folder)/\(photo)"))
    let size = Size(width: sides.0, height: sides.1)
    let format = try VideoFormat(
      size: size, rate: FrameRate(30)!, pixelFormat: .yuv420p, matrix: .bt709, range: .limited)
    let scene = try await Scene(
      photo: file.photo, depth: try #require(file.depth?.map), matte: nil, output: size)
    for move in Move.all {
      for amount in [0.5, 1, 1.5] {
        let framing = Framing(scene, move: move, amount: amount, output: size)
        let loop = Loop(period: 120, move: move, amount: framing.amountUsed)
        var frames: [[UInt8]] = []
        for renderer in Renderer.allCases {
          let shot = await Shot(scene, framing, loop, format, .layered, renderer: renderer)
          frames.append(shot.frame(30).bytes)
        }
        var counts = [Int](repeating: 0, count: 256)
        for (a, b) in zip(frames[0], frames[1]) { counts[abs(Int(a) - Int(b))] += 1 }
        let total = frames[0].count
        let mean = Double(counts.indices.reduce(0) { $0 + $1 * counts[$1] }) / Double(total)
        let what = "\(photo), \(move) \(amount), \(size): \(mean)"
        #expect(mean < 0.1, "\(what)")
        #expect(counts[4...].reduce(0, +) <= total / 1000, "\(what)")
      }
    }
  }
}
