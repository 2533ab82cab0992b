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
    guard let own = ownPath else { return [name] }
    let folder = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
    return ["\(folder)/\(name)", "\(folder)/../libexec/motion-stream/\(name)"]
  }

  /// Of the program that runs, without links.
  private static var ownPath: String? {
    #if os(macOS)
      var size: UInt32 = 0
      _NSGetExecutablePath(nil, &size)
      var bytes = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&bytes, &size) == 0, let real = realpath(bytes, nil) else {
        return nil
      }
      defer { free(real) }
      return String(cString: real)
    #else
      return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #endif
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
    case .unknownTensor(let detail):
      throw .model(path: model.path, .unknownTensor(detail: detail))
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
    case .tensor, .unknownTensor: throw .grabCut(.noAnswer)
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
    guard let answer = Answer(result.output) else { throw .silent }
    return answer
  }
}
