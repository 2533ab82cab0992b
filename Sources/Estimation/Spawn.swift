#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Starts a program as a shell would: in a process group of its own, with no signal ignored or blocked.
enum Spawn {
  /// What one of its standard streams is.
  enum Stream {
    case null, closed
    case descriptor(Int32)
    /// Written to.
    case path(String)
  }

  /// - Parameters:
  ///   - program: looked for in PATH where it has no slash.
  ///   - environment: as `NAME=value`; nil for this process's own.
  ///   - streams: its standard input, output and error.
  /// - Returns: the process, or 0 and `errno`.
  static func start(
    _ program: String, _ arguments: [String], environment: [String]? = nil, _ streams: [Stream]
  ) -> (process: pid_t, errno: Int32) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in zip(STDIN_FILENO..., streams) {
      switch stream {
      case .null:
        posix_spawn_file_actions_addopen(
          &actions, number, "/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
      case .closed: posix_spawn_file_actions_addclose(&actions, number)
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      case .path(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY, 0)
      }
    }
    var (all, none) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&all)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&all, signal) }
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))

    let texts = copies([program] + arguments)
    let entries = environment.map(copies)
    defer { for text in texts + (entries ?? []) { free(text) } }
    var process: pid_t = 0
    let code =
      if let entries {
        posix_spawnp(&process, program, &actions, &attributes, texts, entries)
      } else {
        posix_spawnp(&process, program, &actions, &attributes, texts, environ)
      }
    return code == 0 ? (process, 0) : (0, code)
  }

  /// C strings, which are to be freed, and nil behind them.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}
