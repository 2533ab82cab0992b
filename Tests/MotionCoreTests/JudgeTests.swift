import Testing

@testable import MotionCore

/// The figures on scenes whose truth is known.
@Suite struct JudgeTests {
  private func format(_ size: Size) throws -> VideoFormat {
    try VideoFormat(
      size: size, rate: FrameRate(30)!, pixelFormat: .rgb24, matrix: .bt709, range: .full)
  }

  @Test func oneSheetTearsTheStillLifeAndLayersDoNot() async throws {
    let size = Size(width: 640, height: 360)
    let picture = await StillLife(size: size).render()
    let scene = try await Scene(
      photo: picture.photo, depth: picture.depth, matte: picture.matte, output: size)
    for move in Move.all {
      let judge = await Judge(scene, move: move, try format(size))
      let layered = await judge.judge(.layered).figures
      let sheet = await judge.judge(.oneSheet).figures
      #expect(layered.points > 500 && layered.points == sheet.points)
      #expect(abs(layered.sharpness - 1) < 0.15, "\(move): \(layered)")
      #expect(layered.doubled < sheet.doubled, "\(move): \(layered), \(sheet)")
      #expect(2 * layered.stretched < sheet.stretched, "\(move): \(layered), \(sheet)")
      #expect(layered.softened < sheet.softened, "\(move): \(layered), \(sheet)")
      #expect(sheet.bled == nil)
      #expect(abs(try #require(layered.bled)) < 0.1)
    }
  }

  @Test func nothingMovedIsThePhoto() async throws {
    let scene = try await SphereBeforeWall(width: 240, height: 180, radius: 50).scene()
    let judge = await Judge(scene, move: .push, amount: 0, try format(scene.photo.size))
    for method in MotionCore.Method.allCases {
      let figures = await judge.judge(method).figures
      #expect(figures.points > 200)
      #expect(abs(figures.sharpness - 1) < 0.01)
      #expect(figures.softened == 0 && figures.doubled == 0 && figures.stretched == 0)
    }
  }

  /// A disc before a wall of one colour.
  private var flat: SphereBeforeWall {
    SphereBeforeWall(
      width: 240, height: 180, radius: 50, wall: { _, _ in SIMD3(repeating: 0.3) })
  }

  /// A frame that is blurred, or that shows its subject twice, is found out.
  @Test func aSpoiltFrameIsFoundOut() async throws {
    let fixture = flat
    let scene = try await fixture.scene()
    let judge = await Judge(scene, move: .push, amount: 0, try format(scene.photo.size))
    let photo = await scene.photo.linear(onto: scene.pictureGrid)
    func figures(_ colour: @Sendable @escaping (Int, Int) -> SIMD4<Float>) async -> EdgeFigures {
      judge.figures(
        of: await Tones(
          linear: await Plane(width: 240, height: 180) { y, row in
            for x in 0..<row.count { row[x] = colour(x, y) }
          }), stretched: 0, bled: nil)
    }
    let whole = await figures { x, y in photo[x, y] }
    #expect(whole.sharpness == 1 && whole.doubled == 0)

    let blurred = await figures { x, y in
      var sum = SIMD4<Float>.zero
      for dy in -3...3 {
        for dx in -3...3 { sum += photo[min(max(x + dx, 0), 239), min(max(y + dy, 0), 179)] }
      }
      return sum / 49
    }
    #expect(blurred.sharpness < 0.5 && blurred.softened > 0.5)

    // A ring of the subject's colour around it.
    let ghost = await figures { x, y in
      let distance = length(SIMD2(Double(x) - 119.5, Double(y) - 89.5))
      return distance > 55 && distance < 59 ? photo[120, 90] : photo[x, y]
    }
    #expect(ghost.doubled > 0.9)
  }

  @Test func fillThatTakesTheSubjectsColourIsFoundOut() async throws {
    let fixture = flat
    func bled(matteRadius: Double) async throws -> Double {
      let matte = plane(240, 180) { x, y in
        min(max(matteRadius - fixture.distance(x, y) + 0.5, 0), 1)
      }
      let scene = try await Scene(
        photo: fixture.photo, depth: nil, matte: Matte(coverage: matte), output: fixture.photo.size)
      let judge = await Judge(scene, move: .push, try format(fixture.photo.size))
      return try #require(await judge.judge(.layered).figures.bled)
    }
    #expect(abs(try await bled(matteRadius: 50)) < 0.001)
    // So tight that the feather does not reach the photo's own edge.
    #expect(try await bled(matteRadius: 48.5) > 0.05)
  }

  @Test func theOutlineOfADiscPointsOutwards() async throws {
    let fixture = SphereBeforeWall(width: 240, height: 180, radius: 50)
    let contour = try await fixture.scene().contour()
    #expect(contour.count > 300)
    for point in contour {
      let spoke = point.place - SIMD2(120, 90)
      #expect(abs(length(spoke) - 50) < 0.2)
      #expect((spoke / length(spoke) * point.normal).sum() > 0.98)
    }
  }

  /// What is drawn out sixfold counts, and what is turned over; a plain enlargement does not.
  @Test func stretchIsOfTheMap() {
    func stretched(_ point: @escaping (Float, Float) -> SIMD2<Float>) -> Double {
      InverseMap(
        points: Plane(width: 40, height: 20) { y, row in
          for x in 0..<40 { row[x] = point(Float(x), Float(y)) }
        },
        layers: Plane(width: 40, height: 20, repeating: 0), scale: 1
      ).stretched
    }
    #expect(stretched { SIMD2($0 / 1.5, $1 / 1.5) } == 0)
    #expect(stretched { SIMD2($0 / 6, $1) } == 1)
    #expect(stretched { SIMD2(-$0, $1) } == 1)
    #expect(abs(stretched { SIMD2($0 < 20 ? $0 : 20 + ($0 - 20) / 6, $1) } - 0.5) < 0.03)
  }

  @Test func aStripHoldsWholeFramesAndParts() async throws {
    let scene = try await SphereBeforeWall(width: 240, height: 180, radius: 50).scene()
    let judge = await Judge(scene, move: .push, try format(scene.photo.size))
    var verdicts: [Judge.Verdict] = []
    for method in MotionCore.Method.allCases { verdicts.append(await judge.judge(method)) }
    let strip = await judge.strip(verdicts)
    #expect(strip.size == Size(width: 5 * 296 + 8, height: 232))
  }
}
