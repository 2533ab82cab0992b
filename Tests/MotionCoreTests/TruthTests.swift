import Testing

@testable import MotionCore

/// Layered frames and one sheet against what a camera in the still life truly sees.
@Suite struct TruthTests {
  /// Mean difference in 8-bit R'G'B' codes over a part of the frame.
  struct Errors {
    var sum = 0.0
    var count = 0
    var mean: Double { count > 0 ? sum / Double(count) : 0 }
  }

  enum Region: String, CaseIterable {
    case edge = "edge, 16 px"
    case uncovered
    case elsewhere
  }

  @Test func layeredIsTheBetterAtTheEdge() async throws {
    let size = Size(width: 1280, height: 720)
    let stillLife = StillLife(size: size)
    let picture = await stillLife.render()
    let scene = try await Scene(
      photo: picture.photo, depth: picture.depth, matte: picture.matte, output: size)
    var table = ["| move | method | \(Region.allCases.map(\.rawValue).joined(separator: " | ")) |"]
    for move in Move.all {
      var (edge, uncovered) = ([MotionCore.Method: Double](), [MotionCore.Method: Double]())
      for method in MotionCore.Method.allCases {
        let shot = try await scene.shot(move, method: method)
        #expect(shot.framing.amountUsed == 1)
        let pose = move.extremes(amount: 1)[0]
        let errors = await errors(of: shot, at: pose, scene: scene, truth: stillLife)
        (edge[method], uncovered[method]) = (errors[.edge]!.mean, errors[.uncovered]!.mean)
        let cells = Region.allCases.map { decimal(errors[$0]!.mean) }
        table.append("| \(move) | \(method.rawValue) | \(cells.joined(separator: " | ")) |")
        for region in Region.allCases { #expect(errors[region]!.count > 100) }
      }
      #expect(edge[.layered]! < edge[.oneSheet]!, "\(move)")
      #expect(uncovered[.layered]! < uncovered[.oneSheet]!, "\(move)")
    }
    print(table.joined(separator: "\n"))
  }

  private func decimal(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }

  private func errors(
    of shot: Shot, at pose: Pose, scene: Scene, truth stillLife: StillLife
  ) async -> [Region: Errors] {
    let (framing, camera) = (shot.framing, shot.framing.camera(pose))
    let truth = await stillLife.trueView(
      camera: camera, window: framing.window, crop: framing.crop,
      unit: 1 / scene.subjectDisparity)
    let frame = shot.linear(pose)
    let (width, height) = (frame.width, frame.height)
    // The silhouette: where the coverage is neither all nor nothing, or steps between the two.
    let silhouette = await Plane<Float>(width: width, height: height) { y, row in
      for x in 0..<width {
        let a = truth.colour[x, y].w
        let right = truth.colour[min(x + 1, width - 1), y].w
        let below = truth.colour[x, min(y + 1, height - 1)].w
        let isEdge = (a > 0.02 && a < 0.98) || abs(a - right) > 0.5 || abs(a - below) > 0.5
        row[x] = isEdge ? 1 : 0
      }
    }
    let clear = await silhouette.clear(of: 0.5, by: 16)
    let photoDisparity = await scene.photoDisparity().plane
    var errors = Dictionary(uniqueKeysWithValues: Region.allCases.map { ($0, Errors()) })
    TransferFunction.sRGB.withEncoder { encode in
      for y in 0..<height {
        for x in 0..<width {
          // Where the photo shows what is seen here, and whether it shows it at all.
          let seen = framing.window.photoPoint(
            SIMD2(Double(x) + 0.5, Double(y) + 0.5), crop: framing.crop)
          let delta = truth.disparity[x, y]
          let p = camera.unproject(seen, disparity: Double(delta))
          let (i, j) = (Int(p.x.rounded(.down)), Int(p.y.rounded(.down)))
          guard i >= 0, j >= 0, i < width, j < height else { continue }
          let isSeenInBoth = abs(photoDisparity[i, j] - delta) < 0.03
          let region: Region =
            !isSeenInBoth ? .uncovered : clear[x, y] == 0 ? .edge : .elsewhere
          let (a, b) = (frame[x, y], truth.colour[x, y])
          let difference =
            abs(encode(a.x) - encode(b.x)) + abs(encode(a.y) - encode(b.y))
            + abs(encode(a.z) - encode(b.z))
          errors[region]!.sum += Double(difference) * 255 / 3
          errors[region]!.count += 1
        }
      }
    }
    return errors
  }
}
