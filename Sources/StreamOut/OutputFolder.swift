internal import CSystem

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A folder that some files are written into, each whole or not at all. It is made if need be.
public struct OutputFolder: Sendable {
  public let path: String
  /// Whether files that are there already may be replaced.
  public let overwrite: Bool

  public init(path: String, overwrite: Bool) {
    (self.path, self.overwrite) = (path, overwrite)
  }

  /// The file of a name in the folder.
  public func file(_ name: String) -> Output {
    .file(path: place(of: name), overwrite: overwrite)
  }

  private func place(of name: String) -> String {
    path.hasSuffix("/") ? path + name : path + "/" + name
  }

  /// Says early what `make` and the writing of the named files would say. Changes nothing.
  ///
  /// - Throws: `exists`, or `system` with `.inspect`, `.open` or `.makeFolder`.
  public func check(_ names: [String]) throws(StreamOutError) {
    var status = stat()
    if stat(path, &status) == 0 {
      for name in names { try file(name).check() }
      return
    }
    var code = errno
    var bare = path[...]
    while bare.count > 1, bare.hasSuffix("/") { bare.removeLast() }
    let parent = folder(of: String(bare))
    if code == ENOENT, !path.isEmpty { code = access(parent, W_OK | X_OK) == 0 ? 0 : errno }
    guard code == 0 else { throw .system(.makeFolder, path: path, code: code) }
  }

  /// Removes the files of these names that are there, if they may be replaced. What is no file, as a
  /// folder or a link, stays.
  ///
  /// - Throws: `exists`, or `system(.remove, …)`.
  public func clear(_ names: [String]) throws(StreamOutError) {
    for name in names where holds(name) {
      let path = place(of: name)
      guard overwrite else { throw .exists(path: path) }
      guard unlink(path) == 0 || errno == ENOENT else {
        throw .system(.remove, path: path, code: errno)
      }
    }
  }

  /// Whether a file of this name is there: no folder, and no link.
  public func holds(_ name: String) -> Bool {
    var status = stat()
    return lstat(place(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Makes the folder unless it is there.
  ///
  /// - Throws: `system(.makeFolder, …)`.
  public func make() throws(StreamOutError) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw .system(.makeFolder, path: path, code: errno)
  }
}
