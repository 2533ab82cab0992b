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

  /// Writes one frame, which must have the writer's format. After an error the writer is of no
  /// further use.
  func write(_ frame: Frame) throws(StreamOutError)

  /// Ends the stream after a whole frame: writes the trailer, closes, and gives a file its name.
  /// To be called once, and not after an error.
  func finish() throws(StreamOutError)

  /// Gives the stream up: closes it and deletes an unfinished file. Does nothing after `finish`.
  func discard()
}
