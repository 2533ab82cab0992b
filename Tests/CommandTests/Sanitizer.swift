import Foundation
import Testing

/// A sanitizer that watches the programs, as `scripts/sanitize.sh` says: everything takes many times as
/// long then, and memory and files of the sanitizer's own besides.
enum Sanitizer {
  static let isWatching = ProcessInfo.processInfo.environment["MOTION_STREAM_SANITIZER"] != nil
  /// How much longer programs may take.
  static let patience = isWatching ? 10.0 : 1.0
}

extension Trait where Self == ConditionTrait {
  /// For tests that limit what the system gives to the program, or measure it.
  static var withoutSanitizer: Self {
    .disabled(if: Sanitizer.isWatching, "a sanitizer takes memory and files of its own")
  }
}
