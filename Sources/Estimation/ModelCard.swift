internal import FoundationEssentials

/// What has to be known of a model to run it: a JSON file beside the model's own.
///
/// Tensors are 1 x 3 x height x width, in and out 1 x 1 x height x width, samples floats.
public struct ModelCard: Decodable, Sendable, Equatable {
  /// What it finds.
  public enum Kind: String, Decodable, Sendable, CaseIterable { case lift, depth }

  /// For people.
  public let name: String
  public let kind: Kind
  /// The model's file, in the card's folder.
  public let file: String
  public let input: Input
  public let output: Output

  fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
    case name, kind, file, input, output
  }

  public struct Input: Decodable, Sendable, Equatable {
    /// Of the tensor in the model; nil for the only one.
    public let name: String?
    /// Width and height, where the model takes no other.
    let size: [Int]?
    /// Else both sides are multiples of this, and the long one is within these two.
    let multiple: Int?
    let longSide: [Int]?
    /// In which order the channels stand; red first where it is not said.
    let channels: Channels?
    /// What stands for white: 1, 255, or 1 for the picture's largest sample.
    let white: White?
    /// What is then subtracted from the channels, in their order, and what they are divided by.
    let mean: [Float]?
    let deviation: [Float]?

    fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
      case name, size, multiple, longSide, channels, white, mean, deviation
    }
  }

  public struct Output: Decodable, Sendable, Equatable {
    /// As the input's.
    public let name: String?
    /// Whether large is the subject, or near; bright where it is not said.
    let polarity: Polarity?
    /// What is done to a lift's samples so that they are 0…1.
    let scaling: Scaling?
    /// A lift that reaches this nowhere, before that, has found nothing.
    let least: Float?

    fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
      case name, polarity, scaling, least
    }
  }

  public enum Channels: String, Decodable, Sendable { case rgb, bgr }
  public enum White: String, Decodable, Sendable { case one, byte, largest }
  public enum Polarity: String, Decodable, Sendable { case bright, dark }
  public enum Scaling: String, Decodable, Sendable { case none, sigmoid, range }

  /// What may stand in a card for its readers.
  fileprivate static let remarks = ["comment", "licence", "license", "source"]

  /// The longest side of a model's picture.
  static let longestSide = 4096

  /// - Throws: `badCard`, as a text that says where.
  init(json: [UInt8]) throws(BadCard) {
    let keys: CardKeys
    do {
      // Numbers are not looked at yet: what fails here is the form.
      keys = try JSONDecoder().decode(CardKeys.self, from: Data(json))
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      throw BadCard(detail: "it is no object")
    } catch {
      throw BadCard(detail: "it is no JSON")
    }
    do {
      self = try JSONDecoder().decode(ModelCard.self, from: Data(json))
    } catch let error as DecodingError {
      throw BadCard(detail: error.place)
    } catch {
      throw BadCard(detail: "it cannot be read")
    }
    if let key = keys.unknown.first {
      throw BadCard(detail: "\(key.prefix(60)) is nothing that a card says")
    }
    let sides = 1...Self.longestSide
    if let size = input.size {
      guard size.count == 2, size.allSatisfy(sides.contains) else {
        throw BadCard(detail: "input.size is not two sides of 1 to \(Self.longestSide)")
      }
    } else {
      guard let multiple = input.multiple else {
        throw BadCard(detail: "it has neither input.size nor input.multiple")
      }
      guard sides.contains(multiple) else {
        throw BadCard(detail: "input.multiple is not a side of 1 to \(Self.longestSide)")
      }
      guard let long = input.longSide, long.count == 2, long[0] <= long[1],
        long.allSatisfy(sides.contains), long[1] >= multiple
      else { throw BadCard(detail: "input.longSide is not two sides, the shorter first") }
    }
    for (name, values) in [("mean", input.mean), ("deviation", input.deviation)] {
      if let values, values.count != 3 || !values.allSatisfy(\.isFinite) {
        throw BadCard(detail: "input.\(name) is not three numbers")
      }
    }
    if input.deviation?.contains(0) == true {
      throw BadCard(detail: "input.deviation has a zero")
    }
    guard 1...255 ~= file.utf8.count, !file.contains("/"), !file.utf8.contains(0) else {
      throw BadCard(detail: "file is not a name in the card's folder")
    }
  }

  struct BadCard: Error { let detail: String }
}

/// What the objects of a card are called, whatever they are.
private struct CardKeys: Decodable {
  /// Those that no card has, with the names of what they are in.
  let unknown: [String]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let card = try decoder.container(keyedBy: Key.self)
    func unknown(
      _ container: KeyedDecodingContainer<Key>, _ known: [any CodingKey], _ prefix: String
    ) -> [String] {
      let known = known.map(\.stringValue)
      return container.allKeys.map(\.stringValue).filter { !known.contains($0) }.sorted()
        .map { prefix + $0 }
    }
    var found = unknown(card, ModelCard.CodingKeys.allCases, "").filter {
      !ModelCard.remarks.contains($0)
    }
    for (name, known) in [
      ("input", ModelCard.Input.CodingKeys.allCases as [any CodingKey]),
      ("output", ModelCard.Output.CodingKeys.allCases),
    ] {
      // What is no object is told by the card itself.
      guard let part = try? card.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: name))
      else { continue }
      found += unknown(part, known, name + ".")
    }
    self.unknown = found
  }
}

extension DecodingError {
  /// Where the JSON is wrong, and how.
  fileprivate var place: String {
    func path(_ context: Context, _ last: (any CodingKey)? = nil) -> String {
      (context.codingPath + [last].compactMap(\.self)).reduce(into: "") { path, key in
        if let index = key.intValue {
          path += "[\(index)]"
        } else {
          path += (path.isEmpty ? "" : ".") + key.stringValue
        }
      }
    }
    return switch self {
    case .keyNotFound(let key, let context): "it has no \(path(context, key))"
    case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
      .valueNotFound(_, let context) where !context.codingPath.isEmpty:
      "\(path(context)) is of another type"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(path(context)) has no such value"
    case .dataCorrupted: "a number in it is too large, or none that can be there"
    default: "it is no object"
    }
  }
}
