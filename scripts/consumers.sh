#!/usr/bin/env bash
# Has every consumer that is installed read every kind of stream, by the line that --print-consumer
# prints for it: counts the frames that arrived, and looks at the colours of the first and at where a
# film says that its chroma lies.
#
# MOTION_STREAM names the command; by default it is the release build's, built if need be.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ -z ${MOTION_STREAM-} ]]; then
  swift build -c release --package-path "$root" --product motion-stream >&2
  MOTION_STREAM=$(swift build -c release --package-path "$root" --show-bin-path)/motion-stream
fi
[[ -x $MOTION_STREAM ]] || {
  echo "consumers: no command at $MOTION_STREAM" >&2
  exit 1
}

scratch=$(mktemp -d)
reader='' sender=''
# shellcheck disable=SC2086
trap 'kill $reader $sender 2>/dev/null || true; rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$(realpath "$MOTION_STREAM")" "$scratch/bin/motion-stream"
export PATH=$scratch/bin:$PATH

# The photograph is soft colour bars, with a square to stand out.
photo=$scratch/photo.png
ffmpeg -v error -f lavfi -i smptebars=size=512x384,format=gbrp,gblur=sigma=16 -frames:v 1 "$photo"
ffmpeg -v error -f lavfi -i \
  color=black:size=512x384,drawbox=x=192:y=128:w=128:h=200:color=white:t=fill,format=gray \
  -frames:v 1 "$scratch/photo_matte.png"

# Of averages of red, green and blue in 16 x 12 places, in tenths of a code of 255, the mean. All
# that subsampling, a codec and GStreamer's quick conversion do is less; a wrong matrix or range is
# above 55.
allowed_error=40
frames=3
film=(-q "$photo" --frames $frames)

# name | program
consumers='
ffmpeg      | ffmpeg
mpv         | mpv
gst         | gst-launch-1.0
x264        | x264
svt-av1     | SvtAv1EncApp
rav1e       | rav1e
obs         | ffmpeg
vapoursynth | vspipe
'

# size | pixel format, container and whatever else
streams='
128x96 | yuv420p
128x96 | yuv420p --range full
128x96 | yuv420p --matrix bt709
128x96 | yuv420p --matrix bt709 --range full
127x95 | yuv420p
127x95 | yuv420p --matrix bt709 --range full
128x96 | yuv420p --chroma-siting jpeg
128x96 | yuv420p --chroma-siting paldv
128x96 | yuv422p
127x95 | yuv422p --range full
128x96 | yuv444p --matrix bt709
127x95 | yuv444p
128x96 | gray
127x95 | gray --range limited
128x96 | yuv420p10le
127x95 | yuv420p10le --range full
128x96 | yuv422p10le --matrix bt709
128x96 | yuv444p12le
128x96 | gray10le
1280x64 | yuv420p
1280x64 | yuv420p --matrix bt601
128x96 | yuv420p --format raw
127x95 | yuv420p --format raw --matrix bt709 --range full
128x96 | yuv420p --format raw --chroma-siting jpeg
128x96 | yuv420p --format raw --chroma-siting paldv
127x95 | yuv420p --format raw --chroma-siting jpeg
127x95 | yuv422p10le --format raw
128x96 | gray --format raw
127x95 | gray12le --format raw
128x96 | nv12 --format raw --matrix bt709
128x96 | nv12 --format raw --chroma-siting jpeg --range full
128x96 | p010le --format raw --chroma-siting paldv
127x95 | nv12 --format raw
128x96 | p010le --format raw
127x95 | p010le --format raw --range full
128x96 | yuva444p --format raw
127x95 | rgb24 --format raw
128x96 | bgra --format raw
127x95 | gbrp --format raw
126x94 | rgb48le --format raw
'

# averages FILE [INPUT OPTIONS…]: of the first picture, a number a line.
averages() {
  local file=$1
  shift
  ffmpeg -nostdin -v error "$@" -i "$file" -frames:v 1 -vf 'format=gbrp,scale=16:12:flags=area' \
    -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w1
}

# The frames of a film, counted one by one.
count() {
  ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0:nk=1 \
    -show_entries stream=nb_read_frames "$1" | head -n 1
}

# Where the chroma of a film lies; what does not say is taken to be as most are. Nothing for what is
# not 4:2:0.
siting() {
  ffprobe -v error -select_streams v:0 -of csv=p=0:nk=1 -show_entries stream=pix_fmt,chroma_location \
    "$1" | sed -n '1{s/unspecified/left/;s/^yuv420p[^,]*,//p}'
}

