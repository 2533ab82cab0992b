import Testing

@testable import motion_stream

@Suite struct MemoryTests {
  @Test func aQuarterAtMost() {
    #expect(Memory.cache(of: 1 << 30) == 256 << 20)
    #expect(Memory.cache(of: 8 << 30) == 2 << 30 && Memory.cache(of: .max) == 2 << 30)
    #expect(Memory.defaultCache > 0)
  }

  @Test(arguments: [
    // The second version, nested; the outer group is the tighter.
    ("0::/a/b\n", ["/a/b/memory.max": 300, "/a/memory.max": 200], [300, 200]),
    // The first, beside other hierarchies.
    (
      "9:name=systemd:/\n4:cpu,memory:/x/y\n3:cpuset:/x\n0::/\n",
      ["/memory/x/y/memory.limit_in_bytes": 7, "/cpuset/x/memory.limit_in_bytes": 1], [7]
    ),
    // In a container the path is the host's.
    ("0::/host/only\n", ["/memory.max": 5], [5]),
    ("", ["/memory.max": 5], []), ("nonsense\n1:2\n", ["/memory.max": 5], []),
  ])
  func groupsSayHowMuch(_ groups: String, _ files: [String: Int], _ expected: [Int]) {
    #expect(Memory.limits(groups: groups) { files[$0] } == expected)
  }
}
