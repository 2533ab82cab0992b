internal import MotionCore
internal import StreamOut

/// What a consumer has to be told of a film.
struct Film {
  /// The command that makes it, word by word, its name first.
  let command: [String]
  let container: Container
  let format: VideoFormat
  let isEndless: Bool

  init(command: [String], container: Container, format: VideoFormat, isEndless: Bool) {
    (self.command, self.container, self.format) = (command, container, format)
    self.isEndless = isEndless
  }

  /// Whether its command says how long it is.
  var saysLength: Bool {
    command.contains { word in
      let name = word.prefix { $0 != "=" }
      return Option.named(String(name)).map { $0.answers.contains(.length) } ?? false
    }
  }

  init(_ plan: Plan) {
    self.init(
      command: [Arguments.command] + plan.settings.filmArguments, container: plan.container,
      format: plan.format, isEndless: plan.frames.count == nil)
  }
}
