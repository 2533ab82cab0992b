import Testing

@testable import MotionCore

@Suite struct MontageTests {
  private func picture(_ width: Int, _ height: Int) -> Thumbnail {
    Thumbnail(
      size: Size(width: width, height: height),
      codes: (0..<width * height).flatMap { [UInt8($0 % 250), 0, 255] })
  }

  private func pixel(_ raster: Raster, _ x: Int, _ y: Int) -> [UInt8] {
    guard case .eight(let codes) = raster.samples else { return [] }
    return Array(codes[(y * raster.size.width + x) * 3..<(y * raster.size.width + x + 1) * 3])
  }

  @Test func picturesLieWhereTheyAreLaidAndAreCutAtTheEdge() {
    var montage = Montage(size: Size(width: 10, height: 8))
    montage.lay(picture(4, 3), left: 2, top: 1)
    montage.lay(picture(4, 3), left: 8, top: 6)
    let raster = montage.raster
    #expect(pixel(raster, 2, 1) == [0, 0, 255] && pixel(raster, 5, 3) == [11, 0, 255])
    #expect(pixel(raster, 9, 7) == [5, 0, 255])
    #expect(
      pixel(raster, 1, 1) == pixel(raster, 0, 0) && pixel(raster, 6, 3) == pixel(raster, 0, 0))
  }

  /// Half black and half white is half the light.
  @Test func reducingAveragesLight() async {
    let stripes = Thumbnail(
      size: Size(width: 64, height: 32),
      codes: (0..<64 * 32).flatMap { [UInt8](repeating: $0 % 2 == 0 ? 0 : 255, count: 3) })
    let small = await stripes.reduced(toLongSide: 16)
    #expect(small.size == Size(width: 16, height: 8))
    #expect(small.codes.allSatisfy { $0 == 188 })
    #expect(await stripes.reduced(toLongSide: 64).codes == stripes.codes)
  }

  @Test func enlargingRepeatsPixelsAndStaysInside() {
    let part = picture(10, 10).enlarged(left: 8, top: -3, Size(width: 4, height: 2), times: 3)
    #expect(part.size == Size(width: 12, height: 6))
    #expect(part.codes[0] == 6 && part.codes[6] == 6 && part.codes[9] == 7)
    #expect(part.codes[3 * 12 * 3] == 16)
    let whole = picture(3, 2).enlarged(left: 0, top: 0, Size(width: 9, height: 9), times: 2)
    #expect(whole.size == Size(width: 6, height: 4))
  }

  /// Twelve different frames of a sway, in four columns.
  @Test func aContactSheetShowsTheLoop() async throws {
    let scene = try await SphereBeforeWall(width: 64, height: 48, radius: 14).scene()
    let shot = try await scene.shot(.named("sway")!, amount: 3, period: 24)
    let sheet = Montage.contactSheet(of: shot)
    #expect(sheet.size == Size(width: 4 * 72 + 8, height: 3 * 56 + 8))
    for index in 0..<12 {
      let frame = shot.frame(UInt64(2 * index)).bytes
      let (left, top) = (8 + index % 4 * 72, 8 + index / 4 * 56)
      for (x, y) in [(0, 0), (20, 24), (63, 47)] {
        #expect(
          pixel(sheet, left + x, top + y) == Array(frame[(y * 64 + x) * 3..<(y * 64 + x + 1) * 3]))
      }
    }
    let short = Montage.contactSheet(of: try await scene.shot(.push, period: 2))
    #expect(short.size == Size(width: 2 * 72 + 8, height: 48 + 16))
  }
}
