public import MotionCore

/// A stream that takes frames. One exists only once its header is written; a writer that goes away
/// without `finish` leaves no file behind.
///
/// A class, because the command holds one for a whole run behind `any` and lends it to a closure.
public protocol FrameWriter: AnyObject {
  /// The format of every frame.
  var format: VideoFormat { get }

  /// Bytes handed to the system so far, headers included.
  var bytesWritten: Int { get }

  /// Takes one frame, which must have the writer's format. After an error the writer is of no
  /// further use.
  ///
  /// - Parameter due: called before each frame that goes out, which may be none or several, and none
  ///   of them this one: an encoder looks ahead. Returns when it may go.
  func write(_ frame: Frame, due: () -> Void) throws(StreamOutError)

  /// Ends a round of the loop; a writer that makes use of its repetition has its last frames go out.
  func endRound(due: () -> Void) throws(StreamOutError)

  /// Frames of the round that `repeatFrame` repeats; 0 where it cannot.
  var keptFrames: Int { get }

  /// Writes the next frame of the kept round again, from what was made of it.
  func repeatFrame() throws(StreamOutError)

  /// Whether every frame written can be shown without one that is to come: only then may repeating
  /// end.
  var isWhole: Bool { get }

  /// Ends the stream after a whole frame: writes what is still held back and the trailer, closes, and
  /// gives a file its name. To be called once, and not after an error.
  func finish(due: () -> Void) throws(StreamOutError)

  /// Gives the stream up: closes it and deletes an unfinished file. Does nothing after `finish`.
  func discard()
}

/// A writer to which every round is new, and that holds nothing back.
extension FrameWriter {
  public func endRound(due: () -> Void) {}
  public var keptFrames: Int { 0 }
  public func repeatFrame() { preconditionFailure("nothing was kept") }
  public var isWhole: Bool { true }
}

/// For streams that nobody paces.
extension FrameWriter {
  public func write(_ frame: Frame) throws(StreamOutError) { try write(frame, due: {}) }
  public func finish() throws(StreamOutError) { try finish(due: {}) }
}
