import Foundation
import MotionCore
import PhotoInput
import TestSupport
import Testing

@testable import motion_stream

/// What models make of a photo that says nothing of itself.
@Suite struct EstimatesTests: EstimationSuite {
  let bare: BarePhoto

  init() throws { bare = try BarePhoto() }

  @Test func aBarePhotoBecomesAFilm() throws {
    try installBoth()
    let film = try run([photo, "--frames", "2", "--subject", "0.5,0.5"])
    #expect(film.ending == .exit(0), "\(film.error)")
    #expect(film.error.isEmpty)
    #expect(try #require(Y4MStream(film.output, frameBytes: 64 * 48 * 3 / 2)).frames.count == 2)
    let (info, _) = try info(photo)
    #expect(source(info, "matte") == "lift" && source(info, "depth") == "estimated")
    #expect(maker(info, "matte") == models.file("lift.onnx"))
    #expect(maker(info, "depth") == models.file("depth.onnx"))
    let target = try #require(info["target"] as? [Double])
    #expect(abs(target[0] - 32.5) < 0.5 && abs(target[1] - 24.5) < 0.5)
    let said = try run([photo, "-v", "--frames", "1"]).error
    #expect(said.contains("matte: lift \(models.file("lift.onnx")) ("))
    #expect(said.contains("depth: estimated \(models.file("depth.onnx")) ("))
  }

  /// The model's sides are multiples of 16, and the photo's are not: its shape is kept.
  @Test func aPhotoOfAnyShape() throws {
    try installBoth()
    let odd = folder.file("odd.png")
    try write(
      odd,
      TestPNG(width: 113, height: 51, color: .rgb).encode { x, y in
        (x - 40) * (x - 40) + (y - 25) * (y - 25) < 144 ? [250, 40, 250] : [0, 40, 2 * y]
      })
    let target = try #require(try info(odd).json["target"] as? [Double])
    #expect(abs(target[0] - 40.5) < 1.5 && abs(target[1] - 25.5) < 1.5, "\(target)")
  }

  @Test(arguments: [
    ("auto", "lift", "estimated"), ("lift", "lift", "plane"), ("depth", "cut", "estimated"),
  ])
  func whatIsWanted(_ word: String, _ matte: String, _ depth: String) throws {
    try installBoth()
    let (info, said) = try info(photo, "--estimate", word)
    #expect(source(info, "matte") == matte && source(info, "depth") == depth)
    #expect(said.contains("taken to be flat; give --depth FILE, or leave out") == (word == "lift"))
  }

  @Test func whatAFileSaysWins() throws {
    try installBoth()
    try write(
      folder.file("photo_depth.png"), Pictures.grey { x, _ in Pictures.isSubject(x, 24) ? 200 : 50 }
    )
    #expect(source(try info(photo).json, "matte") == "lift")
    #expect(source(try info(photo).json, "depth") == "sidecar")
    try write(
      folder.file("photo_matte.png"), Pictures.grey { x, y in Pictures.isSubject(x, y) ? 255 : 0 })
    let (info, _) = try info(photo)
    #expect(source(info, "matte") == "sidecar" && maker(info, "matte") == nil)
    for (option, model) in [("--lift-model", "lift.onnx"), ("--depth-model", "depth.json")] {
      let line = try refusal(photo, option, models.file(model), status: 2)
      #expect(line.contains(option) && line.contains("leave it out"))
    }
  }

  @Test func aNamedModelNeedsNoFolder() throws {
    try installBoth()
    let elsewhere = ScratchFolder()
    for name in models.names {
      try FileManager.default.moveItem(atPath: models.file(name), toPath: elsewhere.file(name))
    }
    let (info, _) = try info(
      photo, "--lift-model", elsewhere.file("lift.onnx"), "--depth-model",
      elsewhere.file("depth.json"))
    #expect(source(info, "matte") == "lift" && source(info, "depth") == "estimated")
    #expect(maker(info, "depth") == elsewhere.file("depth.onnx"))
  }

