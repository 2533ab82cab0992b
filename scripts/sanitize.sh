#!/usr/bin/env bash
# Runs the program, or all tests, watched by Clang's sanitizers: data races and misused memory.
#
#   scripts/sanitize.sh [thread|address]        some films by the program: minutes
#   scripts/sanitize.sh [thread|address] all    every test that Swift runs: most of an hour
#
# Without a name both, one after the other. Stops at the first report.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1-} in
  thread | address) sanitizers=("$1") && shift ;;
  *) sanitizers=(thread address) ;;
esac
extent=${1-some}
if [[ $extent != some && $extent != all || $# -gt 1 ]]; then
  echo "usage: scripts/sanitize.sh [thread|address] [all]" >&2
  exit 2
fi

# Libraries without the sanitizers' marks lock in ways they cannot see, and keep what they allocate
# until the end; what is told of is ours. Memory that cannot be had is none, as without a sanitizer.
common="halt_on_error=1 exitcode=66 allocator_may_return_null=1"
export ASAN_OPTIONS="$common detect_leaks=0 detect_stack_use_after_return=0"

# film WORD…: frames as they would be piped, thrown away.
film() {
  echo "   motion-stream $*"
  "$program" -q "$@" | cat >/dev/null
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
mkdir "$folder/films"

# Swift's Mutex is such a lock; these are the functions that do nothing else than what it guards.
cat >"$folder/suppressions" <<'END'
race:LibavO6listen
race:LibavO6forget
race:LibavO9complaint
race:LibavO6reason
race:PlaneMemoryO4keep
race:PlaneMemoryO8takeKept
race:PlaneMemoryO11takeAllKept
END
export TSAN_OPTIONS="$common ignore_noninstrumented_modules=1 suppressions=$folder/suppressions"

some() {
  local move
  rm -rf "${folder:?}"/films/*
  swift build "${options[@]}" --product motion-stream
  program=$(swift build "${options[@]}" --show-bin-path)/motion-stream
  for move in push sway vertigo; do
    film --move $move --size 640x360 --frames 14 --threads 4
  done
  # Kept poses by pages, too little room for them, and none.
  film --size 1280x720 --length 0.4 --frames 40 --threads 3
  film --size 640x360 --length 0.4 --loops 2 --threads 7 --cache 1M
  film --size 640x360 --length 0.4 --loops 2 --threads 2 --cache 0
  film --size 320x180 --frames 6 --renderer reference --threads 3
  film --size 321x181 --frames 6 --format raw --pix-fmt yuva444p --layer subject
  # A file with its index, checked; a photo with its depth and matte cut again.
  film --size 640x360 --length 0.4 -o "$folder/films/film.y4m" --index "$folder/films/film.json"
  "$program" verify "$folder/films/film.json" "$folder/films/film.y4m" >/dev/null
  film --size 640x480 --dump-layers "$folder/films/layers"
  film "$folder/films/layers/background.png" --depth "$folder/films/layers/disparity-photo.png" --frames 6
  film --size 640x360 --length 0.4 --loops 2 -o "$folder/films/film.mp4"
}

for sanitizer in "${sanitizers[@]}"; do
  echo "-- $sanitizer"
  # Tests give programs more time by it, and name those that mean nothing so.
  export MOTION_STREAM_SANITIZER=$sanitizer
  options=(
    -c release -Xswiftc -enable-testing "--sanitize=$sanitizer" --scratch-path ".build/$sanitizer"
  )
  if [[ $extent == all ]]; then
    swift build "${options[@]}" --build-tests
    MOTION_STREAM=$(swift build "${options[@]}" --show-bin-path)/motion-stream \
      swift test "${options[@]}" --skip-build
  else
    some
  fi
done
