#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The row that FUZZ_TARGET names.
private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    preconditionFailure("no such target: \(name ?? "none")")
  }
  return target
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  // libFuzzer's buffer lives as long as this call.
  target.run(UnsafeRawBufferPointer(start: start, count: count).bytes)
  return 0
}

/// What libFuzzer calls first: `FUZZ_TARGET=list` prints the table's names.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(
  _ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
  if let name = getenv("FUZZ_TARGET"), String(cString: name) == "list" {
    for target in FuzzTarget.all { print(target.name) }
    exit(0)
  }
  return 0
}