# run CONSUMER LINE SIZE: has the line make pictures here that can be looked at instead of shown, and
# prints how many came and writes what the first looks like, and where the chroma of a film is.
run() {
  local consumer=$1 line=$2 size=$3
  case $consumer in
    mpv)
      bash -o pipefail -c "$line --no-config --msg-level=all=warn --vo=image --vo-image-format=png" || return
      find . -name '*.png' | wc -l
      averages 00000001.png >colours
      ;;
    gst)
      line=${line/gst-launch-1.0/gst-launch-1.0 -q}
      bash -o pipefail -c "${line/autovideosink/video/x-raw,format=RGBA ! filesink location=film.rgba}" || return
      echo $(($(wc -c <film.rgba) / (4 * ${size/x/*})))
      averages film.rgba -f rawvideo -pix_fmt rgba -s "$size" >colours
      ;;
    obs)
      bash -o pipefail -c "${line/\'udp:*\'/film.ts}" || return
      count film.ts
      averages film.ts >colours
      siting film.ts >siting
      ;;
    vapoursynth)
      line=${line/vspipe --info film.vpy/vspipe -c y4m film.vpy film-vs.y4m}
      bash -o pipefail -c "$line" || return
      count film-vs.y4m
      averages film-vs.y4m >colours
      ;;
    *)
      bash -o pipefail -c "$line" || return
      count film.[!y]*
      averages film.[!y]* >colours
      siting film.[!y]* >siting
      ;;
  esac
}

# check CONSUMER PROGRAM SIZE OPTIONS…: writes one word into a file named for the consumer.
check() {
  local consumer=$1 program=$2 size=$3 folder=$scratch/run/$1 line came error advice sited=left
  shift 3
  case $* in
    *"--chroma-siting jpeg"*) sited=center ;;
    *"--chroma-siting paldv"*) sited=topleft ;;
  esac
  mkdir -p "$folder" && cd "$folder"
  if ! line=$(motion-stream "${film[@]}" --size "$size" "$@" --print-consumer "$consumer" 2>said); then
    # What is to be given instead must be taken.
    advice=$(sed -n 's/.*: give //p' said)
    # shellcheck disable=SC2086
    if motion-stream "${film[@]}" --size "$size" "$@" $advice --print-consumer "$consumer" >/dev/null 2>&1; then
      echo "-" >../"$consumer.word"
    else
      echo "BADVICE:$(<said)" >../"$consumer.word"
    fi
    return
  fi
  if ! command -v "$program" >/dev/null; then
    echo "absent" >../"$consumer.word"
    return
  fi
  if ! came=$(run "$consumer" "$line" "$size" 2>said </dev/null); then
    echo "FAILED:$line: $(tail -n 3 said)" >../"$consumer.word"
    return
  fi
  error=$(paste "$scratch/colours" colours |
    awk '{ d = $1 - $2; if (d < 0) d = -d; if (NF < 2) d = 255; s += d } END { print int(10 * s / NR + 0.5) }')
  if ((came != frames)); then
    echo "FAILED:$line: $came of $frames frames" >../"$consumer.word"
  elif ((error > allowed_error)); then
    echo "FAILED:$line: colours off by $error" >../"$consumer.word"
  elif [[ -s siting && $(<siting) != "$sited" ]]; then
    echo "FAILED:$line: chroma at $(<siting), not $sited" >../"$consumer.word"
  else
    echo "$error" >../"$consumer.word"
  fi
}

failed=0 passed=0 refused=0 absent=0
echo "All $frames frames were read where a number stands: the mean error of colour, in tenths of 1 of 255."
echo "- is refused with advice that is taken."
printf '%-9s %-42s' size stream
names=() programs=()
while IFS='|' read -r name program; do
  [[ -n ${name// /} ]] || continue
  names+=("${name// /}") programs+=("${program// /}")
  printf ' %7.7s' "${name// /}"
done <<<"$consumers"
echo
while IFS='|' read -r size options; do
  [[ -n ${size// /} ]] || continue
  size=${size// /}
  read -ra words <<<"$options"
  format=${words[0]}
  extra=("${words[@]:1}")
  rm -rf "$scratch/run"
  mkdir "$scratch/run"
  # The same frame without any of what is tried: R'G'B', or grey in full range.
  like=rgb24
  [[ $format != gray* ]] || like=gray
  motion-stream "${film[@]}" --size "$size" --format raw --pix-fmt $like |
    averages - -f rawvideo -pix_fmt $like -s "$size" >"$scratch/colours"
  for i in "${!names[@]}"; do
    (check "${names[i]}" "${programs[i]}" "$size" --pix-fmt "$format" ${extra[@]+"${extra[@]}"}) &
  done
  wait
  printf '%-9s %-42s' "$size" "${options# }"
  complaints=()
  for name in "${names[@]}"; do
    word=$(<"$scratch/run/$name.word")
    case $word in
      -) refused=$((refused + 1)) ;;
      absent) absent=$((absent + 1)) ;;
      [0-9]*) passed=$((passed + 1)) ;;
      *)
        failed=$((failed + 1))
        complaints+=("  $name: $word")
        word=${word%%:*}
        ;;
    esac
    printf ' %7.7s' "$word"
  done
  echo
  ((${#complaints[@]} == 0)) || printf '%s\n' "${complaints[@]}"
done <<<"$streams"

# Live, as OBS would read it.
name="served over UDP"
port=$((20000 + RANDOM % 20000))
timeout 60 ffmpeg -nostdin -v error -i "udp://127.0.0.1:$port?timeout=30000000" -t 1 \
  -c copy "$scratch/live.ts" 2>"$scratch/said" &
reader=$!
sleep 1
line=$(motion-stream -q --size 128x96 --endless --print-consumer obs 2>/dev/null)
timeout 20 bash -c "${line/:5000/:$port}" >/dev/null 2>&1 </dev/null &
sender=$!
wait "$reader" || true
kill "$sender" 2>/dev/null || true
live=$(count "$scratch/live.ts" 2>>"$scratch/said" || true)
if ((${live:-0} >= 25)); then
  echo "$name: $live frames in one second"
  passed=$((passed + 1))
else
  echo "FAILED $name: ${live:-0} frames: $(<"$scratch/said")"
  failed=$((failed + 1))
fi

echo "consumers: $passed passed, $failed failed, $refused refused with advice, $absent without their program"
((failed == 0))
