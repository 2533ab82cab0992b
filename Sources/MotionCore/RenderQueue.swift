/// Hands poses to the threads that draw and frames to the one that writes, in order.
///
/// A pose that is drawn, or being drawn, is never given out again while it is kept.
actor RenderQueue {
  private let loop: Loop
  private let range: FrameRange
  /// How many frames may be planned beyond the one handed over last.
  private let lookAhead: Int
  /// How many poses are kept for later rounds.
  private let kept: Int

  /// Frames planned and frames handed over so far.
  private var planned = 0
  private var delivered = 0
  private var isClosed = false
  /// Planned poses that no thread has taken yet, in order, and those being drawn.
  private var waiting: [Int] = []
  private var inHand: Set<Int> = []
  private var frames: [Int: Frame] = [:]
  /// Poses that stay when they have been handed over.
  private var keeping: Set<Int> = []
  /// How often each pose is still due among the planned frames.
  private var due: [Int: Int] = [:]

  private var idle: [CheckedContinuation<Void, Never>] = []
  private var reader: CheckedContinuation<Void, Never>?

  init(loop: Loop, range: FrameRange, lookAhead: Int, kept: Int) {
    (self.loop, self.range, self.lookAhead, self.kept) = (loop, range, lookAhead, kept)
  }

  /// The next pose to draw; waits while enough is drawn ahead. Nil when there is nothing left.
  func nextPose() async -> Int? {
    while !isClosed {
      plan()
      if !waiting.isEmpty {
        let id = waiting.removeFirst()
        inHand.insert(id)
        return id
      }
      if !hasFrame(planned) { return nil }
      await withCheckedContinuation { idle.append($0) }
    }
    return nil
  }

  /// Takes a drawn pose.
  func finish(_ id: Int, _ frame: Frame) {
    inHand.remove(id)
    frames[id] = frame
    wakeReader()
  }

  /// The next frame in order; nil when there is no more.
  func nextFrame() async -> Frame? {
    guard hasFrame(delivered) else { return nil }
    plan()
    let id = poseID(delivered)
    while frames[id] == nil {
      wakeIdle()
      await withCheckedContinuation { reader = $0 }
    }
    let frame = frames[id]!
    delivered += 1
    due[id]! -= 1
    if keeping.count < kept { keeping.insert(id) }
    if due[id] == 0 {
      due[id] = nil
      if !keeping.contains(id) { frames[id] = nil }
    }
    wakeIdle()
    return frame
  }

  /// Ends it: nobody gets more to do.
  func close() {
    isClosed = true
    wakeIdle()
  }

  /// Looks ahead: every pose of the next frames that is neither there nor on its way is wanted.
  private func plan() {
    while planned < delivered + lookAhead, hasFrame(planned) {
      let id = poseID(planned)
      planned += 1
      let isOnItsWay = frames[id] != nil || inHand.contains(id) || waiting.contains(id)
      due[id, default: 0] += 1
      if !isOnItsWay { waiting.append(id) }
    }
  }

  private func hasFrame(_ index: Int) -> Bool { range.count.map { index < $0 } ?? true }

  private func poseID(_ index: Int) -> Int {
    let place = loop.place(ofFrame: range.start) + index % loop.period
    return loop.poseID(ofFrame: UInt64(place))
  }

  private func wakeIdle() {
    let waiting = idle
    idle = []
    for continuation in waiting { continuation.resume() }
  }

  private func wakeReader() {
    reader?.resume()
    reader = nil
  }
}
