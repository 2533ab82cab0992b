internal import FoundationEssentials

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// How much memory this process may count on.
enum Memory {
  /// Bytes of frames that are kept unless asked otherwise: a quarter of what there is, at most 2 GiB.
  static var defaultCache: Int { cache(of: limit) }

  static func cache(of limit: Int) -> Int { min(limit / 4, 2 << 30) }

  /// The machine's memory, or less where the process's group or its own limits allow no more.
  private static var limit: Int {
    ([Int(clamping: ProcessInfo.processInfo.physicalMemory), addressSpace] + groupLimits).min()!
  }

  private static var addressSpace: Int {
    var limit = rlimit()
    #if canImport(Darwin)
      guard getrlimit(RLIMIT_AS, &limit) == 0 else { return .max }
    #else
      guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return .max }
    #endif
    return Int(clamping: limit.rlim_cur)
  }

  /// What Linux's control groups of either version allow the process's group and those it is in.
  private static var groupLimits: [Int] {
    limits(
      groups: text("/proc/self/cgroup") ?? "",
      read: { text("/sys/fs/cgroup" + $0).flatMap { Int($0) } })
  }

  /// - Parameters:
  ///   - groups: lines `number:controllers:path`; those of version 2 name no controllers.
  ///   - read: the number in a file below the hierarchy's root; nil where there is none.
  static func limits(groups: String, read: (String) -> Int?) -> [Int] {
    groups.split(separator: "\n").flatMap { line -> [Int] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let isSecond = parts[1].isEmpty
      guard isSecond || parts[1].split(separator: ",").contains("memory") else { return [] }
      let (root, file) = isSecond ? ("", "memory.max") : ("/memory", "memory.limit_in_bytes")
      // In a container the path may be the host's, and the root is the group's own.
      var folders = parts[2].split(separator: "/")
      var limits: [Int] = []
      while true {
        let path = folders.map { "/\($0)" }.joined()
        if let limit = read("\(root)\(path)/\(file)") { limits.append(limit) }
        guard folders.popLast() != nil else { return limits }
      }
    }
  }

  private static func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").joined(
      separator: "\n")
  }
}
