/// How much the picture changes from each frame of a loop to the next, and across its seam.
///
/// Steps are mean absolute differences of R'G'B' in codes of 255.
public struct LoopSteps: Sendable, Hashable {
  /// From the last frame of a round to the first of the next.
  public let seam: Double
  /// Of the steps inside the round.
  public let least, median, largest: Double

  /// - Parameter steps: from each frame of a round to the next, at least one, the seam's not among them.
  public init(seam: Double, steps: [Double]) {
    precondition(!steps.isEmpty)
    let sorted = steps.sorted()
    self.seam = seam
    (least, largest) = (sorted[0], sorted[sorted.count - 1])
    median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// Whether the seam's step is larger than any that the loop takes anyway.
  public var seamIsSeen: Bool { seam > largest }
}

extension Shot {
  /// The steps of the loop, its frames drawn one after the other on `threads` threads.
  ///
  /// - Precondition: the shot is of `rgb24`.
  public func steps(threads: Int) async throws -> LoopSteps {
    precondition(format.pixelFormat == .rgb24)
    var previous: Frame?
    var steps: [Double] = []
    // One more than move. Where the camera rests then, what follows is the same frame.
    try await render(FrameRange(count: loop.moving + 1), threads: threads) { frame in
      if let previous { steps.append(meanDifference(previous, frame)) }
      previous = frame
      return true
    }
    if loop.hold > 0 { return LoopSteps(seam: 0, steps: steps) }
    let seam = steps.removeLast()
    return LoopSteps(seam: seam, steps: steps)
  }
}

/// The mean absolute difference of two frames' bytes.
private func meanDifference(_ a: Frame, _ b: Frame) -> Double {
  a.withUnsafeBytes { a in
    b.withUnsafeBytes { b in
      var sum = 0
      for index in 0..<a.count { sum &+= abs(Int(a[index]) &- Int(b[index])) }
      return Double(sum) / Double(a.count)
    }
  }
}
