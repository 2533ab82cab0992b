import Foundation
import TestSupport
import Testing

/// What a photo's file says of its colours, through the whole command.
@Suite struct PhotoColoursTests {
  static let displayP3 = TestICC.rgb(
    TestICC.displayP3, curve: TestICC.sRGBFormula, name: "Display P3")

  private func photo(_ pictures: Pictures, _ chunks: [(type: String, body: [UInt8])]) throws
    -> String
  {
    var file = TestPNG(width: 64, height: 48, color: .rgb)
    file.chunks = chunks
    return try pictures.write(
      "tagged.png",
      file.encode { x, y in
        Pictures.isSubject(x, y) ? [230, 60, 20] : [20, 180, 90]
      })
  }

  private func frame(_ photo: String, _ pictures: Pictures) throws -> Child.Result {
    try Command.run(
      photo, "--matte", pictures.matte, "--amount", "0", "--frames", "1", "--format", "raw",
      "--pix-fmt", "rgb24")
  }

  private func info(_ photo: String, _ pictures: Pictures) throws -> [String: Any] {
    let run = try Command.run(photo, "--matte", pictures.matte, "--info")
    let plan = try #require(
      JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    let picture = try #require(plan["photo"] as? [String: Any])
    return try #require(picture["colour"] as? [String: Any])
  }

  #if LittleCMS
    @Test func theFrameAtRestIsThePhotoInSRGB() throws {
      let pictures = try Pictures()
      let tagged = try photo(pictures, [TestPNG.icc(Self.displayP3.encode())])
      let run = try frame(tagged, pictures)
      #expect(run.ending == .exit(0) && run.error.isEmpty, "\(run.error)")
      func light(_ code: Double) -> Double {
        let v = code / 255
        return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
      }
      func code(_ light: Double) -> Double {
        let v = min(max(light, 0), 1)
        return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055)
      }
      for (x, y, colour) in [(32, 24, [230.0, 60, 20]), (5, 5, [20, 180, 90])] {
        let (r, g, b) = (light(colour[0]), light(colour[1]), light(colour[2]))
        let wanted = [
          code(1.22494 * r - 0.22494 * g), code(-0.042057 * r + 1.042057 * g),
          code(-0.019638 * r - 0.078636 * g + 1.098274 * b),
        ]
        for channel in 0..<3 {
          let found = Double(run.output[(y * 64 + x) * 3 + channel])
          #expect(abs(found - wanted[channel]) <= 1, "\(found), not \(wanted)")
        }
      }
    }

    @Test func theProfileIsNamed() throws {
      let pictures = try Pictures()
      let tagged = try photo(pictures, [TestPNG.icc(Self.displayP3.encode())])
      let colour = try info(tagged, pictures)
      #expect(colour["name"] as? String == "Display P3")
      #expect(colour["treatment"] as? String == "converted" && colour["reason"] is NSNull)
      let run = try Command.run(
        tagged, "--matte", pictures.matte, "--frames", "1", "-v", "-o",
        pictures.folder.file("out.y4m"))
      #expect(run.error.contains("converted to sRGB (Display P3)"), "\(run.error)")
    }
  #endif

  @Test func aBrokenProfileIsSaidAndDoneWithout() throws {
    let pictures = try Pictures()
    let plain = try frame(try photo(pictures, []), pictures)
    let broken = try photo(pictures, [TestPNG.icc(Array("not a profile".utf8))])
    let run = try frame(broken, pictures)
    #expect(run.ending == .exit(0))
    #expect(run.errorLines.count == 1 && run.error.contains("taken as sRGB"), "\(run.error)")
    #expect(run.output == plain.output && plain.error.isEmpty)
    let colour = try info(broken, pictures)
    #expect(colour["treatment"] as? String == "ignored")
    #expect((colour["reason"] as? String)?.contains("broken") == true)
    let quiet = try Command.run(
      broken, "--matte", pictures.matte, "--frames", "1", "-q", "-o",
      pictures.folder.file("out.y4m"))
    #expect(quiet.error.isEmpty)
  }

  @Test func whatIsSRGBIsNotTouched() throws {
    let pictures = try Pictures()
    let plain = try frame(try photo(pictures, []), pictures)
    #expect(
      try info(pictures.folder.file("tagged.png"), pictures)["treatment"] as? String == "assumed")
    let tagged = try photo(pictures, [TestPNG.sRGB])
    #expect(try frame(tagged, pictures).output == plain.output)
    let colour = try info(tagged, pictures)
    #expect(colour["treatment"] as? String == "kept" && colour["name"] as? String == "sRGB")
  }

  @Test func inksWithoutAProfileAreRefused() throws {
    let pictures = try Pictures()
    let one = TestJPEG.Sampling(h: 1, v: 1)
    let inks = try pictures.write(
      "inks.jpg",
      TestJPEG(
        width: 64, height: 48, sampling: [one, one, one, one],
        segments: TestJPEG.adobe(transform: 0)
      ).encode { _, x, _ in UInt8(x) })
    let run = try Command.run(inks, "--matte", pictures.matte, "--info")
    #expect(run.ending == .exit(1) && run.errorLines.count == 1)
    #expect(run.error.contains("inks.jpg") && run.error.contains("CMYK"), "\(run.error)")
  }
}
