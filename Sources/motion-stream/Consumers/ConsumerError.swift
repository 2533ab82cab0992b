internal import MotionCore
internal import StreamOut

/// Why a consumer would not take a film for what it is.
struct ConsumerError: Error {
  enum Reason {
    case pixels(PixelFormat, Container)
    case premultiplied
    case range(PixelFormat, ColorRange)
    case siting(ChromaSiting)
    case size(Size)
    case endless
  }
  let consumer: Consumer
  /// The first of the reasons, in the order above.
  let reason: Reason
  /// The options to be given beside, or instead, for a film that it takes.
  let use: [String]
}
