#!/usr/bin/env bash
# Runs every pipeline of the README, docs/recipes.md and docs/frame-index.md, small and short, and
# looks at what came out. What must come out stands in a comment behind each:
#
#   <!-- makes FILE FRAMES RATE PIX_FMT [MATRIX] [alpha|other] -->   "-" where nothing can tell; its
#       first picture is the still life's, or one whose alpha has open and covered places, or another
#   <!-- says TEXT -->       the pipeline prints it
#   <!-- sends URL -->       ffprobe can watch it
#   <!-- device PATH -->     is run only where that is there
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
MOTION_STREAM=$(realpath "$MOTION_STREAM")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The pipelines call programs by their names. Behind each name stands the program, told to be small,
# quiet and without a screen.
size=1280x360 # HD by its width, so that BT.709 is what everybody assumes
mkdir "$scratch/bin"
wrap() {
  local name=$1 program
  program=${3-$(command -v "$name")} || return 0
  printf '#!/usr/bin/env bash\nprogram=%q\n%s\n' "$program" "$2" >"$scratch/bin/$name"
  chmod +x "$scratch/bin/$name"
}
wrap motion-stream "
[[ \"\$1\" != verify ]] || exec \"\$program\" \"\$@\"
small=()
[[ \" \$* \" == *' --size '* ]] || small+=(--size $size)
[[ \" \$* \" == *' --length '* || \" \$* \" == *' --pose '* ]] || small+=(--length 0.5)
exec \"\$program\" \"\$@\" \"\${small[@]}\"" "$MOTION_STREAM"
wrap ffmpeg 'exec "$program" -nostdin -v error -y "$@"'
wrap mpv 'exec "$program" --no-config --vo=null --ao=null --untimed --frames=15 \
  --msg-level=all=warn,cplayer=info --term-playing-msg="\${width}x\${height}" "$@"'
wrap gst-launch-1.0 'exec "$program" -q "${@/#autovideosink/fakesink num-buffers=15}"'
wrap SvtAv1EncApp 'exec "$program" "$@" 2>/dev/null'

# A photograph with its depth and matte beside it, under every name that the pipelines use.
material=$scratch/material
mkdir "$material"
"$MOTION_STREAM" --size "$size" --amount 0 --still 0 -o "$material/photo.jpg"
"$MOTION_STREAM" --size "$size" --dump-layers "$scratch/layers"
cp "$scratch/layers/disparity-photo.png" "$material/depth.png"
cp "$scratch/layers/coverage.png" "$material/matte.png"
for map in depth matte; do cp "$material/$map.png" "$material/photo_$map.png"; done
cp "$material/photo.jpg" "$material/IMG_1234.HEIC"
for map in depth matte; do cp "$material/$map.png" "$material/IMG_1234_$map.png"; done

failed=0 passed=0 skipped=0

# Of 255, at the coarse scale at which colours are compared.
allowed_error=4

# libavcodec's own VP9 decoder leaves alpha out.
decoder() { [[ $1 == *.webm ]] && echo -c:v libvpx-vp9; }

# A film as "FRAMES RATE PIX_FMT MATRIX", frames counted one by one.
probe() {
  local matrix rate frames format
  if [[ $1 == *.webp ]]; then
    echo "$(webpinfo "$1" | grep -c 'Chunk ANMF') - yuv420p -"
    return
  fi
  IFS=, read -r format matrix rate frames < <(
    ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0:nk=1 \
      -show_entries stream=pix_fmt,color_space,r_frame_rate,nb_read_frames "$1"
  ) || true
  echo "$frames $rate $format $matrix"
}

# The first picture of a film as 16 x 9 averages of red, green and blue, a number a line. Averages,
# so that compression hardly shows, and a wrong matrix or range does.
colours() {
  ffmpeg -nostdin -v error -i "$1" -frames:v 1 -vf 'format=gbrp,scale=16:9:flags=area' \
    -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w1
}

# The largest difference between a film's colours and the command's own R'G'B' at a size.
colour_error() {
  local reference=$scratch/$2.colours
  if [[ ! -e $reference ]]; then
    "$MOTION_STREAM" "$material/photo.jpg" --size "$2" --still 0 -o "$scratch/$2.png"
    colours "$scratch/$2.png" >"$reference"
  fi
  paste "$reference" <(colours "$1") |
    awk '{ d = $1 - $2; if (d < 0) d = -d; if (NF < 2) d = 255; if (d > m) m = d } END { print m + 0 }'
}

# What is to be said against the colours of a film that COMMANDS made; nothing where they are right.
colour_complaint() {
  local made=$size error
  [[ $2 =~ --size\ ([0-9]+x[0-9]+) ]] && made=${BASH_REMATCH[1]}
  error=$(colour_error "$1" "$made")
  ((error <= allowed_error)) || echo ", colours off by $error of 255"
}

# Whether the first picture's alpha has open, covered and soft places.
has_alpha() {
  ffmpeg -nostdin -v error $(decoder "$1") -i "$1" -frames:v 1 -vf alphaextract,format=gray \
    -f rawvideo - | od -An -v -tu1 -w1 |
    awk '{ open += $1 < 4; covered += $1 > 251; soft += $1 > 64 && $1 < 192 }
      END { exit !(open > 1000 && covered > 1000 && soft > 50) }'
}

report() {
  local result=$1 name=$2
  printf '%-8s %s\n' "$result" "$name"
}

# check NAME COMMANDS EXPECTED
check() {
  local name=$1 commands=$2 verb expected program folder said film got job complaint=''
  read -r verb expected <<<"$3"
  for program in ffmpeg ffprobe mpv x264 SvtAv1EncApp gst-launch-1.0 jq parallel vspipe; do
    if [[ $commands =~ (^|[^a-z.-])$program\  ]] && ! command -v "$program" >/dev/null; then
      report skipped "$name: no $program"
      skipped=$((skipped + 1))
      return
    fi
  done
  if [[ $verb == device && ! -e $expected ]]; then
    report skipped "$name: no $expected"
    skipped=$((skipped + 1))
    return
  fi
  folder=$(mktemp -d "$scratch/run.XXXXXX")
  cp "$material"/* "$folder"
  if [[ $verb == sends ]]; then
    (cd "$folder" && PATH=$scratch/bin:$PATH exec setsid bash -c "$commands" >/dev/null 2>&1 </dev/null) &
    job=$!
    said=$(timeout 20 ffprobe -v quiet -show_entries stream=codec_name,width -of csv=p=0 "$expected" |
      head -n 1) || true
    kill -- "-$job" 2>/dev/null || true
    wait "$job" 2>/dev/null || true
    got=$said expected="h264,${size%x*}"
  elif ! said=$(cd "$folder" && PATH=$scratch/bin:$PATH \
    timeout 300 bash -o pipefail -c "$commands"$'\nwait' 2>&1 </dev/null); then
    report FAILED "$name:"$'\n'"$commands"$'\n'"$said"
    failed=$((failed + 1))
    return
  fi
  case $verb in
    says) got=$said && [[ $said == *"$expected"* ]] && got=$expected ;;
    makes)
      read -r film expected <<<"$expected"
      film=$folder/$film
      got=$(probe "$film")
      case $expected in
        *" alpha")
          expected=${expected% alpha}
          has_alpha "$film" || complaint=', without alpha that is open, soft and closed'
          ;;
        *" other") expected=${expected% other} ;;
        *" - "*) ;; # what ffmpeg cannot read
        *) complaint=$(colour_complaint "$film" "$commands") ;;
      esac
      # The matrix is compared where one is expected.
      [[ $expected == *' '*' '*' '* ]] || got=${got% *}
      ;;
  esac
  rm -rf "$folder"
  got+=$complaint
  if [[ $got == "$expected" ]]; then
    report passed "$name"
    passed=$((passed + 1))
  else
    report FAILED "$name: expected '$expected', got '$got':"$'\n'"$commands"
    failed=$((failed + 1))
  fi
}

# Reads a document and checks its blocks of sh; with "all" each must say what it makes.
check_all() {
  local document=$1 all=${2-} line name='' commands='' state=text
  while IFS= read -r line; do
    case $state in
      block)
        if [[ $line == '```' ]]; then state=done; else commands+=$line$'\n'; fi
        continue
        ;;
      done)
        state=text
        if [[ $line == '<!-- '*' -->' ]]; then
          line=${line#<!-- }
          check "${document##*/}, ${name:0:70}" "$commands" "${line% -->}"
          continue
        elif [[ -n $all ]]; then
          report FAILED "${document##*/}, $name: does not say what it makes"
          failed=$((failed + 1))
        fi
        ;;
    esac
    if [[ $line == '```sh' ]]; then
      state=block commands=''
    elif [[ -n $line ]]; then
      name=$line
    fi
  done <"$document"
}

# A check that cannot fail is none: the wrong matrix has to show.
"$MOTION_STREAM" "$material/photo.jpg" --size "$size" --frames 2 |
  "$scratch/bin/ffmpeg" -i - -pix_fmt rgb24 "$scratch/wrong%d.png"
[[ -n $(colour_complaint "$scratch/wrong1.png" '') ]] || {
  echo "examples: a wrong matrix does not show in the colours" >&2
  exit 1
}

check_all "$root/README.md"
check_all "$root/docs/frame-index.md"
check_all "$root/docs/recipes.md" all
echo "examples: $passed passed, $failed failed, $skipped skipped"
((failed == 0))
