#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A program that makes a map of the photo, as the user words it: `{in}` stands for a picture of the
/// photo and `{out}` for the file that it is to write.
///
/// The words are parted at spaces, and quotes of either kind and backslashes keep together what belongs
/// together, as in a shell; but no shell sees them.
public struct ExternalCommand: Sendable, Equatable {
  /// As it was given.
  public let text: String
  public let words: [String]

  /// Why words are no command.
  public enum Mistake: Hashable, Sendable {
    /// A quote or a backslash.
    case openQuote
    case noProgram
    /// The placeholder of this name is missing.
    case noPlaceholder(String)
  }

  /// - Returns: nil where there is a mistake in the words.
  public init?(_ text: String) {
    guard Self.mistake(in: text) == nil, let words = Self.words(of: text) else { return nil }
    (self.text, self.words) = (text, words)
  }

  /// The first mistake in the words of a command, if there is one.
  public static func mistake(in text: String) -> Mistake? {
    guard let words = words(of: text) else { return .openQuote }
    guard let program = words.first, !program.isEmpty else { return .noProgram }
    let missing = placeholders.first { name in !words.contains { $0.contains(name) } }
    return missing.map { .noPlaceholder($0) }
  }

  private static let placeholders = ["{in}", "{out}"]

  /// The name that messages call it by.
  public var name: String { words[0] }

  /// Runs it in a folder of its own that is gone afterwards.
  ///
  /// - Parameters:
  ///   - seconds: how long it may take.
  ///   - isCancelled: asked many times a second while it runs.
  ///   - photo: writes the picture `{in}` to a path.
  ///   - read: makes of the file `{out}` what is wanted.
  public func run<Result>(
    seconds: Double, isCancelled: @escaping () -> Bool, photo: (String) throws -> Void,
    read: (String) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (input, output) = (folder.path + "/photo.png", folder.path + "/map")
    try photo(input)
    if isCancelled() { throw EstimationError.cancelled }
    let arguments = words.map { Self.filled($0, ["{in}": input, "{out}": output]) }
    let child = ChildProcess(
      program: arguments[0], arguments: Array(arguments[1...]), seconds: seconds,
      isCancelled: isCancelled)
    let result: ChildProcess.Result
    do {
      result = try child.run()
    } catch .cancelled {
      throw EstimationError.cancelled
    } catch {
      throw EstimationError.command(name, .failed(error))
    }
    let said = ChildProcess.lastLine(result.error)
    switch result.ending {
    case .exit(0): break
    case .exit(let status): throw EstimationError.command(name, .exit(status: status, words: said))
    case .signal(let signal): throw EstimationError.command(name, .signal(signal, words: said))
    }
    guard let written = folder.written(as: output) else {
      throw EstimationError.command(name, .nothingWritten(words: said))
    }
    return try read(written)
  }

  /// The placeholders replaced, each once looked at: what is put in is not looked through again.
  private static func filled(_ word: String, _ values: [String: String]) -> String {
    var (filled, rest) = ("", Substring(word))
    while let next = rest.first {
      if let (name, value) = values.first(where: { rest.hasPrefix($0.key) }) {
        filled += value
        rest = rest.dropFirst(name.count)
      } else {
        filled.append(next)
        rest = rest.dropFirst()
      }
    }
    return filled
  }

  /// The words of a line; nil where a quote or a backslash is left open.
  static func words(of text: String) -> [String]? {
    var (words, word) = ([String](), String?.none)
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        // Between double quotes a backslash keeps only these.
        if quote == "\"", character != "\"", character != "\\" { word?.append("\\") }
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
        word = word ?? ""
      } else if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let whole = word { words.append(whole) }
    return words
  }
}

/// A folder that only this user may look into.
private struct TemporaryFolder {
  let path: String

  init() throws(EstimationError) {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let base = (place.isEmpty ? "/tmp" : place) + "/motion-stream-XXXXXX"
    var template = Array(base.utf8CString)
    guard mkdtemp(&template) != nil else { throw .temporaryFolder(path: base, errno: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The file of that name, or of that name with an ending: some programs add the ending they like. A
  /// pipe or a link is none: reading it might never end.
  func written(as file: String) -> String? {
    if Self.isFile(file) { return file }
    let name = String(file[file.index(after: file.lastIndex(of: "/")!)...])
    return FileBytes.names(in: path).lazy.filter { $0.hasPrefix(name + ".") }
      .map { path + "/" + $0 }.first(where: Self.isFile)
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Removes it with all that a program left in it.
  func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    // A link is removed and not followed.
    if unlink(path) == 0 { return }
    for name in FileBytes.names(in: path) where name != "." && name != ".." {
      remove(path + "/" + name)
    }
    rmdir(path)
  }
}
