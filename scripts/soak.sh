#!/usr/bin/env bash
# Streams an endless loop as fast as it goes into a reader that throws it away, and watches the
# memory: at the end it must be within 4 MiB of what it was after the second loop. For Linux alone,
# whose /proc has the figures.
#
#   scripts/soak.sh [MINUTES]      30 unless told otherwise
#
# MOTION_STREAM names the command; by default it is the release build's, built if need be.
# SOAK_OPTIONS go to it. Its figures are one line of JSON.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[[ -r /proc/self/status && -r /proc/uptime ]] || {
  echo "soak: there is no /proc here: run this on Linux" >&2
  exit 1
}
minutes=${1-30}
[[ $minutes =~ ^[0-9]+(\.[0-9]+)?$ ]] || {
  echo "soak: $minutes is no number of minutes" >&2
  exit 1
}
if [[ -z ${MOTION_STREAM-} ]]; then
  swift build -c release --package-path "$root" --product motion-stream >&2
  MOTION_STREAM=$(swift build -c release --package-path "$root" --show-bin-path)/motion-stream
fi
allowed_kib=4096

scratch=$(mktemp -d)
command='' reader=''
# shellcheck disable=SC2086
trap 'kill $command $reader 2>/dev/null || true; rm -rf "$scratch"' EXIT
# shellcheck disable=SC2086
period=$("$MOTION_STREAM" ${SOAK_OPTIONS-} --info | sed -n 's/.*"period" : \([0-9]*\).*/\1/p')
[[ -n $period ]] || {
  echo "soak: --info tells no period of this film" >&2
  exit 1
}
mkfifo "$scratch/frames"
# shellcheck disable=SC2086
"$MOTION_STREAM" --endless --progress json ${SOAK_OPTIONS-} -y -o "$scratch/frames" 2>"$scratch/progress" &
command=$!
cat "$scratch/frames" >/dev/null &
reader=$!

# The last whole line of progress has how many frames were delivered.
field() { grep '}' "$scratch/progress" | tail -n 1 | sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p"; }
resident() { awk '/^VmRSS/ { print $2 }' "/proc/$command/status"; }
now() { cut -d' ' -f1 /proc/uptime; }

start=$(now)
until frames=$(field frame) && ((${frames:-0} >= 2 * period)); do
  kill -0 "$command" || {
    echo "soak: the stream ended early: $(tail -n 1 "$scratch/progress")" >&2
    exit 1
  }
  sleep 0.1
done
second=$(resident) most=$second
echo "soak: after two loops, $frames frames: $second KiB" >&2

until awk "BEGIN { exit !($(now) - $start >= 60 * $minutes) }"; do
  sleep 1
  kill -0 "$command" || {
    echo "soak: the stream ended early: $(tail -n 1 "$scratch/progress")" >&2
    exit 1
  }
  last=$(resident)
  ((last <= most)) || most=$last
done
last=$(resident) frames=$(field frame) elapsed=$(awk "BEGIN { print $(now) - $start }")
kill -TERM "$command"
wait "$command" && ended=0 || ended=$?
((ended == 143)) || {
  echo "soak: ended with $ended, not 143: $(tail -n 1 "$scratch/progress")" >&2
  exit 1
}
growth=$((last - second))
printf '{"seconds": %s, "frames": %s, "loops": %s, "fps": %s, "kib_after_two_loops": %s, "kib_most": %s, "kib_at_end": %s, "kib_growth": %s}\n' \
  "$elapsed" "$frames" "$((frames / period))" "$(awk "BEGIN { print int($frames / $elapsed) }")" \
  "$second" "$most" "$last" "$growth"
((growth <= allowed_kib)) || {
  echo "soak: memory grew by $growth KiB, more than $allowed_kib" >&2
  exit 1
}
