/// A model that can be run: its card and the bytes of its file.
public struct Model: Sendable {
  public let card: ModelCard
  /// Of the model's file.
  public let path: String
  public let bytes: [UInt8]
  /// Of the card's, from which as much follows.
  public let cardBytes: [UInt8]

  /// Larger files are not read.
  static let largestFile = 512 << 20
  static let largestCard = 64 << 10

  /// Reads a model by the name of its own file, beside which `NAME.json` stands, or by that of its
  /// card.
  ///
  /// - Throws: `model`.
  public init(at path: String, kind: ModelCard.Kind) throws(EstimationError) {
    let cardPath = Self.stem(of: path) + ".json"
    if path != cardPath {
      // The model is what was named: that it is not there is said first.
      guard FileBytes.exists(path) else { throw Self.missing(path) }
      guard FileBytes.exists(cardPath) else { throw .model(path: path, .noCard(path: cardPath)) }
    }
    let (card, json) = try Self.card(at: cardPath)
    guard card.kind == kind else { throw .model(path: path, .otherKind(card.kind)) }
    try self.init(card, json, at: path == cardPath ? Self.file(of: card, at: cardPath) : path)
  }

  init(_ card: ModelCard, _ json: [UInt8], at path: String) throws(EstimationError) {
    do {
      bytes = try FileBytes.read(path, limit: Self.largestFile)
    } catch {
      throw .model(path: path, error)
    }
    (self.card, cardBytes, self.path) = (card, json, path)
  }

  static func card(at path: String) throws(EstimationError) -> (ModelCard, bytes: [UInt8]) {
    let json: [UInt8]
    do {
      json = try FileBytes.read(path, limit: Self.largestCard)
    } catch {
      throw .model(path: path, error)
    }
    do {
      return (try ModelCard(json: json), json)
    } catch {
      throw .model(path: path, .badCard(detail: error.detail))
    }
  }

  static func file(of card: ModelCard, at path: String) -> String {
    String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
      + card.file
  }

  private static func missing(_ path: String) -> EstimationError {
    do {
      _ = try FileBytes.read(path, limit: 0)
      return .model(path: path, .notAFile)
    } catch {
      return .model(path: path, error)
    }
  }

  private static func stem(of path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[name...].lastIndex(of: "."), dot > name else { return path }
    return String(path[..<dot])
  }
}
