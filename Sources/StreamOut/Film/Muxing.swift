/// How packets are laid into a container: what libavformat is asked for.
struct Muxing: Sendable {
  /// The name libavformat knows the muxer by.
  let muxer: String
  /// The name of what reads it again.
  let demuxer: String
  /// The muxer's own options.
  var options: [String: String] = [:]
  /// The option that sets its clock, where there is one: it counts in the rate's own unit then, so that
  /// no frame is off.
  var clockOption: String?
  /// Whether it goes back in what it has written: it then needs a file, and an end.
  var goesBack = false
  /// The container that takes its place where there is no going back.
  var streamed: String?
  /// Addresses whose receivers expect it, by their scheme, and the options of their protocol.
  var protocols: KeyValuePairs<String, [String: String]> = [:]
}
