#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Standard input, output and error as the process was given them.
enum StandardStreams {
  /// Takes the numbers of those that were closed, the wrong way round, so that using them fails:
  /// else the next file opened would get the number, and frames could end up in it. To be called
  /// first of all.
  static func reserve() {
    // In rising order: `open` takes the lowest number that is free.
    let closed = (STDIN_FILENO...STDERR_FILENO).filter { fcntl($0, F_GETFD) == -1 }
    for descriptor in closed {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
