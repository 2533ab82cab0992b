internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The signals that end a run in good order: the frame and the file are finished first.
enum Signals {
  private static let ending = [SIGINT, SIGTERM, SIGHUP]

  /// The first signal that came; 0 before.
  private static let first = Atomic<Int32>(0)

  /// When it came, by `milliseconds`.
  private static let firstTime = Atomic<Int>(0)

  /// A signal this soon after the first is the same one: `timeout` signals its child and then its
  /// whole process group.
  private static var echo: Int { 100 }

  /// The signal that asks the run to end after the current frame.
  static var pending: Int32? {
    let signal = first.load(ordering: .acquiring)
    return signal == 0 ? nil : signal
  }

  /// Ignores `SIGPIPE`, so that a reader that leaves is an error of a write. To be called before
  /// anything is written.
  static func ignoreBrokenPipes() { setHandler(SIG_IGN, for: SIGPIPE) }

  /// Begins to note the ending signals. A signal that is ignored already stays so, as `nohup` wants
  /// it. To be called when there is a stream to be finished: until then a signal ends the
  /// process at once, which may be reading a photo or waiting for a FIFO's reader.
  static func holdBack() {
    // A handler must not be the one to make a global: this makes them.
    first.store(0, ordering: .releasing)
    firstTime.store(0, ordering: .releasing)
    for signal in ending where !isIgnored(signal) {
      setHandler(note, for: signal)
    }
  }

  /// Notes the ending signals while `body` waits for a child of this process, so that whoever waits can
  /// end it first; the signal then ends this process too.
  static func whileChildRuns<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    holdBack()
    defer { release() }
    return try await body()
  }

  /// Ends what `holdBack` began: a signal ends the process at once again, and one that came has.
  private static func release() {
    for signal in ending where !isIgnored(signal) { setHandler(SIG_DFL, for: signal) }
    if let pending { die(of: pending) }
  }

  /// Ends the process by the signal, so that whoever waits sees which (a shell shows 128 + signal).
  static func die(of signal: Int32) -> Never {
    setHandler(SIG_DFL, for: signal)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(signal)
    _exit(128 + signal)
  }

  /// Notes the first signal. The second ends the process as if none of this were here: a reader
  /// that has stalled may never let the frame be finished. Calls only what POSIX allows in a
  /// handler; the signal raised here is delivered when the handler returns.
  private static let note: @convention(c) (Int32) -> Void = { signal in
    let savedError = errno
    defer { errno = savedError }
    let (isFirst, _) = Signals.first.compareExchange(
      expected: 0, desired: signal, ordering: .acquiringAndReleasing)
    if isFirst {
      Signals.firstTime.store(Signals.milliseconds, ordering: .releasing)
      return
    }
    let sinceFirst = Signals.milliseconds - Signals.firstTime.load(ordering: .acquiring)
    guard sinceFirst > Signals.echo else { return }
    Signals.setHandler(SIG_DFL, for: signal)
    raise(signal)
  }

  /// A clock that is never set, and that a handler may read.
  private static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// Without `SA_RESTART`: a write that waits for its reader returns.
  private static func setHandler(_ handler: (@convention(c) (Int32) -> Void)?, for signal: Int32) {
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(signal, &action, nil)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
