internal import CSystem
internal import MotionCore
internal import StreamOut

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The command. It stays on the main thread, which opens and writes; frames are drawn on others.
@main @MainActor
struct Main {
  static func main() async {
    StandardStreams.reserve()
    msReturnLargeBlocks()
    Signals.ignoreBrokenPipes()
    do {
      var settings = try Settings(arguments: Arguments.all)
      settings.instructions = try EnvironmentVariable.instructions()
      switch settings.task {
      case .help: try Console.print(helpText())
      case .version: try Console.print("motion-stream \(version)\n")
      case .info:
        let plan = try await Plan(settings)
        Console.sayPassedOver(plan)
        try Console.print(try Info(plan).json())
      case .consumer(let consumer):
        let plan = try await Plan(settings)
        Console.sayPassedOver(plan)
        try Console.print(try consumer.commandLine(for: Film(plan)) + "\n")
        if !settings.quiet { Console.say(consumer) }
      case .completion(let shell): try Console.print(shell.script(Option.all))
      case .manual: try Console.print(manualPage())
      case .layers(let path):
        try await dumpLayers(
          settings, OutputFolder(path: path, overwrite: settings.overwrite))
      case .contactSheet(let path): try await contactSheet(settings, settings.output(at: path))
      case .index(let path): try await index(settings, settings.output(at: path))
      case .checkLoop: try await checkLoop(settings)
      case .verify(let index, let stream):
        let agreement = try Agreement(of: stream, with: index, start: settings.start)
        if !settings.quiet { Console.say(agreement) }
      case .film: try await film(settings)
      }
    } catch {
      Console.end(error)
    }
  }

  /// Photo and depth become a scene, the scene a shot, the shot frames, the frames a stream.
  static func film(_ settings: Settings) async throws {
    let outputs = [settings.output, settings.indexOutput].compactMap(\.self)
    try settings.inputPaths.checkStay(writing: outputs)
    for output in outputs { try output.check() }
    if let index = settings.indexOutput, index.isSame(as: settings.output) {
      throw UsageError.indexIsOutput(settings.indexPath ?? "")
    }
    let plan = try await Plan(settings)
    try plan.inputPaths.checkStay(writing: outputs)
    var index = try settings.indexOutput.map { try IndexWriter(plan, $0) }
    Console.say(plan)
    let shot = await plan.shot()
    var pacer = settings.isRealtime ? Pacer(plan.format.rate) : nil
    var hasReader = true
    do {
      // A file is opened at once, and must not be left unfinished; what has a reader may wait for it.
      let isFile = settings.output.isRegularFile
      if isFile { Signals.holdBack() }
      let writer = try plan.container.open(
        settings.output, plan.format, settings.encoding, plan.rounds)
      if !isFile { Signals.holdBack() }
      // A signal before the first frame leaves no file: nothing would be in it.
      if Signals.pending == nil {
        try await deliver(plan, from: shot, into: writer, &pacer, &index)
      }
    } catch StreamOutError.readerGone {
      hasReader = false
    }
    if let isWritten = try await index?.finish(from: hasReader ? shot : nil), !isWritten,
      !settings.quiet
    {
      Console.sayNoIndex(settings.indexPath ?? "")
    }
    // An endless stream ends when its reader has had enough.
    if !hasReader, plan.frames.count != nil { throw StreamOutError.readerGone }
    if let pacer, !settings.quiet { Console.say(pacer, plan.container) }
    if let signal = Signals.pending { Signals.die(of: signal) }
  }

  /// Frames are drawn and written, round by round where a writer keeps what it made of one: later ones
  /// are then written again and not drawn.
  private static func deliver(
    _ plan: Plan, from shot: Shot, into writer: any FrameWriter, _ pacer: inout Pacer?,
    _ index: inout IndexWriter?
  ) async throws {
    let settings = plan.settings
    var progress = Progress(
      settings.progress, total: plan.frames.count, rate: plan.format.rate, quiet: settings.quiet)
    defer { progress.finish() }
    func waitUntilDue() { pacer?.waitForNext { Signals.pending != nil } }
    func goesOn() -> Bool {
      progress.update(bytes: writer.bytesWritten, late: pacer?.lateFrames)
      return Signals.pending == nil
    }
    for part in plan.parts {
      if Signals.pending != nil { break }
      if writer.keptFrames > 0, part.count == writer.keptFrames {
        for _ in 0..<writer.keptFrames {
          waitUntilDue()
          try writer.repeatFrame()
          if !goesOn(), writer.isWhole { break }
        }
        continue
      }
      try await shot.render(
        part, threads: settings.threads, cacheBytes: settings.cacheBytes ?? Memory.defaultCache
      ) { frame in
        try writer.write(frame, due: waitUntilDue)
        try index?.see(frame)
        return goesOn()
      }
      try writer.endRound(due: waitUntilDue)
    }
    progress.finish()
    try writer.finish(due: waitUntilDue)
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

  /// What the loop's frames are is written down; nothing is filmed.
  static func index(_ settings: Settings, _ output: Output) async throws {
    try settings.inputPaths.checkStay(writing: [output])
    try output.check()
    let plan = try await Plan(settings)
    try plan.inputPaths.checkStay(writing: [output])
    var index = try IndexWriter(plan, output)
    Console.say(plan)
    _ = try await index.finish(from: await plan.shot())
  }

  /// The loop's seam is measured on small frames.
  static func checkLoop(_ settings: Settings) async throws {
    let plan = try await Plan(settings)
    guard plan.loop.moving <= FrameIndex.maximumFrames else {
      throw UsageError.loopTooLong(plan.loop.moving)
    }
    Console.say(plan)
    let steps = try await plan.thumbnail().steps(threads: settings.threads)
    try Console.print(try SeamReport(steps).json())
    if !settings.quiet { Console.say(steps) }
    if steps.seamIsSeen { exit(1) }
  }

  nonisolated static let version = "0.1.0"
  /// The day of the version.
  nonisolated static let date = "2026-11-30"
}
