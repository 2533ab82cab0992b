import Foundation
import TestSupport
import Testing

@Suite struct InfoTests {
  private func info(_ arguments: String...) throws -> [String: Any] {
    let run = try Child(arguments + ["--info"]).result()
    #expect(run.ending == .exit(0), "\(run.error)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output))
    return try #require(object as? [String: Any])
  }

  private func source(_ info: [String: Any], _ part: String) -> String? {
    (info[part] as? [String: Any])?["source"] as? String
  }

  @Test func thePlanOfTheStillLife() throws {
    let info = try info("--move", "vertigo", "--amount", "0.5")
    #expect(
      Set(info.keys) == [
        "size", "fps", "period", "hold", "frames", "frameBytes", "pixFmt", "matrix", "range",
        "siting", "renderer", "format", "layer", "alpha", "move", "pose", "amount", "crop",
        "target", "focal",
        "window",
        "photo", "matte", "depth", "recipe", "encoding",
      ])
    #expect(info["pixFmt"] as? String == "yuv420p" && info["format"] as? String == "y4m")
    #expect(info["matrix"] as? String == "bt709" && info["range"] as? String == "limited")
    let depth = try #require(info["depth"] as? [String: Any])
    #expect(
      Set(depth.keys) == ["source", "path", "turned", "kind", "near", "min", "max", "madeBy"])
    #expect(depth["kind"] is NSNull && depth["near"] is NSNull)
    #expect(abs((info["focal"] as? Double ?? 0) - 28 * 2202.9072 / 43.27) < 0.01)
    #expect(info["size"] as? [Int] == [1920, 1080])
    #expect(info["fps"] as? String == "30/1")
    #expect(info["period"] as? Int == 120 && info["frames"] as? Int == 120)
    #expect(info["frameBytes"] as? Int == 1920 * 1080 * 3 / 2)
    #expect(info["move"] as? String == "vertigo")
    #expect(info["amount"] as? [String: Double] == ["asked": 0.5, "used": 0.5])
    #expect((info["crop"] as? Double ?? 0) >= 1.02)
    #expect(info["window"] as? [Double] == [0, 0, 1920, 1080])
    #expect(info["photo"] is NSNull)
    #expect(source(info, "matte") == "still-life" && source(info, "depth") == "still-life")
  }

  @Test func endlessHasNoNumberOfFrames() throws {
    #expect(try info("--size", "64x36", "--endless")["frames"] is NSNull)
    #expect(try info("--preview")["frames"] is NSNull)
    #expect(try info("--preview")["size"] as? [Int] == [720, 406])
    #expect(try info("--size", "64x36", "--loops", "3")["frames"] as? Int == 360)
    #expect(try info("--size", "64x36", "--frames", "7")["frames"] as? Int == 7)
  }

  @Test func thePlanOfAPhoto() throws {
    let pictures = try Pictures()
    let both = try info(pictures.photo, "--depth", pictures.depth, "--matte", pictures.matte)
    #expect(both["size"] as? [Int] == [64, 48])
    let target = try #require(both["target"] as? [Double])
    #expect(abs(target[0] - 32.5) < 0.6 && abs(target[1] - 24.5) < 0.6)
    #expect(abs((both["focal"] as? Double ?? 0) - 28 * 80 / 43.27) < 1e-6)
    let photo = try #require(both["photo"] as? [String: Any])
    #expect(photo["size"] as? [Int] == [64, 48] && photo["orientation"] as? Int == 1)
    let depth = try #require(both["depth"] as? [String: Any])
    #expect(depth["kind"] as? String == "relative" && depth["near"] as? String == "white")
    // Normalised, the wall is four times as far as the disc.
    #expect(abs((depth["min"] as? Double ?? 0) - 0.25) < 0.01)
    #expect(abs((depth["max"] as? Double ?? 0) - 1) < 0.01)
    #expect(source(both, "matte") == "file" && source(both, "depth") == "file")

    let cut = try info(pictures.photo, "--depth", pictures.depth)
    #expect(source(cut, "matte") == "cut" && source(cut, "depth") == "file")
    let plane = try info(pictures.photo, "--matte", pictures.matte, "--subject", "0.5,0.5")
    #expect(source(plane, "depth") == "plane" && plane["target"] as? [Double] == [32, 24])
    let cutout = try pictures.write(
      "cutout.png",
      TestPNG(width: 64, height: 48).encode { x, y in
        [90, 120, 60, x > 20 && x < 40 && y > 10 ? 255 : 0]
      })
    #expect(source(try info(cutout), "matte") == "alpha")
  }

  @Test func blackCanBeNear() throws {
    let pictures = try Pictures()
    let dark = try pictures.write(
      "dark.png",
      Pictures.grey { x, y in (x - 32) * (x - 32) + (y - 24) * (y - 24) < 144 ? 40 : 200 })
    let info = try info(pictures.photo, "--depth", dark, "--near", "black")
    let target = try #require(info["target"] as? [Double])
    #expect(abs(target[0] - 32.5) < 1 && abs(target[1] - 24.5) < 1)
  }

  /// Measured depth has no near end to be told: a disc at half the wall's distance.
  @Test(arguments: [("disparity", Float(2), Float(1)), ("metric", 3, 6)])
  func depthMayBeMeasured(_ kind: String, _ disc: Float, _ wall: Float) throws {
    let pictures = try Pictures()
    let path = try pictures.write(
      "depth.pfm", Pictures.pfm { Pictures.isSubject($0, $1) ? disc : wall })
    let info = try info(pictures.photo, "--depth", path, "--depth-kind", kind)
    let depth = try #require(info["depth"] as? [String: Any])
    #expect(depth["kind"] as? String == kind && depth["near"] is NSNull)
    #expect(depth["min"] as? Double == 0.5 && depth["max"] as? Double == 1)
  }

  /// Sizes and places are those of the upright photo.
  @Test func aTurnedPhotoIsUpright() throws {
    let pictures = try Pictures()
    let turned = try pictures.write(
      "turned.png",
      TestPNG(
        width: 64, height: 48, color: .rgb, exif: exifBlock(orientation: 6, focalLength35: 50)
      )
      .encode { x, y in [x, y, 9] })
    let matte = try pictures.write("tall.png", Pictures.grey(48, 64) { _, y in y < 32 ? 255 : 0 })
    let plan = try info(turned, "--matte", matte)
    let photo = try #require(plan["photo"] as? [String: Any])
    #expect(photo["size"] as? [Int] == [48, 64] && photo["orientation"] as? Int == 6)
    #expect(plan["size"] as? [Int] == [48, 64] && plan["target"] as? [Double] == [24, 16])
    #expect(abs((plan["focal"] as? Double ?? 0) - 50 * 80 / 43.27) < 1e-6)
    #expect((plan["matte"] as? [String: Any])?["turned"] as? Bool == false)
    // Maps that lie as the photo is stored are turned as it is.
    let wide = try pictures.write("wide.png", Pictures.grey { x, _ in x < 32 ? 255 : 0 })
    let both = try info(turned, "--matte", wide, "--depth", wide)
    #expect(both["target"] as? [Double] == [24, 16])
    for map in ["matte", "depth"] {
      #expect((both[map] as? [String: Any])?["turned"] as? Bool == true)
    }
    let wider = try info(turned, "--matte", matte, "--focal", "28")
    #expect(abs((wider["focal"] as? Double ?? 0) - 28 * 80 / 43.27) < 1e-6)
  }

  /// Of a photo that is wider than the film the window is a part, around the subject.
  @Test func theWindowFollowsTheSubject() throws {
    let pictures = try Pictures()
    let left = try info(
      pictures.photo, "--matte", pictures.matte, "--size", "48x48", "--subject", "0,0.5")
    #expect(left["window"] as? [Double] == [0, 0, 48, 48])
    let right = try info(
      pictures.photo, "--matte", pictures.matte, "--size", "48x48", "--subject", "1,0.5")
    #expect(right["window"] as? [Double] == [16, 0, 48, 48])
  }

  @Test func anAmountWithoutRoomIsReduced() throws {
    let pictures = try Pictures()
    // A long lens sees the camera's travel enlarged.
    let plan = try info(
      pictures.photo, "--matte", pictures.matte, "--move", "sway", "--amount", "3", "--focal", "200"
    )
    let amount = try #require(plan["amount"] as? [String: Double])
    let used = try #require(amount["used"])
    #expect(amount["asked"] == 3 && 0 < used && used < 3)
    #expect((plan["crop"] as? Double ?? 0) > 1.12)
  }

  /// The output is not so much as looked at.
  @Test func nothingIsDrawn() throws {
    let pictures = try Pictures()
    let before = pictures.folder.names
    _ = try info("-o", pictures.folder.file("out.y4m"), "--size", "64x36")
    _ = try info("-o", "/nonexistent/out.y4m", "--size", "64x36")
    #expect(pictures.folder.names == before)
  }
}
