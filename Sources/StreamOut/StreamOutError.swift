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
    case remove
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
  /// libavcodec has no H.264 encoder of this name that takes 4:2:0; `known` are the ones it has.
  case noEncoder(String, known: [String])
  /// The encoder has no option that is given as this one.
  case noEncoderOption(String, encoder: String)
  /// The encoder does not know the word that was given for this option; `known` are those it does.
  case noEncoderWord(String, option: String, encoder: String, known: [String])
  /// The encoder would not start or go on; `detail` is what it says.
  case encoder(String, detail: String)
  /// The library cannot be loaded.
  case noLibrary(String, detail: String)
  /// libavformat refuses, for no reason of the system's.
  case muxer(Operation, path: String?, detail: String)
  /// The container has no way to carry the pixel format.
  case cannotCarry(PixelFormat, ChromaSiting, container: String)
}
