#!/usr/bin/env bash
# Everything that must hold, from a fresh clone. Stops at the first step that fails.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
  local name=$1
  shift
  echo "== $name"
  if ! "$@"; then
    echo "FAILED: $name" >&2
    exit 1
  fi
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
step "tests" swift test "${options[@]}" --skip-build
# The same runs each time: the parsers of strangers' bytes as they are known to hold, on a machine of
# any speed. For news, give it hours.
step "fuzz" env FUZZ_SEED=1 scripts/fuzz.sh all 8000runs
step "examples" scripts/ffmpeg-examples.sh
step "consumers" scripts/consumers.sh
echo "PASSED"
