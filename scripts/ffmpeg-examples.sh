#!/usr/bin/env bash
# Runs every pipeline that the README shows, short and small, and looks at what came out.
#
# MOTION_STREAM names the command; by default it is the release build's, built if need be.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ -z ${MOTION_STREAM-} ]]; then
  swift build -c release --package-path "$root" --product motion-stream >&2
  MOTION_STREAM=$(swift build -c release --package-path "$root" --show-bin-path)/motion-stream
fi
[[ -x $MOTION_STREAM ]] || {
  echo "examples: no command at $MOTION_STREAM" >&2
  exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The pipelines call it by its name, as a reader of the README would.
mkdir "$scratch/bin"
ln -s "$(realpath "$MOTION_STREAM")" "$scratch/bin/motion-stream"
export PATH=$scratch/bin:$PATH

failed=0 passed=0 skipped=0

# Of 255, at the coarse scale at which colors are compared.
allowed_error=12

# The stream of a film as "WxH FRAMES RATE MATRIX", frames counted one by one.
probe() {
  local width height matrix rate frames
  IFS=, read -r width height matrix rate frames < <(
    ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0:nk=1 \
      -show_entries stream=width,height,color_space,r_frame_rate,nb_read_frames "$1"
  ) || true
  echo "${width}x$height $frames $rate $matrix"
}

# The first picture of a film as 16 x 9 averages of red, green and blue, a number a line. Averages,
# so that compression hardly shows, and a wrong matrix or range does.
colors() {
  ffmpeg -nostdin -v error -i "$1" -frames:v 1 -vf 'format=gbrp,scale=16:9:flags=area' \
    -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w1
}

# The largest difference between a film's colors and the command's own R'G'B'.
color_error() {
  paste "$scratch/colors" <(colors "$1") |
    awk '{ d = $1 - $2; if (d < 0) d = -d; if (NF < 2) d = 255; if (d > m) m = d } END { print m + 0 }'
}

# example NAME NEEDED-PROGRAMS EXPECTED COMMAND
#
# EXPECTED is a file and what `probe` must say of it (the matrix may be left out), or "says" and a text that the pipeline must
# print. COMMAND is a line of bash, run in a folder of its own.
example() {
  local name=$1 needed=$2 expected=$3 command=$4 program folder film said error
  for program in $needed ffprobe; do
    if ! command -v "$program" >/dev/null; then
      echo "skipped  $name: no $program"
      skipped=$((skipped + 1))
      return
    fi
  done
  folder=$(mktemp -d "$scratch/XXXXXX")
  if ! said=$(cd "$folder" && bash -o pipefail -c "$command" 2>&1 </dev/null); then
    echo "FAILED   $name: $command"$'\n'"$said"
    failed=$((failed + 1))
    return
  fi
  if [[ $expected == says\ * ]]; then
    expected=${expected#says }
    [[ $said == *"$expected"* ]] && said=$expected
  else
    film=$folder/${expected%% *}
    said=$(probe "$film")
    expected=${expected#* }
    error=$(color_error "$film")
    ((error <= allowed_error)) || said+=", colors off by $error of 255"
  fi
  if [[ $said == "$expected" || $said =~ ^"$expected "[a-z0-9]+$ ]]; then
    echo "passed   $name"
    passed=$((passed + 1))
  else
    echo "FAILED   $name: expected '$expected', got '$said': $command"
    failed=$((failed + 1))
  fi
}

# The README's pipelines are for 1920x1080, which is BT.709; the small ones here have to say so.
plain='--size 320x180 --length 1'
small="$plain --matrix bt709"

motion-stream --size 320x180 --length 1 --frames 1 --format raw --pix-fmt rgb24 |
  ffmpeg -v error -f rawvideo -pix_fmt rgb24 -s 320x180 -i - "$scratch/first.png"
colors "$scratch/first.png" >"$scratch/colors"

example "WebM with VP9" ffmpeg "out.webm 320x180 30 30/1 bt709" \
  "motion-stream $small | ffmpeg -v error -colorspace bt709 -i - \
    -c:v libvpx-vp9 -crf 30 -b:v 0 -deadline realtime -cpu-used 8 -row-mt 1 -pix_fmt yuv420p \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 out.webm"

example "MP4 with H.264" ffmpeg "out.mp4 320x180 30 30/1 bt709" \
  "motion-stream $small | ffmpeg -v error -colorspace bt709 -i - \
    -c:v libx264 -crf 18 -pix_fmt yuv420p -movflags +faststart \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 out.mp4"

example "MP4 at 29.97" ffmpeg "out.mp4 320x180 30 30000/1001 bt709" \
  "motion-stream $small --fps 29.97 --frames 30 | ffmpeg -v error -colorspace bt709 -i - \
    -c:v libx264 -preset veryfast -pix_fmt yuv420p \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 out.mp4"

# GIF counts in hundredths of a second, so 25 frames a second are exact.
example "GIF" ffmpeg "out.gif 320x180 25 25/1" \
  "motion-stream $small --fps 25 | ffmpeg -v error -colorspace bt709 -i - \
    -vf 'split[a][b];[a]palettegen[p];[b][p]paletteuse' out.gif"

example "HLS" ffmpeg "out.m3u8 320x180 60 30/1 bt709" \
  "motion-stream $small --loops 2 | ffmpeg -v error -colorspace bt709 -i - \
    -c:v libx264 -preset veryfast -pix_fmt yuv420p -g 30 -sc_threshold 0 \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 \
    -hls_time 1 -hls_playlist_type vod out.m3u8"

example "live MPEG-TS" ffmpeg "out.ts 320x180 30 30/1 bt709" \
  "motion-stream $small --endless | ffmpeg -v error -colorspace bt709 -re -i - -t 1 \
    -c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -g 30 \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 -f mpegts out.ts"

example "PNG frames" ffmpeg "%04d.png 320x180 30 25/1" \
  "motion-stream $small | ffmpeg -v error -colorspace bt709 -i - %04d.png"

example "raw RGB" ffmpeg "out.mp4 320x180 30 30/1 bt709" \
  "motion-stream $small --format raw --pix-fmt rgb24 | ffmpeg -v error \
    -f rawvideo -pix_fmt rgb24 -s 320x180 -r 30 -i - \
    -vf scale=out_color_matrix=bt709:out_range=tv -c:v libx264 -pix_fmt yuv420p \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 out.mp4"

example "a file, then ffmpeg" ffmpeg "loop.y4m 320x180 30 30/1" \
  "motion-stream $plain -o loop.y4m && ffmpeg -v error -i loop.y4m -f null -"

example "an index" ffmpeg "loop.y4m 320x180 30 30/1" \
  "motion-stream $plain -o loop.y4m --index loop.json &&
    motion-stream $plain --start 7 | motion-stream verify loop.json - --start 7 &&
    motion-stream verify loop.json loop.y4m"

example "x264" x264 "out.mkv 320x180 30 30/1 bt709" \
  "motion-stream $small | x264 --quiet --demuxer y4m --crf 18 --colormatrix bt709 \
    --colorprim bt709 --transfer bt709 -o out.mkv -"

example "mpv" mpv "says 320x180 30" \
  "motion-stream $small | mpv --no-config --vo=null --untimed --msg-level=all=warn,cplayer=info \
    --term-playing-msg='\${width}x\${height} \${container-fps}' -"

example "mpv, endless" mpv "says 320x180 30" \
  "motion-stream $small --endless | mpv --no-config --vo=null --frames=30 --msg-level=all=warn,cplayer=info \
    --term-playing-msg='\${width}x\${height} \${container-fps}' -"

# GStreamer assumes of each size what motion-stream chooses for it: nothing needs saying.
example "GStreamer" gst-launch-1.0 "out.webm 320x180 30 30/1 smpte170m" \
  "motion-stream $plain | gst-launch-1.0 -q fdsrc ! y4mdec ! videoconvert ! \
    vp8enc deadline=1 ! webmmux ! filesink location=out.webm"

example "GStreamer, raw RGB" gst-launch-1.0 "out.webm 320x180 30 30/1 smpte170m" \
  "motion-stream $plain --format raw --pix-fmt rgb24 | gst-launch-1.0 -q fdsrc ! \
    rawvideoparse format=rgb width=320 height=180 framerate=30/1 ! videoconvert ! \
    vp8enc deadline=1 ! webmmux ! filesink location=out.webm"

echo "examples: $passed passed, $failed failed, $skipped skipped"
((failed == 0))
