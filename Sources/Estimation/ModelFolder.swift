/// Where models are looked for that nobody named.
public struct ModelFolder: Sendable {
  /// In the order in which they are searched.
  public let paths: [String]

  /// `MOTION_STREAM_MODELS` and nothing else where that is set, else `motion-stream/models` in the
  /// user's folder for data and in the system's.
  public init(environment: [String: String]) {
    func named(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let own = named("MOTION_STREAM_MODELS") {
      paths = [own]
      return
    }
    let user = named("XDG_DATA_HOME") ?? named("HOME").map { $0 + "/.local/share" }
    paths = [user, "/usr/local/share", "/usr/share"].compactMap { folder in
      folder.map { $0 + "/motion-stream/models" }
    }
  }

  /// The first model of the kind, by the folders and then by the names of their cards; nil where there
  /// is none. A card whose model's file is not there is passed over, and so is one that is none, if there
  /// is another.
  ///
  /// - Throws: `model` for a card that is none, and for a model that cannot be read.
  public func first(_ kind: ModelCard.Kind) throws(EstimationError) -> Model? {
    var problem: EstimationError?
    for folder in paths {
      for name in FileBytes.names(in: folder) where name.hasSuffix(".json") {
        let path = folder + "/" + name
        do {
          let (card, json) = try Model.card(at: path)
          let file = Model.file(of: card, at: path)
          guard card.kind == kind, FileBytes.exists(file) else { continue }
          return try Model(card, json, at: file)
        } catch {
          problem = problem ?? error
        }
      }
    }
    if let problem { throw problem }
    return nil
  }
}
