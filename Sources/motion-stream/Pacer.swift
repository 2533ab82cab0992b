internal import MotionCore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Holds the frames of a live stream back until they are due: frame n at n / rate after the first,
/// by a clock that nobody sets. A frame that comes too late is counted and delivered; the ones behind
/// it come as fast as they can until the stream is back in time.
struct Pacer {
  /// Frames that were ready more than one frame after they were due, and the most that one was late.
  private(set) var lateFrames = 0
  private(set) var longestDelay = Duration.zero

  /// What a signal waits for at most.
  private static let slice = Duration.milliseconds(50)

  private let framesPerSecond: Double
  private let clock = ContinuousClock()
  private var start: ContinuousClock.Instant?
  private var count = 0

  init(_ rate: FrameRate) { framesPerSecond = rate.framesPerSecond }

  /// Returns when the next frame is due, or as soon as `isOver` says so.
  mutating func waitForNext(unless isOver: () -> Bool) {
    let start = start ?? clock.now
    self.start = start
    let due = start.advanced(by: .seconds(Double(count) / framesPerSecond))
    count += 1
    let delay = due.duration(to: clock.now)
    if delay > .seconds(1 / framesPerSecond) {
      lateFrames += 1
      longestDelay = max(longestDelay, delay)
    }
    while case let rest = clock.now.duration(to: due), rest > .zero, !isOver() {
      let microseconds = min(rest, Self.slice) / .microseconds(1)
      usleep(UInt32(microseconds.rounded(.up)))
    }
  }
}
