#!/usr/bin/env bash
# Holds a built command to what it promises of instruction sets: x86-64-v3's stand in KernelsV3 alone, a
# processor without them draws the same bytes, and so does MOTION_STREAM_CPU=baseline.
#
#   scripts/instruction-sets.sh [COMMAND]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
command=${1:-${MOTION_STREAM:-.build/release/motion-stream}}

die() {
  echo "instruction-sets: $*" >&2
  exit 1
}

if [[ $(uname -ms) != 'Linux x86_64' ]]; then
  echo "instruction-sets: nothing to see here, on $(uname -ms)"
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Symbols that hold instructions which the baseline lacks, each with the first of them: AVX's and FMA's
# begin with v, and the others are BMI's, LZCNT and MOVBE. (What is written as tzcnt is bsf there.)
objdump -d --no-show-raw-insn "$command" | awk '
  /^[0-9a-f]+ <.*>:$/ { symbol = substr($2, 2, length($2) - 3); next }
  $2 ~ /^(v[a-z0-9]+|(andn|bextr|bls[a-z]+|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt|movbe)[lqw]?)$/ {
    if (!(symbol in seen)) print symbol, $2
    seen[symbol] = 1
  }' >"$work/symbols"
grep -q '^\$s9KernelsV3' "$work/symbols" || die "$command has no kernels for x86-64-v3"
if grep -v '^\$s9KernelsV3' "$work/symbols" >"$work/astray"; then
  head -5 "$work/astray" >&2
  die "$command has instructions of x86-64-v3 outside KernelsV3"
fi

# frames OPTIONS: a few poses of a few formats.
frames() {
  local move format
  for move in push sway vertigo; do
    for format in yuv420p nv12 yuv444p; do
      "$@" -q --size 320x240 --move "$move" --pix-fmt "$format" --start 20 --frames 2 --format raw ||
        return
    done
  done | sha256sum
}

best=$(frames "$command")
[[ $(MOTION_STREAM_CPU=baseline frames "$command") == "$best" ]] ||
  die "the baseline's frames differ"
[[ $(frames qemu-x86_64 -cpu Nehalem "$command") == "$best" ]] ||
  die "frames differ on a processor without x86-64-v3"
if MOTION_STREAM_CPU=v3 qemu-x86_64 -cpu Nehalem "$command" --version >/dev/null 2>&1; then
  die "MOTION_STREAM_CPU=v3 is taken on a processor that lacks it"
fi
echo "instruction-sets: the same frames by each; x86-64-v3 in $(wc -l <"$work/symbols") functions of KernelsV3"
