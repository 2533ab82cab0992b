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
      Set(info.keys).isSuperset(of: [
        "size", "fps", "period", "frames", "frameBytes", "move", "amount", "crop", "target",
        "focal", "window", "photo", "matte", "depth",
      ]))
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
}
