/// How a film is encoded: what an H.264 encoder is asked for.
public struct Encoding: Sendable, Hashable {
  /// How many bits a film may have.
  public enum Rate: Sendable, Hashable {
    /// As many as it takes to be this good: 0 (lossless) to 51 (worst), 23 is x264's own.
    case quality(Double)
    /// So many a second, on average.
    case bitrate(Int)
  }

  /// The name libavcodec knows the encoder by.
  public var encoder: String
  /// Nil leaves it to the encoder; libx264 then works for a quality of 18.
  public var rate: Rate?
  /// The encoder's own words for how much care it takes and for whom; nil leaves them to it.
  public var preset, tune: String?
  /// How many threads encode. The bytes of a film depend on it, so that it does not follow the
  /// machine.
  public var threads: Int

  /// Seconds from a key frame to the next at most, as services of live streams ask for.
  public static let keySeconds = 2.0

  public static let defaultEncoder = "libx264"
  public static let defaultThreads = 4
  static let defaultQuality = 18.0

  public init(
    encoder: String = defaultEncoder, rate: Rate? = nil, preset: String? = nil,
    tune: String? = nil, threads: Int = defaultThreads
  ) {
    (self.encoder, self.rate, self.preset, self.tune) = (encoder, rate, preset, tune)
    self.threads = threads
  }

  /// What the encoder is told of the rate.
  private var resolvedRate: Rate? {
    rate ?? (encoder == Self.defaultEncoder ? .quality(Self.defaultQuality) : nil)
  }

  /// The quality and the bits a second that are asked for: one of them, or neither.
  public var quality: Double? { if case .quality(let crf) = resolvedRate { crf } else { nil } }
  public var bitrate: Int? { if case .bitrate(let bits) = resolvedRate { bits } else { nil } }
}

/// How a stream is made of rounds of a loop.
public struct Rounds: Sendable, Hashable {
  /// Frames of a round.
  public let period: Int
  /// The place in its round of the stream's first frame.
  public let start: Int
  /// Whether the stream goes on for a second whole round: then the first is kept.
  public let areRepeated: Bool

  public init(period: Int, start: Int, areRepeated: Bool) {
    (self.period, self.start, self.areRepeated) = (period, start, areRepeated)
  }

  /// Whether a round begins with the stream's frame `n`.
  func isBeginning(_ n: Int) -> Bool { (start + n) % period == 0 }
}
