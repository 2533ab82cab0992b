import Foundation

/// What those that play films find in the file of one: ffmpeg and ffprobe.
public struct TestFilm {
  public let path: String

  public init(_ path: String) { self.path = path }

  /// A packet, with its times in the container's clock where it has one.
  public struct Packet {
    public let pts, dts: Int64?
    public let isKey: Bool
  }

  /// A program that failed, or complained.
  public struct Failure: Error {
    public let program: String
    public let status: Int32
    public let complaint: String
  }

  /// Whether the programs are there.
  public static let canBeRead = ["ffmpeg", "ffprobe"].allSatisfy { find($0) != nil }

  /// In the order of decoding.
  public func packets() throws -> [Packet] {
    try rows("packet=pts,dts,flags").map { row in
      Packet(
        pts: Int64(row["pts"] ?? ""), dts: Int64(row["dts"] ?? ""),
        isKey: row["flags"]?.hasPrefix("K") ?? false)
    }
  }

  /// The stream's properties, by ffprobe's names.
  public func stream(_ names: [String]) throws -> [String: String] {
    try rows("stream=\(names.joined(separator: ","))").first ?? [:]
  }

  /// The MD5 of every picture, in the order of showing.
  public func pictures() throws -> [String] {
    try decode(as: "framemd5").split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: ",").last!.trimmingCharacters(in: .whitespaces) }
  }

  /// The planes of all pictures, one behind the other.
  public func planes() throws -> [UInt8] { try run("ffmpeg", decoding("rawvideo")) }

  private func decode(as format: String) throws -> String {
    String(decoding: try run("ffmpeg", decoding(format)), as: UTF8.self)
  }

  /// Every picture once, whatever its time.
  private func decoding(_ format: String) -> [String] {
    ["-nostdin", "-i", path, "-an", "-fps_mode", "passthrough", "-f", format, "-"]
  }

  private func rows(_ entries: String) throws -> [[String: String]] {
    let text = try run(
      "ffprobe", ["-select_streams", "v", "-show_entries", entries, "-of", "compact=p=0", path])
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
      .map { line in
        let pairs = line.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(
          pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) },
          uniquingKeysWith: { first, _ in first })
      }
      .filter { !$0.isEmpty }
  }

  /// What a program says; it must end well and complain of nothing.
  private func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: Self.find(program) ?? program)
    process.arguments = ["-v", "error"] + arguments
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, complaint.isEmpty else {
      throw Failure(
        program: program, status: process.terminationStatus,
        complaint: String(decoding: complaint, as: UTF8.self))
    }
    return bytes
  }

  private static func find(_ program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
