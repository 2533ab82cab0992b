internal import MotionCore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Says on standard error how far the stream is. Uses no colour, so `NO_COLOR` has nothing to change.
struct Progress {
  enum Style: String, CaseIterable {
    /// One line that is drawn anew, where standard error is a terminal.
    case auto
    /// A JSON object a line: at the first frame, now and then, and at the end.
    case json
    case none
  }

  private static let redrawInterval = Duration.milliseconds(200)
  /// Carriage return and `EL`: erase to the end of the line.
  private static let clearLine = "\r\u{1B}[K"

  private let style: Style
  private let total: Int?
  private let rate: FrameRate
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var nextDraw: ContinuousClock.Instant
  private var hasDrawn = false
  private var drawnFrames = 0
  private var state = State()

  /// What has been written so far.
  private struct State {
    var frames = 0
    var bytes = 0
    var late: Int?
  }

  /// - Parameter total: the frames to come; nil for an endless stream.
  init(_ style: Style, total: Int?, rate: FrameRate, quiet: Bool) {
    (self.total, self.rate) = (total, rate)
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    let canRedraw = isatty(STDERR_FILENO) == 1 && !terminal.isEmpty && terminal != "dumb"
    self.style = style == .auto && (quiet || !canRedraw) ? .none : style
    start = clock.now
    nextDraw = style == .json ? start : start.advanced(by: Self.redrawInterval)
  }

  /// To be called after each frame, with the bytes written so far, and how many frames were late
  /// where anyone waits for them.
  mutating func update(bytes: Int, late: Int? = nil) {
    state = State(frames: state.frames + 1, bytes: bytes, late: late)
    guard style != .none else { return }
    let now = clock.now
    guard now >= nextDraw else { return }
    nextDraw = now.advanced(by: Self.redrawInterval)
    hasDrawn = true
    draw()
  }

  private mutating func draw() {
    let elapsed = max(start.duration(to: clock.now) / .seconds(1), 1e-6)
    let (frames, bytes) = (state.frames, state.bytes)
    drawnFrames = frames
    switch style {
    case .auto:
      emit(
        Self.clearLine
          + Self.line(frames: frames, bytes: bytes, total: total, elapsed: elapsed, rate: rate))
    case .json:
      emit(
        Self.object(
          frames: frames, bytes: bytes, late: state.late, total: total, elapsed: elapsed,
          rate: rate) + "\n")
    case .none: break
    }
  }

  /// Takes the line away again, or says the last of it; before anything else is said.
  mutating func finish() {
    guard hasDrawn else { return }
    hasDrawn = false
    if style == .auto { emit(Self.clearLine) } else if drawnFrames < state.frames { draw() }
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

  /// The object, on one line. `total` and `eta` are null where there is no end; `late` is there where
  /// frames are paced; times are in seconds.
  static func object(
    frames: Int, bytes: Int, late: Int?, total: Int?, elapsed: Double, rate: FrameRate
  ) -> String {
    let speed = Double(frames) / elapsed
    let rest = total.map { speed > 0 ? Double(max(0, $0 - frames)) / speed : 0 }
    func rounded(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
    let members =
      [
        ("frame", "\(frames)"), ("total", total.map { "\($0)" } ?? "null"),
        ("fps", rounded(speed)), ("speed", rounded(speed / rate.framesPerSecond)),
        ("bytes", "\(bytes)"), ("elapsed", rounded(elapsed)),
        ("eta", rest.map(rounded) ?? "null"),
      ] + (late.map { [("late", "\($0)")] } ?? [])
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
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
