#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Depth and matte as files beside a photo, told by their names: for `NAME.jpg` that is a picture
/// named `NAME_depth.png`, or with another separator, word and ending.
public enum Sidecar {
  /// In the order in which they are preferred.
  private static let separators = ["_", "-", "."]

  /// The words that stand for a role, the preferred one first.
  private static func words(_ role: PhotoInputError.Role) -> [String] {
    switch role {
    case .photo: []
    case .depth: ["depth"]
    case .matte: ["matte", "mask", "alpha"]
    }
  }

  /// The picture beside a photo that is its depth or matte by its name; nil where there is none, and
  /// for a photo from standard input.
  ///
  /// Of several it is the one whose word, then separator, then name comes first. What is no regular
  /// file, or the photo itself by another name, is passed over, and so is what is no picture of a kind
  /// that is read, unless its name ends as a picture's: its reader says then what is wrong with it.
  public static func find(
    _ role: PhotoInputError.Role, beside photo: InputPath
  ) -> InputPath? {
    guard let path = photo.systemName else { return nil }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let (folder, name) = (Array(path[..<start]), path[start...])
    let end = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let stem = Array(name[..<(end == start ? name.endIndex : end)])
    guard !stem.isEmpty, let own = FileIdentity(photo) else { return nil }

    let beginnings = words(role).flatMap { word in
      separators.map { stem + Array("\($0)\(word).".utf8) }
    }
    var found: [(rank: Int, name: [UInt8])] = []
    for name in names(in: folder) {
      guard let rank = beginnings.firstIndex(where: { name.starts(with: $0) }),
        name.count > beginnings[rank].count
      else { continue }
      found.append((rank, name))
    }
    found.sort {
      $0.rank == $1.rank ? $0.name.lexicographicallyPrecedes($1.name) : $0.rank < $1.rank
    }
    for candidate in found {
      let path = InputPath(bytes: folder + candidate.name)
      guard let identity = FileIdentity(path), identity != own,
        isPicture(path) || hasPictureEnding(candidate.name)
      else { continue }
      return path
    }
    return nil
  }

  /// Endings that promise a picture, in lower case.
  private static let endings = [
    "avif", "bmp", "gif", "heic", "heif", "jpeg", "jpg", "npy", "pam", "pbm", "pfm", "pgm", "png",
    "pnm", "ppm", "tif", "tiff", "webp",
  ]

  private static func hasPictureEnding(_ name: [UInt8]) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return endings.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
  }

  private static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let handle = opendir((folder.isEmpty ? [UInt8(ascii: ".")] : folder).cString) else {
      return []
    }
    defer { closedir(handle) }
    var names: [[UInt8]] = []
    while let entry = readdir(handle) {
      // The name ends in NUL, within the array.
      withUnsafeBytes(of: &entry.pointee.d_name) { names.append(Array($0.prefix { $0 != 0 })) }
    }
    return names
  }

  /// Whether the file's first bytes are a picture's.
  private static func isPicture(_ path: InputPath) -> Bool {
    var isPicture = false
    do throws(Problem) {
      _ = try InputBytes.read(path) { (head) throws(Problem) in
        isPicture = InputKind.of(head) != nil
        throw .empty  // enough was seen
      }
    } catch {}
    return isPicture
  }
}

/// Which regular file a name stands for, or standard input is read from, whatever links lead to it.
package struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  package init?(_ path: InputPath) {
    var status = stat()
    let failed =
      if let name = path.systemName {
        stat(name.cString, &status)
      } else {
        fstat(STDIN_FILENO, &status)
      }
    guard failed == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
