#if H264
  import Foundation
  import Testing

  /// Films that are sent to addresses, all of this machine.
  @Suite struct FilmAddressTests {
    private static let film = [
      "--size", "64x48", "--move", "sway", "--length", "0.2", "--format", "ts",
    ]
    private static let packetBytes = 188

    // MARK: - TCP

    @Test func refusedConnectionIsOneLine() throws {
      // Bound and not listening: nobody else takes it meanwhile.
      let socket = try #require(LocalSocket(.tcp))
      let run = try Child(Self.film + ["-o", "tcp://127.0.0.1:\(socket.port)"]).result()
      #expect(run.ending == .exit(1))
      #expect(run.errorLines.count == 1 && run.error.contains("connection refused"), "\(run.error)")
    }

    @Test func portInUseIsOneLine() throws {
      let socket = try #require(LocalSocket(.tcp))
      #expect(socket.listen())
      let run = try Child(Self.film + ["-o", "tcp://127.0.0.1:\(socket.port)?listen=1"]).result()
      #expect(run.ending == .exit(1))
      #expect(
        run.errorLines.count == 1 && run.error.contains("address already in use"), "\(run.error)")
    }

    /// A command that waits for a reader, and the port it waits at.
    private func listener(_ arguments: [String]) throws -> (Child, UInt16) {
      let port = try #require(LocalSocket(.tcp)?.port)
      let child = try Child(Self.film + arguments + ["-o", "tcp://127.0.0.1:\(port)?listen=1"])
      return (child, port)
    }

    @Test func listenerSendsTheWholeFilm() throws {
      let (child, port) = try listener(["--loops", "50"])
      let reader = try #require(LocalSocket.connected(to: port))
      let bytes = reader.readAll()
      #expect(child.wait() == .exit(0))
      #expect(child.errorAtEnd() == "")
      #expect(bytes == (try Child(Self.film + ["--loops", "50"]).result().output))
    }

    @Test(arguments: [false, true])
    func readerThatLeavesEndsItSilently(_ isEndless: Bool) throws {
      let (child, port) = try listener(isEndless ? ["--endless"] : ["--loops", "10000000"])
      var reader = LocalSocket.connected(to: port)
      #expect(reader?.read(100_000).count == 100_000)
      reader = nil
      #expect(child.wait() == .exit(isEndless ? 0 : 141))
      #expect(child.errorAtEnd() == "")
    }

    @Test(
      .enabled(if: FileManager.default.fileExists(atPath: "/proc/net/tcp")),
      arguments: [SIGINT, SIGTERM])
    func signalEndsTheWaitForAReader(_ signal: Int32) throws {
      let (child, port) = try listener(["--endless"])
      let entry = "0100007F:" + String(format: "%04X", port) + " 00000000:0000 0A"
      #expect(
        eventually {
          String(decoding: contents("/proc/net/tcp") ?? [], as: UTF8.self).contains(entry)
        })
      child.send(signal)
      #expect(eventually { !child.isRunning })
      #expect(child.wait() == .signal(signal))
      #expect(child.errorAtEnd() == "")
    }

    // MARK: - UDP

    @Test func datagramsNeedNoReader() throws {
      let port = try #require(LocalSocket(.udp)?.port)
      let run = try Child(
        Self.film + ["--loops", "5", "--realtime", "-q", "-o", "udp://127.0.0.1:\(port)"]
      ).result()
      #expect(run.ending == .exit(0))
      #expect(run.error == "")
    }

    /// A reader may leave and come back: the film goes on.
    @Test func readerOfDatagramsMayComeBack() throws {
      let first = try #require(LocalSocket(.udp))
      let port = first.port
      let child = try Child(
        Self.film + ["--endless", "--realtime", "-q", "-o", "udp://127.0.0.1:\(port)"])
      func check(_ reader: LocalSocket) {
        for _ in 0..<10 {
          let datagram = reader.datagram()
          #expect(!datagram.isEmpty && datagram.count <= 7 * Self.packetBytes)
          #expect(datagram.count % Self.packetBytes == 0)
          let marks = stride(from: 0, to: datagram.count, by: Self.packetBytes)
          #expect(marks.allSatisfy { datagram[$0] == 0x47 })
        }
      }
      check(first)
      first.close()
      usleep(500_000)
      #expect(child.isRunning)
      check(try #require(LocalSocket(.udp, port: port)))
      child.send(SIGTERM)
      #expect(child.wait() == .signal(SIGTERM))
      #expect(child.errorAtEnd() == "")
    }

    /// A network of its own, which leads nowhere.
    private static let canUnshare =
      hasProgram("unshare") && (try? Command.shell("unshare -rn true"))?.ending == .exit(0)

    @Test(
      .enabled(if: canUnshare, "no network can be taken away"),
      arguments: ["udp://10.1.2.3:5000", "tcp://10.1.2.3:5000"])
    func unroutableAddressIsOneLine(_ address: String) throws {
      let run = try Command.shell(
        #"unshare -rn "$0" --size 64x48 --endless --realtime -q -o \#(address)"#)
      #expect(run.ending == .exit(1))
      #expect(
        run.errorLines.count == 1 && run.error.contains("\(address): cannot be")
          && run.error.contains("network is unreachable"), "\(run.error)")
    }
  }

  /// A socket at a port of this machine, closed with its owner.
  private final class LocalSocket {
    enum Kind { case tcp, udp }

    let port: UInt16
    private var descriptor: Int32

    /// Bound to a port, or to one that is free.
    init?(_ kind: Kind, port: UInt16 = 0) {
      let descriptor = Self.make(kind)
      self.descriptor = descriptor
      var address = Self.address(port)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
        }
      }
      self.port = UInt16(bigEndian: address.sin_port)
      if status != 0 { return nil }
    }

    private init?(connectingTo port: UInt16) {
      self.port = port
      let descriptor = Self.make(.tcp)
      self.descriptor = descriptor
      var address = Self.address(port)
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if status != 0 { return nil }
    }

    deinit { close() }

    /// Connected as soon as somebody listens there.
    static func connected(to port: UInt16) -> LocalSocket? {
      var socket: LocalSocket?
      _ = eventually {
        socket = LocalSocket(connectingTo: port)
        return socket != nil
      }
      return socket
    }

    func listen() -> Bool { Foundation.listen(descriptor, 1) == 0 }

    func close() {
      if descriptor >= 0 { _ = Foundation.close(descriptor) }
      descriptor = -1
    }

    /// The next bytes; fewer than asked for only at the end.
    func read(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        let more = receive(count - bytes.count)
        if more.isEmpty { break }
        bytes += more
      }
      return bytes
    }

    func readAll() -> [UInt8] { read(.max) }

    /// The next datagram; nothing where none comes.
    func datagram() -> [UInt8] { receive(1 << 16) }

    private func receive(_ most: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: min(most, 1 << 16))
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return Array(bytes.prefix(max(count, 0)))
    }

    private static func make(_ kind: Kind) -> Int32 {
      #if canImport(Darwin)
        let type = kind == .tcp ? SOCK_STREAM : SOCK_DGRAM
      #else
        let type = Int32((kind == .tcp ? SOCK_STREAM : SOCK_DGRAM).rawValue)
      #endif
      let descriptor = socket(AF_INET, type, 0)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var wait = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
      return descriptor
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      return address
    }
  }
#endif
