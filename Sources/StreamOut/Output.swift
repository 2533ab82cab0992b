internal import CSystem

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Where a stream goes.
public enum Output: Sendable, Hashable {
  case standardOutput
  /// A new file; or, when it stands already, a FIFO or device to write into. `overwrite` lets it
  /// replace a regular file.
  case file(path: String, overwrite: Bool)
  /// What libavformat sends an encoded film to, as `udp://127.0.0.1:5000`.
  case address(String)

  /// Says early, before any frame is made, what `Container.open` would say of the place. Opens and
  /// changes nothing.
  ///
  /// - Throws: `isTerminal`, `exists`, or `system` with `.inspect` or `.open`.
  public func check() throws(StreamOutError) { _ = try place() }

  /// Whether the place is there already and is a FIFO or a device.
  public var isSpecial: Bool {
    if case .special = try? place() { true } else { false }
  }

  /// Whether it will be a regular file, in which a writer can go back.
  public var isRegularFile: Bool {
    if case .file = self { !isSpecial } else { false }
  }

  /// The scheme of an address, in lower case; nil for what is a file's name.
  public static func scheme(of name: String) -> String? {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("//"), !parts[0].isEmpty,
      parts[0].utf8.allSatisfy({ isalnum(Int32($0)) != 0 })
    else { return nil }
    return parts[0].lowercased()
  }

  /// The port of an address, or what stands in its place; nil where none is named.
  public static func port(of address: String) -> Substring? {
    let authority = address.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    // Those of IPv6 have colons of their own, in brackets.
    let end = authority.lastIndex(of: "]") ?? authority.startIndex
    return authority[end...].lastIndex(of: ":").map { authority[authority.index(after: $0)...] }
  }

  /// Whether two outputs would write into the same file, pipe or socket, whatever their names. Devices
  /// take from everybody.
  public func isSame(as other: Output) -> Bool {
    guard let own = identity, let others = other.identity else { return false }
    return own == others
  }

  /// What tells a file from others: its numbers, or, before there is one, its folder's and its name.
  private var identity: [String]? {
    var status = stat()
    switch try? place() {
    case .standardOutput where fstat(STDOUT_FILENO, &status) == 0: break
    case .special(let name) where stat(name, &status) == 0: break
    case .regular(let name, replacedMode: nil):
      guard stat(folder(of: name), &status) == 0 else { return nil }
      let last = name.split(separator: "/").last.map { String($0) } ?? ""
      return ["\(status.st_dev)", "\(status.st_ino)", last]
    case .regular(let name, _) where stat(name, &status) == 0: break
    default: return nil
    }
    let kind = status.st_mode & S_IFMT
    return kind == S_IFCHR || kind == S_IFBLK ? nil : ["\(status.st_dev)", "\(status.st_ino)"]
  }

  /// Writes a whole file at once, or nothing.
  ///
  /// - Parameter isOver: asked while a FIFO has no reader; true gives up, as `system(.open, …)` with
  ///   `EINTR`.
  /// - Throws: what `check` throws; `readerGone` or `system` where opening, writing or closing failed.
  public func write(
    _ bytes: [UInt8], unless isOver: () -> Bool = { false }
  ) throws(StreamOutError) {
    let sink = try ByteSink(self, unless: isOver)
    try sink.write(bytes)
    try sink.finish()
  }

  /// What an output comes to once the file system has been asked.
  enum Place: Equatable {
    case standardOutput
    /// Something that is there and is no regular file.
    case special(String)
    case address
    /// A regular file of this name, symbolic links followed. `mode` is that of the one it replaces.
    case regular(String, replacedMode: mode_t?)
  }

  var path: String? {
    switch self {
    case .standardOutput: nil
    case .file(let path, _), .address(let path): path
    }
  }

  var overwrites: Bool {
    switch self {
    case .standardOutput, .address: false
    case .file(_, let overwrite): overwrite
    }
  }

  func place() throws(StreamOutError) -> Place {
    if case .address = self { return .address }
    guard case .file(let path, _) = self else {
      if isatty(STDOUT_FILENO) == 1 { throw .isTerminal(path: nil) }
      return .standardOutput
    }
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: throw .system(.open, path: path, code: EISDIR)
      case S_IFREG: break
      default: return .special(path)
      }
      guard overwrites else { throw .exists(path: path) }
      // A rename would replace a file that its owner has protected.
      guard access(path, W_OK) == 0, let whole = realpath(path, nil) else {
        throw .system(.open, path: path, code: errno)
      }
      defer { free(whole) }
      return try .regular(checked(String(cString: whole)), replacedMode: status.st_mode & 0o777)
    }
    guard errno == ENOENT else { throw .system(.inspect, path: path, code: errno) }
    return try .regular(checked(end(ofLinksFrom: path)), replacedMode: nil)
  }

  /// Follows a link that leads to nothing yet, where `realpath` gives up.
  private func end(ofLinksFrom start: String) throws(StreamOutError) -> String {
    var path = start
    for _ in 0..<40 {
      guard let target = readLink(path) else { return path }
      path = target.hasPrefix("/") ? target : folder(of: path) + target
    }
    throw .system(.inspect, path: start, code: ELOOP)
  }

  /// The name again, once it is known that a file can be made beside it.
  private func checked(_ name: String) throws(StreamOutError) -> String {
    if name.hasSuffix("/") { throw .system(.open, path: path, code: EISDIR) }
    guard !name.isEmpty else { throw .system(.open, path: path, code: ENOENT) }
    guard access(folder(of: name), W_OK | X_OK) == 0 else {
      throw .system(.open, path: path, code: errno)
    }
    return name
  }
}

/// The part of a path up to its last slash, which it keeps; `./` where it has none.
func folder(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "./" }
  return String(path[...slash])
}

/// Whether a FIFO stands at a path.
func isFIFO(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}

/// Whether an open file is a pipe.
func isPipe(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}

private func readLink(_ path: String) -> String? {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
    let count = readlink(path, buffer.baseAddress!, buffer.count)
    guard count >= 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
