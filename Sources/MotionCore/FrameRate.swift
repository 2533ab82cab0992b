/// Frames a second as an exact fraction in lowest terms.
public struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  public let numerator: Int
  public let denominator: Int

  /// The rate `numerator / denominator`, or nil unless it lies in 1/100…1000 frames a second and
  /// both terms, in lowest terms, are at most 1,000,000.
  public init?(_ numerator: Int, _ denominator: Int = 1) {
    guard numerator > 0, denominator > 0 else { return nil }
    let divisor = Self.gcd(numerator, denominator)
    let (n, d) = (numerator / divisor, denominator / divisor)
    guard n <= 1_000_000, d <= 1_000_000, n <= 1000 * d, 100 * n >= d else { return nil }
    (self.numerator, self.denominator) = (n, d)
  }

  /// Reads `30`, `30000/1001`, `30000:1001`, `12.5`, or one of the television rates 23.976, 29.97,
  /// 59.94 and 119.88, which stand for n · 1000/1001 exactly.
  public init?(parsing text: String) {
    let television = ["23.976": 24, "23.98": 24, "29.97": 30, "59.94": 60, "119.88": 120]
    if let rate = television[text] {
      self.init(rate * 1000, 1001)
      return
    }
    let terms = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == ":" }
    switch terms.count {
    case 2:
      guard let n = Int(terms[0]), let d = Int(terms[1]) else { return nil }
      self.init(n, d)
    case 1:
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let decimals = parts.count == 2 ? parts[1].count : 0
      guard parts.count <= 2, decimals <= 4, !parts.contains(""),
        !text.contains(where: { $0 == "-" || $0 == "+" }),
        let n = Int(parts.joined()), n <= 100_000_000
      else { return nil }
      self.init(n, (0..<decimals).reduce(1) { power, _ in power * 10 })
    default:
      return nil
    }
  }

  public var framesPerSecond: Double { Double(numerator) / Double(denominator) }
  public var description: String { "\(numerator)/\(denominator)" }

  private static func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }
}