  @Test func withoutModels() throws {
    let line = try refusal(photo, status: 2)
    #expect(line.contains("--depth FILE") && line.contains("scripts/get-models.sh"))
    // A card without its model is named, and so is a folder that is not there.
    let card = models.file("lift.json")
    try write(card, Array(Self.card("lift", "").utf8))
    let named = try refusal(photo, status: 2)
    #expect(named.contains(card) && named.contains(models.file("lift.onnx")))
    let noFolder = try Child(
      [photo, "--frames", "1"], environment: ["MOTION_STREAM_MODELS": "/no/such"]
    ).result()
    #expect(noFolder.ending == .exit(2) && noFolder.errorLines.count == 1)
    #expect(noFolder.error.contains("MOTION_STREAM_MODELS names /no/such"))
    #expect(try !refusal(photo, "--estimate", "off", status: 2).contains("get-models"))
    try write(
      folder.file("photo_depth.png"), Pictures.grey { x, y in Pictures.isSubject(x, y) ? 200 : 50 })
    #expect(source(try info(photo).json, "matte") == "cut")
    #expect(try run([photo, "--frames", "1"]).error.isEmpty)
    let said = try run([photo, "--frames", "1", "-v"]).error
    #expect(said.contains("no model finds the subject") && said.contains(card))
  }

