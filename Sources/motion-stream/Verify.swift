internal import FoundationEssentials
internal import PhotoInput
internal import StreamOut

/// A stream that is, byte for byte, what its index says.
struct Agreement {
  let stream: InputPath
  let frames: UInt64
  /// Frames of one round.
  let period: Int

  /// Reads an index, and a stream to its end.
  ///
  /// - Parameter start: which frame of the endless stream the first one is.
  /// - Throws: `VerifyError`.
  init(of stream: InputPath, with path: InputPath, start: UInt64) throws(VerifyError) {
    let index = try FrameIndex(at: path)
    let verification: Verification
    if index.stream.film != nil {
      do {
        verification = try Verification(
          ofFilm: stream.systemName, against: index, start: start)
      } catch {
        throw .film(stream, error)
      }
    } else {
      do {
        verification = try Verification(
          of: ByteSource(name: stream.systemName), against: index, start: start)
      } catch {
        throw .unreadable(stream, error)
      }
    }
    switch verification {
    case .agrees(let frames):
      (self.stream, self.frames, period) = (stream, frames, index.period)
    case .differs(let difference):
      throw .stream(stream, difference, period: index.period, start: start)
    }
  }
}

/// Why a stream was not found to be what an index says.
enum VerifyError: Error {
  case unreadable(InputPath, ByteSource.Problem)
  /// The file is no index; `detail` says where it goes wrong, if it is JSON.
  case notAnIndex(InputPath, detail: String?)
  case index(InputPath, FrameIndex.Damage)
  /// The stream is no film that can be read.
  case film(InputPath, FilmProblem)
  case stream(InputPath, Verification.Difference, period: Int, start: UInt64)
}

extension FrameIndex {
  /// More bytes than the index of the longest loop has.
  private static let maximumBytes = 64 << 20

  /// Reads an index file.
  init(at path: InputPath) throws(VerifyError) {
    let bytes: [UInt8]
    do {
      bytes = try ByteSource(name: path.systemName).readAll(limit: Self.maximumBytes)
    } catch {
      throw .unreadable(path, error)
    }
    // A film named by mistake is not parsed.
    guard bytes.first(where: { ![9, 10, 13, 32].contains($0) }) == UInt8(ascii: "{") else {
      throw .notAnIndex(path, detail: nil)
    }
    let data = Data(bytes)
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch {
      // What another version holds is not to be called damage.
      if let version = try? JSONDecoder().decode(Version.self, from: data).schemaVersion,
        version != Self.schemaVersion
      {
        throw .index(path, .unknownVersion(version))
      }
      throw .notAnIndex(path, detail: Self.detail(error))
    }
    do {
      try check()
    } catch {
      throw .index(path, error)
    }
  }

  private struct Version: Decodable { let schemaVersion: Int }

  /// The member that is missing or wrong.
  private static func detail(_ error: any Error) -> String? {
    guard let error = error as? DecodingError else { return nil }
    func place(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      let place = place(context.codingPath)
      return place.isEmpty ? nil : "\(place) makes no sense"
    @unknown default: return nil
    }
  }
}
