import Testing

@testable import MotionCore

@Suite struct CameraTests {
  private let optics = Optics(photo: Size(width: 400, height: 300), focalLength35: 28)

  @Test func theFocalLengthIsInPixels() {
    #expect(abs(optics.focal - 28 * 500 / 43.27) < 1e-9)
    #expect(optics.centre == SIMD2(200, 150))
  }

  @Test(arguments: Move.all)
  func theTargetDoesNotMove(move: Move) {
    let target = SIMD2(310.0, 77.0)
    for pose in move.extremes(amount: 1.5) {
      let camera = Camera(optics: optics, pose: pose, target: target)
      #expect(length(camera.project(target, disparity: 1) - target) < 1e-9)
    }
  }

  @Test(arguments: [0, 0.3, 1, 1.7])
  func unprojectInvertsProject(disparity: Double) {
    let pose = Pose(x: 0.02, y: -0.01, z: 0.2, zoom: 1.2)
    let camera = Camera(optics: optics, pose: pose, target: SIMD2(100, 100))
    let p = SIMD2(37.0, 250.0)
    let there = camera.project(p, disparity: disparity)
    #expect(length(camera.unproject(there, disparity: disparity) - p) < 1e-9)
  }

  /// The formula against a pinhole camera that is really moved.
  @Test func itIsAPinholeCamera() {
    let pose = Pose(x: 0.05, y: 0.02, z: 0.3, zoom: 1.1)
    let camera = Camera(optics: optics, pose: pose, target: nil)
    let (p, z) = (SIMD2(90.0, 200.0), 2.5)
    let point = (p - optics.centre) / optics.focal * z
    let seen =
      optics.centre
      + (point - SIMD2(pose.x, pose.y)) / (z - pose.z) * optics.focal
      * pose.zoom
    #expect(length(camera.project(p, disparity: 1 / z) - seen) < 1e-6)
  }

  @Test func nothingPassesTheCamera() {
    let camera = Camera(
      optics: optics, pose: Pose(z: 0.5), target: nil)
    let seen = camera.project(SIMD2(201, 150), disparity: 10)
    #expect(abs(seen.x - 210) < 1e-9)
  }
}
