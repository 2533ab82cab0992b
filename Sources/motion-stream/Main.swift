internal import CSystem
internal import MotionCore
internal import StreamOut

/// The command. It stays on the main thread, which opens and writes; frames are drawn on others.
@main @MainActor
struct Main {
  static func main() async {
    StandardStreams.reserve()
    msReturnLargeBlocks()
    Signals.ignoreBrokenPipes()
    do {
      let settings = try Settings(arguments: Arguments.all)
      switch settings.task {
      case .help: try Console.print(helpText())
      case .version: try Console.print("motion-stream \(version)\n")
      case .info:
        let plan = try await Plan(settings)
        Console.sayPassedOver(plan)
        try Console.print(try Info(plan).json())
      case .layers(let path):
        try await dumpLayers(
          settings, OutputFolder(path: path, overwrite: settings.overwrite))
      case .contactSheet(let path): try await contactSheet(settings, settings.output(at: path))
      case .film: try await film(settings)
      }
    } catch {
      Console.end(error)
    }
  }

  /// Photo and depth become a scene, the scene a shot, the shot frames, the frames a stream.
  static func film(_ settings: Settings) async throws {
    try settings.inputPaths.checkStay(writing: [settings.output])
    try settings.output.check()
    let plan = try await Plan(settings)
    try plan.inputPaths.checkStay(writing: [settings.output])
    Console.say(plan)
    let shot = await Shot(
      plan.scene, plan.framing, plan.loop, plan.format, settings.method, layers: settings.layer)
    var progress = Progress(
      settings.progress, total: plan.frames.count, rate: plan.format.rate, quiet: settings.quiet)
    defer { progress.finish() }
    var pacer = settings.isRealtime ? Pacer(plan.format.rate) : nil
    do {
      let writer = try plan.container.open(settings.output, plan.format)
      Signals.holdBack()
      try await shot.render(plan.frames, threads: settings.threads) { frame in
        pacer?.waitForNext { Signals.pending != nil }
        try writer.write(frame)
        progress.update(bytes: writer.bytesWritten, late: pacer?.lateFrames)
        return Signals.pending == nil
      }
      progress.finish()
      try writer.finish()
    } catch StreamOutError.readerGone where plan.frames.count == nil {
      // An endless stream ends when its reader has had enough.
    }
    if let pacer, !settings.quiet { Console.say(pacer) }
    if let signal = Signals.pending { Signals.die(of: signal) }
  }

  /// The scene's layers become pictures in a folder; nothing is filmed.
  static func dumpLayers(_ settings: Settings, _ folder: OutputFolder) async throws {
    let files = LayerDump.names.map { folder.file($0) }
    try settings.inputPaths.checkStay(writing: files)
    try folder.check(LayerDump.names)
    let plan = try await Plan(settings)
    try plan.inputPaths.checkStay(writing: files)
    Console.say(plan)
    try await LayerDump(plan: plan).write(into: folder)
  }

  /// Some frames of the loop become one picture.
  static func contactSheet(_ settings: Settings, _ output: Output) async throws {
    try settings.inputPaths.checkStay(writing: [output])
    try output.check()
    let plan = try await Plan(settings)
    try plan.inputPaths.checkStay(writing: [output])
    Console.say(plan)
    try output.write(Montage.contactSheet(of: try await plan.thumbnail()))
  }

  nonisolated static let version = "0.1.0"
}
