internal import MotionCore
internal import PhotoInput
internal import StreamOut

/// All that the bytes of a loop's frames follow from, as a text whose hash tells whether an index still
/// belongs to a command: contents of files and never their names, and what settings came to.
///
/// Two plans of one recipe give the same stream, but for where it begins and ends.
enum Recipe {
  /// What of a plan a row is about.
  private typealias Value = @Sendable (Plan) -> String

  /// THE TABLE of what shows in the bytes. A new option has its name in a row of its own, or in one
  /// that says what it comes to, or below.
  private static let rows: [(options: [String], value: Value)] = [
    (["PHOTO"], { content($0, .photo, none: "still life") }),
    (["--photo-variant"], { $0.photoVariant?.rawValue ?? "only" }),
    // What a program wrote is a content as any other.
    (["--depth", "--depth-command"], { content($0, .depth, none: "none") }),
    (["--matte", "--matte-command"], { content($0, .matte, none: "none") }),
    (["--depth-model"], { $0.depthMaker?.content ?? "none" }),
    (["--lift-model"], { $0.matteMaker?.content ?? "none" }),
    // Not the options alone: builds differ in which maps of a photo they read.
    (
      ["maps", "--estimate", "--cut"],
      { "\(origin($0.scene.matteSource)) \(origin($0.scene.depthSource))" }
    ),
    (["--matte-invert"], { "\($0.settings.invertsMatte)" }),
    (["--depth-kind"], { $0.depthFacts?.kind.rawValue ?? "none" }),
    (["--near"], { $0.depthFacts?.near?.rawValue ?? "none" }),
    (["--depth-range"], { "\($0.settings.depthRange ?? 4)" }),
    (["--focal"], { "\($0.scene.optics.focal)" }),
    (["--subject"], { plan in plan.settings.subject.map { "\($0.x),\($0.y)" } ?? "middle" }),
    (["--move"], { $0.loop.move.name }),
    (["--amount"], { "\($0.loop.amount)" }),
    (["--ease"], { $0.loop.easing.name }),
    (["--method"], { $0.settings.method.rawValue }),
    (
      ["--length", "--hold", "--fps"],
      { "\($0.loop.moving) and \($0.loop.hold) at \($0.format.rate)" }
    ),
    (["--pose"], { plan in plan.loop.fixedPose.map(text) ?? "moving" }),
    (["--no-pin"], { "\(!$0.settings.isPinned)" }),
    (["--layer"], { $0.settings.layer.rawValue }),
    (["--alpha"], { $0.format.alpha.rawValue }),
    (["--size", "--preview"], { "\($0.format.size)" }),
    (["--format"], { $0.container.name }),
    (["--encoder", "--preset", "--tune"], { encoding($0) { words($0) } }),
    (
      ["--crf", "--bitrate"], { encoding($0, rate) }
    ),
    (["--encoder-threads"], { encoding($0) { "\($0.threads)" } }),
    (["--pix-fmt"], { $0.format.pixelFormat.name }),
    (["--matrix"], { $0.format.matrix.rawValue }),
    (["--range"], { $0.format.range.rawValue }),
    (["--chroma-siting"], { $0.format.siting.rawValue }),
    (["--renderer"], { $0.settings.renderer.rawValue }),
    // No option: builds differ in which profiles they read.
    (["colour"], { Info.Colour($0.scene.photo.colour).treatment }),
  ]

  /// The options that leave the bytes of every frame as they are.
  static let withoutEffect: Set<String> = [
    "--max-pixels", "--command-timeout", "--loops", "--frames", "--endless", "--start", "--still",
    "--output",
    "--overwrite",
    "--index", "--realtime", "--progress", "--threads", "--cache", "--info", "--dump-layers",
    "--contact-sheet", "--index-only", "--check-loop", "--print-consumer", "--print-completion",
    "--print-man", "--quiet", "--verbose", "--version",
    "--help",
  ]

  /// The options that show, each once.
  static var options: [String] { rows.flatMap { $0.options } }

  /// The text: a line a row.
  static func text(of plan: Plan) -> String {
    "motion-stream recipe 1\n"
      + rows.map { "\($0.options.joined(separator: " ")): \($0.value(plan))\n" }.joined()
  }

  static func hash(of plan: Plan) -> SHA256 { SHA256(text(of: plan)) }

  private static func text(_ pose: Pose) -> String {
    "\(pose.x),\(pose.y),\(pose.z),\(pose.zoom)"
  }

  private static func encoding(_ plan: Plan, _ value: (Encoding) -> String) -> String {
    plan.container.isEncoded ? value(plan.settings.encoding) : "none"
  }

  static func rate(_ encoding: Encoding) -> String {
    encoding.quality.map { "crf \($0)" } ?? encoding.bitrate.map { "\($0) bits a second" }
      ?? "its own rate"
  }

  private static func words(_ encoding: Encoding) -> String {
    "\(encoding.encoder) \(encoding.preset ?? "-") \(encoding.tune ?? "-")"
  }

  /// Where a map is from, whether or not its file was named.
  private static func origin(_ source: Source) -> String {
    (source == .sidecar ? Source.file : source).rawValue
  }

  private static func content(
    _ plan: Plan, _ role: PhotoInputError.Role, none: String
  ) -> String {
    plan.contents[role].map { "\($0)" } ?? none
  }
}
