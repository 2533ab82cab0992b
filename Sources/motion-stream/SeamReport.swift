internal import MotionCore

/// What `--check-loop` prints: steps from frame to frame, as mean absolute differences of R'G'B' in
/// codes of 255, of the loop drawn small.
struct SeamReport: Encodable {
  struct Steps: Encodable { let least, median, largest: Double }

  /// From the last frame of a round to the first of the next.
  let seam: Double
  /// Inside a round.
  let steps: Steps
  let seamIsSeen: Bool

  init(_ loop: LoopSteps) {
    seam = loop.seam
    steps = Steps(least: loop.least, median: loop.median, largest: loop.largest)
    seamIsSeen = loop.seamIsSeen
  }
}
