#!/usr/bin/env bash
# Throws bytes at every parser of strangers' files, with libFuzzer and the address sanitiser.
#
#   scripts/fuzz.sh [TARGET|all] [SECONDS|Nruns]     60 seconds each, unless told otherwise
#
# FUZZ_SEED, a number above 0, makes runs that begin alike.
#
# Targets are the rows of Fuzz/Targets.swift, their seeds lie in Fuzz/Corpus. What is found on the
# way is kept in .build/fuzz; an input that crashes, hangs or takes a gigabyte is named and left
# there. A toolchain without libFuzzer is said, and is no failure.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
wanted=${1-all}
case ${2-60} in
  *runs) limit=-runs=${2%runs} ;;
  *) limit=-max_total_time=${2-60} ;;
esac
out=.build/fuzz
mkdir -p "$out"

fuzzer=(-sanitize=fuzzer,address -parse-as-library)
cat >"$out/probe.swift" <<'PROBE'
@_cdecl("LLVMFuzzerTestOneInput") public func probe(_ start: UnsafeRawPointer?, _ count: Int) -> CInt { 0 }
PROBE
if ! swiftc "${fuzzer[@]}" "$out/probe.swift" -o "$out/probe" >"$out/log" 2>&1; then
  echo "fuzz: SKIPPED: this toolchain has no libFuzzer: $(grep -m 1 error "$out/log" || tail -n 1 "$out/log")"
  exit 0
fi

# The readers and the harness are one module, so that the harness sees what no other module does;
# of MotionCore only the files that readers use, and of Estimation what parses. Libraries are linked by
# the module maps.
flags=(-O -wmo -swift-version 6 -package-name motion-stream -I "$out")
for feature in InternalImportsByDefault MemberImportVisibility ExistentialAny \
  NonisolatedNonsendingByDefault; do
  flags+=(-enable-upcoming-feature "$feature")
done
for trait in $(sed -n 's/.*enabledTraits: \[\(.*\)\].*/\1/p' Package.swift | tr -d '",'); do
  flags+=(-D "$trait")
done
for folder in Sources/C*/; do flags+=(-I "$folder"); done
packages=$(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift | tr '\n' ' ')
for flag in $(pkg-config --cflags "$packages"); do flags+=(-Xcc "$flag"); done

# compile ARGUMENTS…: swiftc, heard only when it fails; linkers warn of the sanitiser's own symbols.
compile() {
  swiftc "${flags[@]}" "$@" >"$out/log" 2>&1 || {
    grep -v 'Cannot export local symbol' "$out/log" >&2
    exit 1
  }
}
compile -parse-as-library -sanitize=address -cross-module-optimization \
  -module-name MotionCore -emit-module -emit-module-path "$out/MotionCore.swiftmodule" \
  -c Sources/MotionCore/{Plane,PlaneMemory,Photo,DisparityMap,TransferFunction,Math,Render/Lanes}.swift \
  Sources/MotionCore/Colour/*.swift -o "$out/MotionCore.o"
compile "${fuzzer[@]}" -module-name PhotoInput \
  Sources/PhotoInput/*.swift \
  Sources/Estimation/{ModelCard,WorkerMessages,ExternalCommand,ChildProcess,Spawn,FileBytes,EstimationError}.swift \
  Fuzz/*.swift "$out/MotionCore.o" -o "$out/fuzz"

# The runtime's own crash report would read memory that the sanitiser forbids, and be its finding.
export SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1
export LSAN_OPTIONS=suppressions=$PWD/Fuzz/leaks.supp:print_suppressions=0
failed=0
for target in $(FUZZ_TARGET=list "$out/fuzz"); do
  [[ $wanted == all || $wanted == "$target" ]] || continue
  seeds=Fuzz/Corpus/$target
  [[ -d $seeds ]] || {
    echo "fuzz: no seeds in $seeds" >&2
    exit 1
  }
  mkdir -p "$out/corpus/$target"
  if FUZZ_TARGET=$target "$out/fuzz" "$limit" -timeout=10 -rss_limit_mb=1024 \
    -seed="${FUZZ_SEED-0}" -max_len=16384 -dict=Fuzz/words.dict -artifact_prefix="$out/$target-" \
    "$out/corpus/$target" "$seeds" >"$out/$target.log" 2>&1; then
    # "Done 123 runs in 4 second(s)", and the last line with the edges that were reached
    echo "fuzz: $target: $(grep '^Done' "$out/$target.log"), $(grep -o 'cov: [0-9]*' "$out/$target.log" | tail -n 1)"
  else
    grep -E 'ERROR|SUMMARY|Fatal|Test unit written' "$out/$target.log" >&2 || tail -n 5 "$out/$target.log" >&2
    echo "fuzz: $target: FAILED; the whole of it is in $out/$target.log" >&2
    failed=1
  fi
  ran=1
done
[[ ${ran-} ]] || {
  echo "fuzz: no such target: $wanted" >&2
  exit 1
}
exit "$failed"
