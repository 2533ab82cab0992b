#!/usr/bin/env bash
# What takes too long for every change: all tests under the sanitizers, new random input for every
# parser, and half an hour of an endless stream.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/test.sh
scripts/test.sh --sanitize
scripts/fuzz.sh all 600
scripts/soak.sh
