import Testing

@testable import MotionCore

@Suite struct LayerPicturesTests {
  @Test func allAreOfOneSizeAndNearIsWhite() async throws {
    let fixture = SphereBeforeWall(width: 120, height: 90, radius: 25)
    let scene = try await fixture.scene()
    let pictures = await scene.layerPictures()
    #expect(pictures.grid == scene.pictureGrid)
    for picture in [
      pictures.coverage, pictures.subject, pictures.background, pictures.photoDisparity,
      pictures.backgroundDisparity,
    ] { #expect(picture.size == Size(width: 120, height: 90)) }

    func code(_ picture: Raster, _ x: Int, _ y: Int, _ channel: Int = 0) throws -> Int {
      guard case .sixteen(let codes) = picture.samples else {
        throw Scene.Problem.nothingToCut
      }
      return Int(codes[(y * 120 + x) * picture.channels.rawValue + channel])
    }
    #expect(try code(pictures.coverage, 60, 45) == 65535 && code(pictures.coverage, 5, 5) == 0)
    #expect(try code(pictures.subject, 60, 45, 3) == 65535 && code(pictures.subject, 5, 5, 3) == 0)
    let (middle, corner) = (
      try code(pictures.photoDisparity, 60, 45), try code(pictures.photoDisparity, 5, 5)
    )
    #expect(middle > 60000)
    let wall = Float(corner) / 65535 * pictures.whiteDisparity
    #expect(abs(wall - 0.5 / Float(scene.subjectDisparity)) < 1e-3)
    // What the subject hides is the wall's.
    #expect(abs(try code(pictures.backgroundDisparity, 60, 45) - corner) < 200)
  }

  @Test func aPartOfAGridKnowsItsPlace() {
    let grid = Grid(photo: Size(width: 301, height: 203), density: 0.37)
    let place = grid.samples(to: grid.part(17..<40, 5..<9))
    #expect(place == (17, 5))
  }
}
