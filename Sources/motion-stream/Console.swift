internal import Estimation
internal import MotionCore
internal import PhotoInput
internal import StreamOut

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What the command says, beside its frames.
enum Console {
  /// Writes text to standard output; a reader that leaves ends the process silently.
  static func print(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest.removeFirst(count)
      } else if errno == EPIPE {
        throw StreamOutError.readerGone
      } else if errno == EAGAIN {
        var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      } else if errno != EINTR {
        throw StreamOutError.system(.write, path: nil, code: errno)
      }
    }
  }

  /// Ends the process with what an error deserves: its sentence and its status.
  static func end(_ error: any Error) -> Never {
    if let signal = Signals.pending { Signals.die(of: signal) }
    // A reader that left before the end: as a process that died of SIGPIPE.
    if case StreamOutError.readerGone = error { exit(141) }
    warn(sentence(error))
    switch error {
    case is UsageError, is VideoFormat.SizeError, StreamOutError.isTerminal,
      StreamOutError.noEncoder, StreamOutError.noEncoderOption,
      StreamOutError.noEncoderWord, EstimationError.leftOut:
      exit(2)
    default: exit(1)
    }
  }

  /// Says what the user should know of a plan before the first frame.
  static func say(_ plan: Plan) {
    let settings = plan.settings
    if settings.quiet { return }
    sayPassedOver(plan)
    for note in plan.scene.notes { warn(sentence(note)) }
    let (asked, used) = (plan.framing.amountAsked, plan.framing.amountUsed)
    if used < asked {
      let rounded = (used * 100).rounded(.down) / 100
      warn(
        "the photo has no room for an amount of \(asked): "
          + (rounded > 0 ? "using \(rounded)" : "the camera stands still")
          + " (another --move or a --subject nearer the middle leaves more)")
    }
    if plan.framing.looksBeyond {
      warn(
        "--pose looks beyond the photo's edge, which is repeated there: a larger --amount crops more"
      )
    }
    let (size, picture) = (plan.format.size, plan.container.pictureSize(plan.format.size))
    if picture != size {
      warn("H.264 has even sides here: \(picture) of \(size), without the last column or row")
    }
    if case .address(let address) = settings.output, !settings.isRealtime,
      plan.frames.count == nil || Output.scheme(of: address) == "udp"
    {
      warn("the film is sent as fast as it is made: give --realtime for a live stream")
    }
    if settings.verbose, plan.container.isEncoded {
      let encoding = settings.encoding
      warn(
        "\(plan.container): \(encoding.encoder), \(Recipe.rate(encoding)), "
          + "preset \(encoding.preset ?? "its own"), tune \(encoding.tune ?? "none"), "
          + "\(encoding.threads) threads")
    }
    if settings.verbose {
      let (format, scene) = (plan.format, plan.scene)
      warn(
        "\(format.size) \(format.pixelFormat) \(format.matrix) \(format.range), "
          + "\(format.rate) fps, \(plan.framing.move) over \(plan.loop.period) frames, "
          + "amount \(used), crop \(plan.framing.crop)")
      warn(
        "photo \(scene.photo.size)\(plan.photoVariant.map { " (\($0.rawValue))" } ?? ""), "
          + "matte: \(from(scene.matteSource, plan.mattePath, plan.matteMaker)), "
          + "depth: \(from(scene.depthSource, plan.depthFacts?.path, plan.depthMaker))"
          + (plan.depthFacts?.near.map { ", near is \($0.rawValue)" } ?? "")
          + ", δ \(scene.disparityBounds.lowerBound)…\(scene.disparityBounds.upperBound)")
      if plan.settings.photo != nil { warn(sentence(scene.photo.colour)) }
    }
  }

  /// Says what of the photo's file is done without.
  static func sayPassedOver(_ plan: Plan) {
    if plan.settings.quiet { return }
    for part in plan.passedOver { warn(sentence(part)) }
    for remark in plan.remarks where plan.settings.verbose || !remark.isMinor {
      warn(sentence(remark))
    }
    if case .ignored(let reason) = plan.scene.photo.colour.treatment, reason != .noProfiles {
      warn(sentence(plan.scene.photo.colour))
    }
  }

  /// Says that a stream was found to be as its index has it.
  static func say(_ agreement: Agreement) { warn(sentence(agreement)) }

  /// Says whether a loop's seam is seen.
  static func say(_ steps: LoopSteps) { warn(sentence(steps)) }

  /// Says that a film ended before its index was known.
  static func sayNoIndex(_ path: String) { warn(noIndexSentence(path)) }

  /// Says what a consumer's line leaves to be done.
  static func say(_ consumer: Consumer) {
    if let hint = consumer.hint { warn(hint) }
  }

  /// Says which frames of a live stream came too late, if any.
  static func say(_ pacer: Pacer, _ container: Container) {
    guard pacer.lateFrames > 0 else { return }
    let most = (pacer.longestDelay / .seconds(1) * 100).rounded() / 100
    warn(
      "\(pacer.lateFrames) frames came late, by up to \(most) seconds: "
        + "a smaller --size\(container.isEncoded ? ", a quicker --preset" : "") or a lower --fps is "
        + "sooner ready")
  }

  /// Where a map came from, and the file's name where it is one of its own, or what made it in how many
  /// seconds.
  private static func from(_ source: Source, _ path: InputPath?, _ maker: MapMaker?) -> String {
    if let maker {
      return "\(source.rawValue) \(maker.name) (\((maker.seconds * 100).rounded() / 100) s)"
    }
    return source.rawValue + (path.map { " \($0)" } ?? "")
  }

  private static func warn(_ line: String) {
    let bytes = Array("motion-stream: \(line.onOneLine)\n".utf8)
    // There is nowhere to say that this failed.
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// What ends a line, steers a terminal or turns text around.
private let hidden: [Unicode.GeneralCategory] = [
  .control, .format, .lineSeparator, .paragraphSeparator,
]

extension String {
  /// The text with its control characters spelt out: a file's name may hold the end of a line, or a
  /// terminal's commands.
  var onOneLine: String {
    unicodeScalars.map { scalar in
      hidden.contains(scalar.properties.generalCategory)
        ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }
}
