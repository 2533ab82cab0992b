internal import FoundationEssentials
internal import MotionCore
internal import PhotoInput
internal import StreamOut

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Writes the index of a loop's frames. While a film is written it looks at the frames that pass by;
/// what they do not show is drawn in the end.
struct IndexWriter {
  private let plan: Plan
  private let output: Output
  private var digests: PoseDigests
  private var isWritten = false
  /// The place in the loop of the next frame.
  private var place: Int

  /// - Throws: `noIndex`, `loopTooLong`, `indexWithoutFile`.
  init(_ plan: Plan, _ output: Output) throws(UsageError) {
    guard plan.container.hasIndex else { throw .noIndex(plan.container) }
    let period = plan.loop.period
    guard period <= FrameIndex.maximumFrames else { throw .loopTooLong(period) }
    let container = plan.container
    if container.isEncoded {
      guard plan.settings.task == .film, plan.settings.output.isRegularFile,
        let count = plan.frames.count
      else { throw .indexWithoutFile(container) }
      guard count <= FrameIndex.maximumFrames else { throw .loopTooLong(count) }
    }
    (self.plan, self.output) = (plan, output)
    digests = PoseDigests(
      plan.loop, picture: container.isEncoded ? container.pictureSize(plan.format.size) : nil)
    place = plan.loop.place(ofFrame: plan.frames.start)
  }

  /// Takes the film's next frame. The index of an endless film is written as soon as it is known;
  /// others appear when their film is whole.
  mutating func see(_ frame: Frame) throws {
    digests.see(frame, at: place)
    place = (place + 1) % plan.loop.period
    guard plan.frames.count == nil, digests.isComplete else { return }
    do {
      try write()
    } catch StreamOutError.readerGone {
      // Who ends an endless film is the film's reader.
      let path = plan.settings.indexPath.flatMap { $0 == "-" ? nil : $0 }
      throw StreamOutError.system(.write, path: path, code: EPIPE)
    }
  }

  /// Draws what no frame has shown, and writes the index if that is still to be done.
  ///
  /// - Parameter shot: nil where nobody waits for more to be drawn.
  /// - Returns: false where frames are missing: nothing was to be drawn, or a signal came first.
  mutating func finish(from shot: Shot?) async throws -> Bool {
    if let shot {
      await digests.draw(from: shot, threads: plan.settings.threads) { Signals.pending != nil }
    }
    guard digests.isComplete else { return false }
    try write()
    return true
  }

  /// What the film's file tells, which is whole.
  private func filmPlaces() throws -> FilmPlaces {
    let path = plan.settings.outputPath
    do {
      return try FilmPlaces(
        ofFile: path, in: plan.container, plan.format.rate, plan.loop, digests,
        start: plan.loop.place(ofFrame: plan.frames.start))
    } catch {
      throw VerifyError.film(.file(path), error)
    }
  }

  private mutating func write() throws {
    guard !isWritten else { return }
    isWritten = true
    let settings = plan.settings
    let film = plan.container.isEncoded ? (settings.encoding, try filmPlaces()) : nil
    let index = FrameIndex(
      generator: FrameIndex.Generator(name: "motion-stream", version: Main.version),
      recipe: Recipe.hash(of: plan), container: plan.container, format: plan.format,
      loop: plan.loop, digests: digests, film: film)
    try output.write(try index.file()) { Signals.pending != nil }
  }
}

extension FrameIndex {
  /// The bytes of an index file: JSON, with a pose and a frame a line. The same index is the same bytes.
  func file() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var members: [String] = []
    func text(_ value: some Encodable) throws -> String {
      String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    func add(_ name: String, _ value: some Encodable) throws {
      members.append("\"\(name)\": \(try text(value))")
    }
    func add(_ name: String, rows: [some Encodable]) throws {
      let lines = try rows.map { try text($0) }.joined(separator: ",\n")
      members.append("\"\(name)\": [\n\(lines)\n]")
    }
    try add("schemaVersion", schemaVersion)
    try add("generator", generator)
    try add("recipe", recipe)
    try add("stream", stream)
    try add("period", period)
    try add("poses", rows: poses)
    try add("frames", rows: frames)
    if let packets { try add("packets", rows: packets) }
    return Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
  }
}
