#!/usr/bin/env bash
# Films one loop into out.webm. Arguments go to motion-stream: a photograph, --move, --length, …
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
film=$root/out.webm
log=$(mktemp)
trap 'rm -f "$log"' EXIT

die() {
  echo "demo: $*" >&2
  exit 1
}

# The film is one finite Y4M stream; what makes another is for the command itself.
for argument in "$@"; do
  case $argument in
    verify | --endless | --preview | --info | --dump-layers* | --contact-sheet* | --index* | \
      --check-loop | --print-* | --help | -h | --version | --format* | --pix-fmt* | --layer* | \
      --output* | -o) die "films into out.webm: $argument is for motion-stream itself" ;;
  esac
done

"$root/scripts/setup.sh"

program=$(swift build -c release --package-path "$root" --show-bin-path)/motion-stream
[[ -x $program ]] || echo "demo: building; the first time takes a while" >&2
if ! swift build -c release --package-path "$root" --product motion-stream >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  die "the build failed"
fi

# The built-in still life at 720p; a photograph keeps its own shape.
size=(--size 1280x720)
for argument in "$@"; do
  if [[ $argument == --size || $argument == --size=* || ($argument != -* && -f $argument) ]]; then
    size=()
  fi
done

# Y4M cannot say its matrix, so both sides are told.
"$program" "${size[@]}" --matrix bt709 "$@" |
  ffmpeg -v error -y -colorspace bt709 -f yuv4mpegpipe -i - \
    -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -crf 32 -b:v 0 \
    -pix_fmt yuv420p -color_primaries bt709 -color_trc bt709 -colorspace bt709 "$film" ||
  die "no film was made"

bytes=$(wc -c <"$film")
seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$film")
echo "$film: $((bytes)) bytes ($(((bytes + 500) / 1000)) kB), $seconds seconds"
