internal import FoundationEssentials
public import MotionCore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The program that runs models, and OpenCV's other estimators, in a process of its own.
///
/// OpenCV is not part of the command: some twenty libraries come with it, which every start would
/// pay for, and what a stranger's model makes of it ends that process and not this one.
public struct Worker {
  /// Its name; it lies beside the command, or in `libexec`.
  public static let name = "motion-estimate"

  let path: String
  /// How many threads it takes, how long it may take, and who may stop it.
  let threads: Int
  let seconds: Double
  let isCancelled: () -> Bool

  /// An answer with more bytes is none.
  static let largestAnswer = 256 << 20
  fileprivate static let magic: UInt32 = 0x3165_736D

  /// Whether this build has a worker.
  public static var isBuilt: Bool {
    #if Estimation
      true
    #else
      false
    #endif
  }

  /// - Parameters:
  ///   - path: of the program; nil looks for it.
  ///   - isCancelled: asked many times a second while it runs.
  /// - Throws: `leftOut` in a build without the trait, `worker` where the program is not there.
  public init(
    at path: String? = nil, threads: Int, seconds: Double,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(EstimationError) {
    #if Estimation
      guard let found = path ?? Self.find() else {
        throw .worker(path: Self.places.first ?? Self.name, .cannotStart(errno: ENOENT))
      }
      (self.path, self.threads, self.seconds) = (found, threads, seconds)
      self.isCancelled = isCancelled
    #else
      throw .leftOut
    #endif
  }

  /// Beside the program that runs, and where installations keep what is not for their users.
  private static var places: [String] {
    guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return [name] }
    let folder = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
    return ["\(folder)/\(name)", "\(folder)/../libexec/motion-stream/\(name)"]
  }

  private static func find() -> String? { places.first { access($0, X_OK) == 0 } }

  /// Runs a model.
  ///
  /// - Throws: `model`, `worker` or `cancelled`.
  func output(of model: Model, for tensor: Tensor) throws(EstimationError) -> Tensor {
    var request = Request(.network, threads: threads)
    request.add(model.bytes)
    request.add(Array((model.card.input.name ?? "").utf8))
    request.add(Array((model.card.output.name ?? "").utf8))
    request.add(tensor)
    let answer: Answer
    do {
      answer = try ask(request)
    } catch {
      throw self.error(error) { .model(path: model.path, $0) }
    }
    switch answer {
    case .tensor(let tensor): return tensor
    case .problem(let detail): throw .model(path: model.path, .refused(detail: detail))
    }
  }

  /// Which pixels are the subject's by their colours (GrabCut: Rother, Kolmogorov and Blake, 2004).
  ///
  /// - Parameters:
  ///   - pixels: R, G, B as sRGB codes 0…1.
  ///   - seeds: at the same size.
  /// - Returns: 1 on the subject and 0 elsewhere.
  /// - Throws: `worker`, `grabCut` or `cancelled`.
  public func grabCut(_ pixels: Plane<SIMD4<Float>>, seeds: Plane<Seed>) throws(EstimationError)
    -> Plane<Float>
  {
    precondition(pixels.size == seeds.size)
    // One thread and a fixed start: the same mask each time.
    var request = Request(.grabCut, threads: 1)
    request.add(Self.grabCutRounds)
    request.add(
      Tensor(
        sides: [pixels.height, pixels.width, 3],
        samples: pixels.samples.flatMap { [$0.z * 255, $0.y * 255, $0.x * 255] }))
    request.add(
      Tensor(
        sides: [seeds.height, seeds.width], samples: seeds.samples.map { Float($0.rawValue) }))
    let answer: Answer
    do {
      answer = try ask(request)
    } catch {
      throw self.error(error) { .grabCut($0) }
    }
    switch answer {
    case .tensor(let mask) where mask.sides == [seeds.height, seeds.width]:
      return Plane(width: seeds.width, height: seeds.height, samples: mask.samples)
    case .tensor: throw .grabCut(.noAnswer)
    case .problem(let detail): throw .grabCut(.refused(detail: detail))
    }
  }

  private static let grabCutRounds: UInt32 = 5

  /// What it means that the worker gave no answer.
  private func error(
    _ silence: Silence, of blamed: (EstimationError.ModelProblem) -> EstimationError
  ) -> EstimationError {
    switch silence {
    case .failed(.timedOut(let seconds)): blamed(.timedOut(seconds: seconds))
    case .failed(.tooManyBytes), .silent: blamed(.noAnswer)
    case .ended(let status, let words):
      .worker(path: path, .ended(status: status, words: words))
    case .failed(.cancelled): .cancelled
    case .failed(let failure): .worker(path: path, failure)
    case .crashed(let signal): blamed(.crashed(signal: signal))
    }
  }

  private enum Answer {
    case tensor(Tensor)
    case problem(String)
  }

  private enum Silence: Error {
    case failed(ChildFailure)
    case crashed(signal: Int32)
    case ended(status: Int32, words: String?)
    case silent
  }

  private func ask(_ request: Request) throws(Silence) -> Answer {
    let child = ChildProcess(
      program: path, arguments: [], input: request.pieces, outputLimit: Self.largestAnswer,
      seconds: seconds, isCancelled: isCancelled)
    let result: ChildProcess.Result
    do {
      result = try child.run()
    } catch {
      throw .failed(error)
    }
    if case .signal(let signal) = result.ending { throw .crashed(signal: signal) }
    if case .exit(let status) = result.ending, status != 0 {
      throw .ended(status: status, words: ChildProcess.lastLine(result.error))
    }
    guard let answer = Self.parse(result.output) else { throw .silent }
    return answer
  }

  private static func parse(_ bytes: [UInt8]) -> Answer? {
    var reader = AnswerReader(bytes)
    guard reader.number() == magic, let status = reader.number() else { return nil }
    switch status {
    case 0: return reader.tensor().map { .tensor($0) }
    case 1: return reader.text().map { .problem($0) }
    default: return nil
    }
  }
}

/// Numbers in rows of rows: the last side is that of consecutive samples.
struct Tensor: Sendable {
  let sides: [Int]
  let samples: [Float]
}

/// What the worker is asked, in the form that its source tells.
private struct Request {
  private(set) var pieces: [[UInt8]]

  enum Verb: UInt32 {
    case network = 1
    case grabCut = 2
  }

  init(_ verb: Verb, threads: Int) {
    pieces = []
    for number in [Worker.magic, verb.rawValue, UInt32(threads)] { add(number) }
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
    return String(decoding: bytes[place...], as: UTF8.self)
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
