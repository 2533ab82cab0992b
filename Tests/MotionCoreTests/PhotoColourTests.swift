import Testing

@testable import MotionCore

@Suite struct PhotoColourTests {
  /// The matrix of CSS Color 4, row after row.
  private let fromDisplayP3 = [
    [1.22494, -0.22494, 0], [-0.042057, 1.042057, 0], [-0.019638, -0.078636, 1.098274],
  ]

  @Test func primariesToPrimaries() throws {
    let matrix = try #require(Primaries.displayP3.toSRGB)
    for (row, expected) in fromDisplayP3.enumerated() {
      for (column, value) in expected.enumerated() {
        #expect(abs(matrix[row, column] - value) < 2e-5)
      }
    }
    let same = try #require(Primaries.sRGB.toSRGB)
    for row in 0..<3 {
      for column in 0..<3 { #expect(abs(same[row, column] - (row == column ? 1 : 0)) < 1e-12) }
    }
    // White stays white, with another white too.
    let warm = Primaries(
      red: Primaries.sRGB.red, green: Primaries.sRGB.green, blue: Primaries.sRGB.blue,
      white: .init(0.3457, 0.3585))
    let adapted = try #require(warm.toSRGB)
    for value in adapted(1, 1, 1) { #expect(abs(value - 1) < 1e-9) }
  }

  /// A photo of wide colours that has not moved is the photo, its colours clamped once, at the end.
  @Test(arguments: Move.all, MotionCore.Method.allCases)
  func wideColoursComeThroughAtRest(move: Move, method: MotionCore.Method) async throws {
    let (width, height) = (120, 90)
    let isSubject = { @Sendable (x: Int, y: Int) in (x - 60) * (x - 60) + (y - 45) * (y - 45) < 600
    }
    let codes = await Plane<SIMD4<UInt8>>(width: width, height: height) { y, row in
      for x in 0..<width {
        row[x] = isSubject(x, y) ? [255, 0, UInt8(x), 255] : [UInt8(2 * x), 255, UInt8(y), 255]
      }
    }
    let photo = Photo(
      samples: .eight(codes), hasAlpha: false,
      colour: .curves(name: "wide", ToneCurve.sRGB.curves(bits: 8), Primaries.displayP3.toSRGB!))
    let scene = try await Scene(
      photo: photo, depth: nil,
      matte: Matte(
        coverage: plane(width, height) { x, y in isSubject(Int(x), Int(y)) ? 1 : 0 }),
      output: photo.size)
    let shot = try await scene.shot(move, amount: 0, method: method)
    let frame = shot.frame(30).bytes
    let table = TransferFunction.sRGB.linear8
    var wide = 0
    for y in 0..<height {
      for x in 0..<width {
        let light = [codes[x, y].x, codes[x, y].y, codes[x, y].z].map { Double(table[Int($0)]) }
        let colour = fromDisplayP3.map { zip($0, light).reduce(0) { $0 + $1.0 * $1.1 } }
        if colour.min()! < -0.001 || colour.max()! > 1.001 { wide += 1 }
        for (channel, value) in colour.enumerated() {
          let v = min(max(value, 0), 1)
          let code = 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055)
          let found = Double(frame[(y * width + x) * 3 + channel])
          #expect(abs(found - code) <= 1, "\(x), \(y): \(found), not \(code)")
        }
      }
    }
    #expect(wide > width * height / 2)
  }
}
