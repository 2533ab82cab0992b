/// An ONNX model (onnx.proto, opset 11) of one convolution of 1x1: each channel it gives is a weighted
/// sum of the three it takes.
public struct TestONNX: Sendable {
  /// Three for every channel of the output.
  public var weights: [Float]
  /// The sides that the tensor of weights claims to have; nil for its own.
  public var claimedSides: [Int]?
  /// The output is so many times smaller.
  public var stride = 1
  public var input = "image"
  public var output = "plane"

  public init(weights: [Float]) { self.weights = weights }

  public func encode() -> [UInt8] {
    let sides = claimedSides ?? [weights.count / 3, 3, 1, 1]
    var raw: [UInt8] = []
    for weight in weights { withUnsafeBytes(of: weight.bitPattern.littleEndian) { raw += $0 } }
    let tensor =
      sides.flatMap { Self.number(1, $0) } + Self.number(2, 1) + Self.text(8, "w")
      + Self.bytes(9, raw)
    let node =
      Self.text(1, input) + Self.text(1, "w") + Self.text(2, output) + Self.text(4, "Conv")
      + Self.bytes(5, Self.integers("kernel_shape", [1, 1]))
      + Self.bytes(5, Self.integers("strides", [stride, stride]))
    let graph =
      Self.bytes(1, node) + Self.text(2, "test") + Self.bytes(5, tensor)
      + Self.bytes(11, Self.value(input, channels: 3))
      + Self.bytes(12, Self.value(output, channels: sides[0]))
    return Self.number(1, 6) + Self.bytes(8, Self.text(1, "") + Self.number(2, 11))
      + Self.bytes(7, graph)
  }

  /// A tensor of floats whose picture may be of any size.
  private static func value(_ name: String, channels: Int) -> [UInt8] {
    let sides =
      [number(1, 1), number(1, channels), text(2, "h"), text(2, "w")].flatMap { bytes(1, $0) }
    return text(1, name) + bytes(2, bytes(1, number(1, 1) + bytes(2, sides)))
  }

  private static func integers(_ name: String, _ values: [Int]) -> [UInt8] {
    text(1, name) + values.flatMap { number(8, $0) } + number(20, 7)
  }

  private static func number(_ field: Int, _ value: Int) -> [UInt8] {
    varint(field << 3) + varint(value)
  }

  private static func text(_ field: Int, _ value: String) -> [UInt8] {
    bytes(field, Array(value.utf8))
  }

  private static func bytes(_ field: Int, _ value: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(value.count) + value
  }

  private static func varint(_ value: Int) -> [UInt8] {
    var (rest, bytes) = (UInt64(bitPattern: Int64(value)), [UInt8]())
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
