// The only door to the C mathematics library. Its functions may differ in the last place between
// processors, so whatever they compute is rounded with room to spare before a frame depends on it.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

enum Math {
  static func cos(_ x: Double) -> Double { _cos(x) }
  static func pow(_ x: Double, _ y: Double) -> Double { _pow(x, y) }
  static func exp(_ x: Double) -> Double { _exp(x) }
}

private func _cos(_ x: Double) -> Double { cos(x) }
private func _pow(_ x: Double, _ y: Double) -> Double { pow(x, y) }
private func _exp(_ x: Double) -> Double { exp(x) }
