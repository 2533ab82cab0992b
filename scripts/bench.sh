#!/usr/bin/env bash
# Times the stages of a film, and whole films beside ffmpeg's zoompan (which zooms without depth),
# the two taking turns in one run. Figures are medians; the machine is whatever it is.
#
#   scripts/bench.sh [PHOTO…]      photographs with their depth inside
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh
swift build -c release >/dev/null
bin=$(swift build -c release --show-bin-path)
echo "$(uname -m), $(getconf _NPROCESSORS_ONLN) cores, load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')"
"$bin/motion-bench" 5 "$@"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bin/motion-stream" -q --amount 0 --frames 1 --format raw |
  ffmpeg -v error -f rawvideo -pix_fmt rgb24 -s 1920x1080 -i - "$work/photo.png"

# seconds COMMAND: how long a pipeline takes.
seconds() {
  local start end
  start=$(date +%s.%N)
  bash -o pipefail -c "$1" >/dev/null
  end=$(date +%s.%N)
  echo "$end - $start" | awk '{ print $1 - $3 }'
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

ours="'$bin/motion-stream' -q --move sway | cat"
endless="'$bin/motion-stream' -q --move sway --loops 5 | cat"
theirs="ffmpeg -v error -loop 1 -i '$work/photo.png' -frames:v 120 -vf \
  \"zoompan=z='1+0.001*on':d=1:s=1920x1080:fps=30,format=yuv420p\" -f yuv4mpegpipe - | cat"
# The same into a consumer that takes frames and does nothing with them.
read="ffmpeg -v error -nostdin -i - -f null -"
ours_read="'$bin/motion-stream' -q --move sway --loops 2 | $read"
endless_read="'$bin/motion-stream' -q --move sway --loops 22 | $read"
theirs_read="${theirs% | cat} | $read"
for _ in 1 2 3; do
  seconds "$ours" >>"$work/ours"
  seconds "$endless" >>"$work/endless"
  seconds "$theirs" >>"$work/theirs"
  seconds "$ours_read" >>"$work/ours_read"
  seconds "$endless_read" >>"$work/endless_read"
  seconds "$theirs_read" >>"$work/theirs_read"
done
paste <(median <"$work/ours_read") <(median <"$work/endless_read") <(median <"$work/theirs_read") |
  awk '{
    loop = ($2 - $1) / 20
    printf "a kept loop into ffmpeg -f null: %.0f frames a second; ffmpeg zoompan %.0f: %.2f times its speed\n", 120 / loop, 120 / $3, $3 / loop
  }'
paste <(median <"$work/ours") <(median <"$work/endless") <(median <"$work/theirs") | awk '{
  printf "one loop of 120 frames, 1080p, into cat: %.2f s; ffmpeg zoompan %.2f s: %.2f times its speed\n", $1, $3, $3 / $1
  printf "each further loop: %.2f s: %.2f times its speed\n", ($2 - $1) / 4, $3 / (($2 - $1) / 4)
}'

# A film of 1440x1920 as H.264, drawn and encoded, beside libx264 alone with the same settings and the
# frames ready; and 99 further loops of it.
film="-q --move sway --size 1440x1920"
"$bin/motion-stream" $film --matrix bt709 -o "$work/film.y4m"
encoded="'$bin/motion-stream' $film --preset veryfast -y -o '$work/film.mp4'"
hundred="'$bin/motion-stream' $film --preset veryfast --loops 100 -y -o '$work/film.mp4'"
alone="ffmpeg -v error -y -nostdin -colorspace bt709 -i '$work/film.y4m' -c:v libx264 -crf 18 \
  -preset veryfast -threads 4 -movflags +faststart '$work/alone.mp4'"
for _ in 1 2 3; do
  seconds "$encoded" >>"$work/encoded"
  seconds "$alone" >>"$work/alone"
  seconds "$hundred" >>"$work/hundred"
done
paste <(median <"$work/encoded") <(median <"$work/alone") <(median <"$work/hundred") | awk '{
  printf "120 frames of 1440x1920 to MP4, veryfast: %.2f s; libx264 alone, from Y4M: %.2f s: %.2f times as long\n", $1, $2, $1 / $2
  printf "each further loop of it: %.3f s, %.2f %% of encoding one\n", ($3 - $1) / 99, ($3 - $1) / 99 / $2 * 100
}'
rm "$work/film.y4m"

# To the first frame of a photograph, 1080 high, beside ffmpeg, which decodes and scales it and no more.
for photo in "$@"; do
  read -r width height < <("$bin/motion-stream" -q "$photo" --info | tr -d ' \n' |
    sed -E 's/.*"orientation":[0-9],"size":\[([0-9]+),([0-9]+)\].*/\1 \2\n/')
  width=$((width * 1080 / height / 2 * 2))
  first="'$bin/motion-stream' -q '$photo' --size ${width}x1080 --frames 1 | cat"
  scaled="ffmpeg -v quiet -nostdin -i '$photo' -vf scale=$width:1080 -frames:v 1 -f null -"
  rm -f "$work/first" "$work/scaled"
  for _ in 1 2 3 4 5 6 7; do
    seconds "$first" >>"$work/first"
    # ffmpeg before 7 reads no HEIC.
    if bash -c "$scaled"; then seconds "$scaled" >>"$work/scaled"; fi
  done
  line="$photo: first frame of ${width}x1080 $(median <"$work/first") s"
  if [[ -s $work/scaled ]]; then
    line+=$(paste <(median <"$work/first") <(median <"$work/scaled") |
      awk '{ printf ", ffmpeg -vf scale %.3f s: %.2f times as long", $2, $1 / $2 }')
  fi
  echo "$line"
done
