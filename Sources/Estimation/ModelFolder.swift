/// Where models are looked for that nobody named.
public struct ModelFolder: Sendable {
  /// The variable that names one folder in place of all others.
  public static let variable = "MOTION_STREAM_MODELS"

  /// In the order in which they are searched.
  public let paths: [String]
  /// Whether the user named it.
  private let isNamed: Bool

  /// A model that somebody may think to be installed, and that was not found.
  public enum Miss: Sendable, Hashable {
    /// The folder that the variable names cannot be looked into.
    case noFolder(path: String, errno: Int32)
    /// A card whose model is not there.
    case noFile(card: String, file: String)
  }

  /// `MOTION_STREAM_MODELS` and nothing else where that is set, else `motion-stream/models` in the
  /// user's folder for data and in the system's.
  public init(environment: [String: String]) {
    func named(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let own = named(Self.variable) {
      (paths, isNamed) = ([own], true)
      return
    }
    isNamed = false
    let user = named("XDG_DATA_HOME") ?? named("HOME").map { $0 + "/.local/share" }
    paths = [user, "/usr/local/share", "/usr/share"].compactMap { folder in
      folder.map { $0 + "/motion-stream/models" }
    }
  }

  /// The first model of the kind, by the folders and then by the names of their cards; nil where there
  /// is none. A card whose model's file is not there is passed over, and so is one that is none, if there
  /// is another.
  ///
  /// - Returns: the model, and what was missed before it was found.
  /// - Throws: `model` for a card that is none, and for a model that cannot be read.
  public func find(_ kind: ModelCard.Kind) throws(EstimationError) -> (Model?, misses: [Miss]) {
    var problem: EstimationError?
    var misses: [Miss] = []
    for folder in paths {
      if isNamed, let code = FileBytes.obstacle(folder: folder) {
        misses.append(.noFolder(path: folder, errno: code))
      }
      for name in FileBytes.names(in: folder) where name.hasSuffix(".json") {
        let path = folder + "/" + name
        do {
          let (card, json) = try Model.card(at: path)
          let file = Model.file(of: card, at: path)
          guard card.kind == kind else { continue }
          guard FileBytes.exists(file) else {
            misses.append(.noFile(card: path, file: file))
            continue
          }
          return (try Model(card, json, at: file), misses)
        } catch {
          problem = problem ?? error
        }
      }
    }
    if let problem { throw problem }
    return (nil, misses)
  }
}