  @Test func aDarkPolarityIsTurned() throws {
    try install("depth", TestONNX(weights: [0, 0, -1]), output: #""polarity": "dark""#)
    try install(
      "lift", TestONNX(weights: [-1, 0, 0]), output: #""polarity": "dark", "scaling": "range""#)
    let (info, _) = try info(photo)
    #expect((info["depth"] as? [String: Any])?["near"] as? String == "black")
    let bounds = try #require(info["depth"] as? [String: Any])
    #expect(try #require(bounds["min"] as? Double) < 0.5)
    let target = try #require(info["target"] as? [Double])
    #expect(abs(target[0] - 32.5) < 0.5)
  }

  @Test func aPhotoWithoutASubject() throws {
    try installBoth()
    let wall = folder.file("wall.png")
    try write(wall, Pictures.png { x, y in [3, 3, Pictures.isSubject(x, y) ? 255 : y] })
    let (json, said) = try info(wall)
    #expect(source(json, "matte") == "cut" && maker(json, "matte") == nil)
    #expect(said.split(separator: "\n").count == 1 && said.contains("no subject"))
    let line = try refusal(wall, "--estimate", "lift")
    #expect(line.contains(wall) && line.contains("no subject") && line.contains("--matte FILE"))
  }

  @Test func aTapOnTheBackground() throws {
    try installBoth()
    let (json, _) = try info(photo, "--subject", "0.02,0.9")
    #expect(source(json, "matte") == "lift")
    let said = try run([photo, "--subject", "0.02,0.9", "--frames", "1"]).error
    #expect(said.contains("names a point of the background"))
  }

  /// The disc on the right is tapped, and the other one is not cut out.
  @Test func theTapChoosesTheInstance() throws {
    try installBoth()
    let two = folder.file("two.png")
    func disc(_ x: Int, _ y: Int, _ centre: Int) -> Bool {
      (x - centre) * (x - centre) + (y - 24) * (y - 24) < 100
    }
    try write(
      two, Pictures.png { x, y in disc(x, y, 16) || disc(x, y, 48) ? [255, 0, 255] : [0, 0, y] })
    for (tap, chosen, other) in [("0.75,0.5", 48, 16), ("0.25,0.5", 16, 48)] {
      let layers = ScratchFolder()
      let run = try run([two, "--subject", tap, "--dump-layers", layers.path])
      #expect(run.ending == .exit(0), "\(run.error)")
      for stage in ["lift", "lift-instance", "depth-estimated", "depth-refined"] {
        #expect(layers.names.contains("\(stage).png"))
      }
      // A guessed depth gates nothing.
      #expect(!layers.names.contains("lift-gated.png"))
      let lift = try grey(layers.file("lift.png"))
      let instance = try grey(layers.file("lift-instance.png"))
      #expect(lift(chosen, 24) > 0.9 && lift(other, 24) > 0.9)
      #expect(instance(chosen, 24) > 0.9 && instance(other, 24) == 0)
    }
  }

  /// What the model takes in with the subject and lies far behind it.
  @Test func aGivenDepthGatesTheLift() throws {
    try install("lift", Self.red)
    try write(
      photo,
      Pictures.png { x, y in
        Pictures.isSubject(x, y) || (y > 30 && abs(x - 32) < 3) ? [250, 0, 0] : [0, 40, 4 * y]
      })
    try write(
      folder.file("photo_depth.png"),
      Pictures.grey { x, y in Pictures.isSubject(x, y) ? 220 : 30 })
    let layers = ScratchFolder()
    let run = try run([photo, "--dump-layers", layers.path])
    #expect(run.ending == .exit(0), "\(run.error)")
    let lift = try grey(layers.file("lift-instance.png"))
    let gated = try grey(layers.file("lift-gated.png"))
    #expect(lift(32, 45) > 0.5 && gated(32, 45) == 0)
    #expect(lift(32, 24) > 0.9 && gated(32, 24) > 0.9)
  }

  @Test func anotherModelIsAnotherRecipe() throws {
    try installBoth()
    let first = try #require(try info(photo).json["recipe"] as? String)
    #expect(try info(photo).json["recipe"] as? String == first)
    try install("depth", TestONNX(weights: [0, 0, 2]))
    #expect(try info(photo).json["recipe"] as? String != first)
    try installBoth()
    #expect(try info(photo).json["recipe"] as? String == first)
    try install("lift", Self.red, output: #""name": "plane", "least": 0.4"#)
    #expect(try info(photo).json["recipe"] as? String != first)
  }

  // MARK: GrabCut

  @Test func theEdgeIsFoundByColours() throws {
    // The depth's disc is smaller than the photo's.
    try write(
      folder.file("photo_depth.png"),
      Pictures.grey { x, y in (x - 32) * (x - 32) + (y - 24) * (y - 24) < 100 ? 200 : 50 })
    let layers = ScratchFolder()
    let run = try run([photo, "--cut", "grabcut", "--dump-layers", layers.path, "-v"])
    #expect(run.ending == .exit(0), "\(run.error)")
    #expect(run.error.contains("matte: grabcut"))
    let seeds = try grey(layers.file("grabcut-seeds.png"))
    #expect(seeds(32, 24) == 1 && seeds(2, 2) == 0)
    let mask = try grey(layers.file("grabcut.png"))
    #expect(mask(32, 24) == 1 && mask(32, 14) == 1 && mask(20, 2) == 0)
    let coverage = try grey(layers.file("coverage.png"))
    #expect(coverage(32, 24) > 0.99 && coverage(32, 13) > 0.99 && coverage(20, 2) == 0)
    // Where the depth has a ramp that no colour follows, the cut from the depth stays.
    try write(folder.file("photo_depth.png"), Pictures.grey { x, _ in 3 * x })
    #expect(try self.run([photo, "--cut", "grabcut", "--frames", "1"]).ending == .exit(0))
    try write(
      folder.file("photo_matte.png"), Pictures.grey { x, y in Pictures.isSubject(x, y) ? 255 : 0 })
    #expect(try refusal(photo, "--cut", "grabcut", status: 2).contains("leave it out"))
  }

  @Test func aSubjectThatIsLiftedIsNotCut() throws {
    try installBoth()
    let line = try refusal(photo, "--cut", "grabcut", status: 2)
    #expect(line.contains("--cut") && line.contains("--estimate depth"))
  }

  // MARK: Shapes

  /// Whole sides come only near to the shape of a thin photo: what is estimated of it fits all the same.
  @Test(arguments: [(2000, 3), (5, 1500)]) func aThinPhoto(_ width: Int, _ height: Int) throws {
    try installBoth()
    try write(
      photo,
      TestPNG(width: width, height: height, color: .rgb).encode { x, y in
        abs(x + y - (width + height) / 2) < 200 ? [250, 40, 250] : [0, 40, (x + y) / 9 % 200]
      })
    let (info, _) = try info(photo, "--size", "64x48")
    #expect(source(info, "matte") == "lift" && source(info, "depth") == "estimated")
  }

  // MARK: Pipes

  /// A pipe that says nothing is waited for, and no signal with it: not even after a model has run.
  @Test(arguments: [SIGINT, SIGTERM]) func aSignalEndsTheWaitForAPipe(_ signal: Int32) throws {
    try install("lift", Self.red)
    let pipe = folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let child = try Child(
      [photo, "--depth", pipe, "--frames", "1"], environment: ["MOTION_STREAM_MODELS": models.path])
    // Nobody can begin to write before there is a reader.
    var writer: Int32 = -1
    #expect(
      eventually {
        writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return writer >= 0
      })
    defer { close(writer) }
    #expect(child.isRunning)
    child.send(signal)
    #expect(child.wait() == .signal(signal))
  }
}
