internal import MotionCore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// One line on a terminal's standard error that says how far the stream is. Writes nothing where
/// standard error is no terminal. Uses no colour, so `NO_COLOR` has nothing to change.
struct Progress {
  private static let redrawInterval = Duration.milliseconds(200)
  /// Carriage return and `EL`: erase to the end of the line.
  private static let clearLine = "\r\u{1B}[K"

  private let total: Int?
  private let rate: FrameRate
  private let isShown: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var nextDraw: ContinuousClock.Instant
  private var hasDrawn = false

  /// - Parameter total: the frames to come; nil for an endless stream.
  init(total: Int?, rate: FrameRate, quiet: Bool) {
    (self.total, self.rate) = (total, rate)
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    isShown = !quiet && isatty(STDERR_FILENO) == 1 && !terminal.isEmpty && terminal != "dumb"
    start = clock.now
    nextDraw = start.advanced(by: Self.redrawInterval)
  }

  /// To be called after each frame, with the frames and bytes written so far.
  mutating func update(frames: Int, bytes: Int) {
    guard isShown else { return }
    let now = clock.now
    guard now >= nextDraw else { return }
    nextDraw = now.advanced(by: Self.redrawInterval)
    hasDrawn = true
    let elapsed = start.duration(to: now) / .seconds(1)
    emit(
      Self.clearLine
        + Self.line(frames: frames, bytes: bytes, total: total, elapsed: elapsed, rate: rate))
  }

  /// Takes the line away again, before anything else is said and at the end.
  mutating func finish() {
    guard hasDrawn else { return }
    hasDrawn = false
    emit(Self.clearLine)
  }

  /// The line, under 80 columns. `elapsed` is in seconds, more than 0.
  static func line(
    frames: Int, bytes: Int, total: Int?, elapsed: Double, rate: FrameRate
  ) -> String {
    let speed = Double(frames) / elapsed
    var parts = ["frame \(frames)" + (total.map { "/\($0)" } ?? "")]
    parts.append("\(decimal(speed)) fps")
    parts.append("\(decimal(speed / rate.framesPerSecond))x")
    parts.append("\(decimal(Double(bytes) / 1e6)) MB")
    if let total, speed > 0 {
      parts.append("eta \(time(Double(max(0, total - frames)) / speed))")
    }
    return parts.joined(separator: "  ")
  }

  /// One decimal below 100, none above.
  private static func decimal(_ value: Double) -> String {
    guard value < 99.95 else { return "\(Int(min(value, 1e15).rounded()))" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Minutes and seconds, and hours where there are any.
  private static func time(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e9).rounded(.up))
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    let start = hours > 0 ? "\(hours):\(minutes < 10 ? "0" : "")\(minutes)" : "\(minutes)"
    return "\(start):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }

  /// Progress that cannot be written is not worth an error.
  private func emit(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
