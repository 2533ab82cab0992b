#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Regular files read whole.
enum FileBytes {
  /// - Throws: what keeps the file from being read; a pipe that nobody writes to keeps nobody waiting.
  static func read(_ path: String, limit: Int) throws(EstimationError.ModelProblem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .cannotOpen(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .cannotRead(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= limit else { throw .tooManyBytes(limit: limit) }
    let count = Int(status.st_size)
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count {
        let got = sysRead(descriptor, buffer.baseAddress! + done, count - done)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { code = errno }
        guard got > 0 else { break }
        done += got
      }
    }
    guard code == 0 else { throw .cannotRead(errno: code) }
    guard !bytes.isEmpty else { throw .empty }
    return bytes
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// What keeps a folder from being looked into; nil where nothing does.
  static func obstacle(folder: String) -> Int32? {
    guard let handle = opendir(folder) else { return errno }
    closedir(handle)
    return nil
  }

  /// The names in a folder, sorted; none where there is no such folder.
  static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      // The name ends in NUL, within the array.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if let name = String(validating: name, as: UTF8.self) { names.append(name) }
    }
    return names.sorted()
  }
}

private func sysRead(_ descriptor: Int32, _ place: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, place, count)
}
