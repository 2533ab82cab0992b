#!/usr/bin/env bash
# Everything that must hold, from a fresh clone. Stops at the first step that fails.
#
#   scripts/test.sh              what a change has to pass
#   scripts/test.sh --sanitize   every test again under Clang's sanitizers
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1-} in
  '') ;;
  --sanitize)
    scripts/setup.sh test
    exec scripts/sanitize.sh all
    ;;
  *)
    echo "usage: scripts/test.sh [--sanitize]" >&2
    exit 2
    ;;
esac

step() {
  local name=$1
  shift
  echo "== $name"
  if ! "$@"; then
    echo "FAILED: $name" >&2
    exit 1
  fi
}

# Installs twice, looks whether the program runs where there is no Swift, and takes all away again.
installs() (
  prefix=$(mktemp -d)
  trap 'rm -rf "$prefix"' EXIT
  scripts/install.sh --prefix "$prefix" && scripts/install.sh --prefix "$prefix" >/dev/null &&
    [[ $(find "$prefix" -type f | wc -l) == 5 ]] &&
    [[ $(env -i "$prefix/bin/motion-stream" --frames 1 --size 64x48 | wc -c) == 4676 ]] &&
    scripts/install.sh --prefix "$prefix" --uninstall >/dev/null &&
    [[ -z $(find "$prefix" -type f) ]]
)

# Brings the models where there is a network, or a file of the depth's; tests name what they skip
# without. Only a machine that tests for everybody must have the one that is always to be had.
models() {
  scripts/get-models.sh --to .build/models --only lift || [[ ${CI-} != true ]] || return 1
  [[ -z ${MOTION_STREAM_DEPTH_MODEL-} ]] ||
    scripts/get-models.sh --to .build/models --only depth --from "$MOTION_STREAM_DEPTH_MODEL"
}

# Optimised, because the tests do pixel work; testable, because they look inside. Apart from the
# ordinary build, which would else be made anew each time.
options=(-c release -Xswiftc -enable-testing --scratch-path .build/testing)

step "setup" scripts/setup.sh test
step "format" swift format lint --strict -r Sources Tests Fuzz Package.swift
step "build" swift build "${options[@]}" --build-tests
step "build without traits" swift build --disable-default-traits --scratch-path .build/bare
MOTION_STREAM=$(swift build "${options[@]}" --show-bin-path)/motion-stream
export MOTION_STREAM
# What models the user has changes nothing but the tests of them.
export MOTION_STREAM_MODELS=/no/models
step "models" models
step "tests" env MOTION_STREAM_MODELS="$PWD/.build/models" swift test "${options[@]}" --skip-build
# Films alone; `scripts/test.sh --sanitize` is every test so.
step "sanitizers" scripts/sanitize.sh
step "instruction sets" scripts/instruction-sets.sh "$MOTION_STREAM"
# The same runs each time: the parsers of strangers' bytes as they are known to hold, on a machine of
# any speed. For news, give it hours.
step "fuzz" env FUZZ_SEED=1 scripts/fuzz.sh all 8000runs
step "examples" scripts/ffmpeg-examples.sh
step "consumers" scripts/consumers.sh
# 12 seconds; `scripts/soak.sh` alone is half an hour.
step "soak" env SOAK_OPTIONS="--size 640x360" scripts/soak.sh 0.2
step "install" installs
echo "PASSED"
