internal import MotionCore
internal import StreamOut

@main
struct Main {
  static func main() async {
    StandardStreams.reserve()
    Signals.install()
    do {
      let settings = try Settings(arguments: Array(CommandLine.arguments.dropFirst()))
      switch settings.task {
      case .help: try Console.print(helpText())
      case .version: try Console.print("motion-stream \(version)\n")
      case .info: try Console.print(try Info(await Plan(settings)).json())
      case .film: try await film(settings)
      }
    } catch {
      Console.end(error)
    }
  }

  /// Photo and depth become a scene, the scene a shot, the shot frames, the frames a stream.
  static func film(_ settings: Settings) async throws {
    try settings.output.check()
    let plan = try await Plan(settings)
    Console.say(plan)
    let shot = await Shot(plan.scene, plan.framing, plan.loop, plan.format, settings.method)
    // A FIFO that nobody reads yet would wait for good: a signal that came before is obeyed here.
    if let signal = Signals.pending { Signals.die(of: signal) }
    let writer = try settings.resolvedContainer.open(settings.output, plan.format)
    var progress = Progress(
      total: plan.frames.count, rate: plan.format.rate, quiet: settings.quiet)
    var count = 0
    do {
      try await shot.render(plan.frames, threads: settings.threads) { frame in
        try writer.write(frame)
        count += 1
        progress.update(frames: count, bytes: writer.bytesWritten)
        return Signals.pending == nil
      }
      progress.finish()
      try writer.finish()
    } catch StreamOutError.readerGone where plan.frames.count == nil {
      // An endless stream ends when its reader has had enough.
      progress.finish()
    } catch {
      progress.finish()
      throw error
    }
    if let signal = Signals.pending { Signals.die(of: signal) }
  }

  static let version = "0.1.0"
}
