/// Numbers in rows of rows: the last side is that of consecutive samples.
struct Tensor: Sendable {
  let sides: [Int]
  let samples: [Float]
}

/// What requests and answers begin with.
private let magic: UInt32 = 0x3165_736D

/// What the worker is asked, in the form that its source tells.
struct Request {
  private(set) var pieces: [[UInt8]]

  enum Verb: UInt32 {
    case network = 1
    case grabCut = 2
  }

  init(_ verb: Verb, threads: Int) {
    pieces = []
    for number in [magic, verb.rawValue, UInt32(threads)] { add(number) }
  }

  mutating func add(_ number: UInt32) {
    pieces.append(withUnsafeBytes(of: number) { Array($0) })
  }

  mutating func add(_ bytes: [UInt8]) {
    add(UInt32(bytes.count))
    pieces.append(bytes)
  }

  mutating func add(_ tensor: Tensor) {
    add(UInt32(tensor.sides.count))
    for side in tensor.sides { add(UInt32(side)) }
    pieces.append(tensor.samples.withUnsafeBytes { Array($0) })
  }
}

/// What the worker answers.
enum Answer: Sendable {
  case tensor(Tensor)
  /// What is wrong, in words.
  case problem(String)
  case unknownTensor(String)

  /// - Returns: nil for bytes that are none of these.
  init?(_ bytes: [UInt8]) {
    var reader = AnswerReader(bytes)
    guard reader.number() == magic, let status = reader.number() else { return nil }
    let answer: Answer? =
      switch status {
      case 0: reader.tensor().map { .tensor($0) }
      case 1: reader.text().map { .problem($0) }
      case 2: reader.text().map { .unknownTensor($0) }
      default: nil
      }
    guard let answer else { return nil }
    self = answer
  }
}

private struct AnswerReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func number() -> UInt32? {
    guard bytes.count - place >= 4 else { return nil }
    defer { place += 4 }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
  }

  mutating func text() -> String? {
    guard let count = number(), Int(count) == bytes.count - place else { return nil }
    return String(
      String(decoding: bytes[place...], as: UTF8.self).prefix(ChildProcess.longestLine))
  }

  mutating func tensor() -> Tensor? {
    guard let rank = number(), rank <= 8 else { return nil }
    var (sides, count) = ([Int](), 1)
    for _ in 0..<rank {
      guard let side = number(), side > 0 else { return nil }
      let (product, isOver) = count.multipliedReportingOverflow(by: Int(side))
      guard !isOver else { return nil }
      sides.append(Int(side))
      count = product
    }
    guard count <= (bytes.count - place) / 4, count * 4 == bytes.count - place else { return nil }
    let samples = [Float](unsafeUninitializedCapacity: count) { samples, initialized in
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(samples).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[place...]))
      }
      initialized = count
    }
    return Tensor(sides: sides, samples: samples)
  }
}
