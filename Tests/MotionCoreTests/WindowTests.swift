import Testing

@testable import MotionCore

@Suite struct WindowTests {
  @Test func itIsTheLargestRectangleOfTheAspectInsideThePhoto() {
    let window = Window(
      photo: Size(width: 3024, height: 4032), output: Size(width: 1920, height: 1080),
      target: SIMD2(1500, 3900))
    let r = window.rectangle
    #expect(abs(r.width - 3024) < 1e-9 && abs(r.height - 1701) < 1e-9)
    #expect(r.x == 0 && r.y + r.height <= 4032 && r.y + r.height > 4030)
    #expect(abs(window.scale - 1920.0 / 3024) < 1e-12)
  }

  @Test func itIsCentredOnTheTargetWhereThereIsRoom() {
    let window = Window(
      photo: Size(width: 400, height: 1000), output: Size(width: 400, height: 300),
      target: SIMD2(200, 500))
    #expect(window.centre == SIMD2(200, 500))
  }

  /// A photo with odd sides loses a column rather than be resampled.
  @Test func aScaleNearOneIsOne() {
    let window = Window(
      photo: Size(width: 127, height: 95), output: Size(width: 126, height: 94),
      target: SIMD2(60, 40))
    #expect(window.scale == 1)
    let r = window.rectangle
    #expect(r.x == Double(Int(r.x)) && r.y == Double(Int(r.y)))
  }

  @Test func framePointInvertsPhotoPoint() {
    let window = Window(
      photo: Size(width: 640, height: 480), output: Size(width: 320, height: 180),
      target: SIMD2(300, 100))
    let q = SIMD2(17.5, 99.5)
    let p = window.photoPoint(q, crop: 1.07)
    #expect(length(window.framePoint(p, crop: 1.07) - q) < 1e-9)
  }

  @Test(arguments: [1, 2, 3], [1, 2, 3])
  func tinyPhotosHaveAWindow(width: Int, height: Int) {
    let photo = Size(width: width, height: height)
    let window = Window(
      photo: photo, output: Size(width: 7, height: 3), target: SIMD2(0.5, 0.5))
    let r = window.rectangle
    #expect(r.x >= -1e-9 && r.y >= -1e-9)
    #expect(r.x + r.width <= Double(width) + 1e-9 && r.y + r.height <= Double(height) + 1e-9)
  }
}
