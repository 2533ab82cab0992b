public import MotionCore

/// Why a stream could not be written, as data: the sentence is the command's.
///
/// Paths are those the caller gave; nil stands for standard output.
public enum StreamOutError: Error, Hashable, Sendable {
  /// What was being done when the system refused.
  public enum Operation: String, Sendable, CaseIterable {
    /// Asking what stands at the path.
    case inspect
    case open
    case makeFolder
    case write
    case close
    /// Giving the whole file its name.
    case rename
  }

  /// The system refused; `code` is its `errno`. `open` with `EINTR` means that a signal came while
  /// a FIFO had no reader.
  case system(Operation, path: String?, code: Int32)
  /// Nobody reads the pipe or socket any more (`EPIPE`, `ECONNRESET`). What the reader took before
  /// is unknown; the last frame it has may be cut.
  case readerGone
  /// A file stands at the path and may not be replaced.
  case exists(path: String)
  /// Frames would have gone to a terminal.
  case isTerminal(path: String?)
  /// The container has no way to carry the pixel format.
  case cannotCarry(PixelFormat, ChromaSiting, container: String)
}
