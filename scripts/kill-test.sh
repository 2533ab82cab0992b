#!/usr/bin/env bash
# Judges the method on real photographs: for each photo and move the farthest pose, layered beside
# one sheet, with the subject's edge enlarged where the two differ most.
#
#   scripts/kill-test.sh [-o FOLDER] PHOTO…|FOLDER…
#
# Writes into FOLDER (kill-test unless asked otherwise): index.html and page.png to look at,
# figures.tsv to compare, and layers/NAME, which is what --dump-layers gives. Depth and matte are
# taken from beside the photo, NAME-depth.* and NAME-matte.* (or _ or . for -), else from inside it.
# docs/kill-test.md says what the figures mean.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die() {
  echo "kill-test: $*" >&2
  exit 1
}

out=kill-test
if [[ ${1-} == -o ]]; then
  out=${2-}
  shift 2 || true
fi
[[ -n $out && $# -gt 0 ]] || die "usage: scripts/kill-test.sh [-o FOLDER] PHOTO…|FOLDER…"

if [[ -z ${MOTION_STREAM-} ]]; then
  "$root/scripts/setup.sh" test
  for product in motion-stream motion-judge; do
    swift build -c release --package-path "$root" --product "$product" >&2
  done
  MOTION_STREAM=$(swift build -c release --package-path "$root" --show-bin-path)/motion-stream
fi
judge=$(dirname "$MOTION_STREAM")/motion-judge
[[ -x $MOTION_STREAM && -x $judge ]] || die "no motion-stream and motion-judge beside each other"

# Files beside a photo that are no photos of their own.
is_map() { [[ ${1##*/} =~ [-_.](depth|matte|mask|alpha)\.[^.]+$ ]]; }

# beside PHOTO WORD…: the first file that is named as the photo and one of the words.
beside() {
  local stem=${1%.*} word file
  shift
  for word in "$@"; do
    for file in "$stem"[-_.]"$word".*; do
      [[ -f $file ]] && echo "$file" && return
    done
  done
  echo -
}

photos=()
for argument in "$@"; do
  if [[ -d $argument ]]; then
    for file in "$argument"/*; do
      # Anything but a text may be a picture: what it is, the command says.
      [[ -f $file && ! $file =~ \.(md|txt|json|html|tsv)$ ]] && ! is_map "$file" && photos+=("$file")
    done
  elif [[ -f $argument ]]; then
    photos+=("$argument")
  else
    die "$argument: there is no such photo or folder"
  fi
done
((${#photos[@]} > 0)) || die "no photos in $*"

mkdir -p "$out/layers" "$out/strips"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$judge" --heading >"$out/figures.tsv"

skipped=()
for photo in "${photos[@]}"; do
  stem=${photo##*/}
  stem=${stem%.*}
  name=${stem//[^A-Za-z0-9._-]/_}
  while cut -f1 "$out/figures.tsv" | grep -qxF -- "$name"; do name+=_; done
  depth=$(beside "$photo" depth)
  matte=$(beside "$photo" matte mask alpha)
  maps=()
  [[ $depth == - ]] || maps+=(--depth "$depth")
  [[ $matte == - ]] || maps+=(--matte "$matte")
  if ! said=$("$MOTION_STREAM" -q "$photo" "${maps[@]}" -y --dump-layers "$out/layers/$name" 2>&1) ||
    ! said=$("$judge" "$out/strips" "$name" "$photo" "$depth" "$matte" 2>&1 >"$scratch/rows"); then
    said=${said##*motion-stream: }
    skipped+=("$said")
    echo "kill-test: skipped $said" >&2
    continue
  fi
  cat "$scratch/rows" >>"$out/figures.tsv"
  echo "kill-test: judged $photo" >&2
done

# caption NAME MOVE: the figures of a strip on one line, layered before one sheet.
caption() {
  awk -F '\t' -v name="$1" -v move="$2" '
    NR == 1 { for (i = 5; i <= NF; i++) title[i] = $i; columns = NF }
    $1 == name && $2 == move { for (i = 5; i <= NF; i++) value[i] = value[i] (value[i] == "" ? "" : " / ") $i }
    END {
      line = name ", " move ":"
      for (i = 5; i <= columns; i++) line = line "   " title[i] " " value[i]
      print line
    }' "$out/figures.tsv"
}

legend='from the left: layered, one sheet; enlarged: the photo at rest, layered, one sheet'
captioned=()
{
  echo '<!doctype html><meta charset="utf-8"><title>kill test</title>'
  echo '<style>body{background:#181818;color:#ddd;font:14px sans-serif}img{max-width:100%}a{color:#9cf}'
  echo 'td,th{padding:1px 10px;text-align:right}</style>'
  echo "<h1>Kill test</h1><p>Each move at its farthest, $legend. Figures: layered / one sheet.</p>"
  while IFS=$'\t' read -r name move; do
    line=$(caption "$name" "$move")
    echo "<p><a href=\"layers/$name/\">$name</a>${line#"$name"}<br><img src=\"strips/$name-$move.png\"></p>"
    printf '%s' "$line" >"$scratch/caption"
    number=${#captioned[@]}
    ffmpeg -nostdin -v error -y -i "$out/strips/$name-$move.png" -vf \
      "pad=iw:ih+26:0:26:color=0x181818,drawtext=font=Sans:fontsize=17:fontcolor=white:x=8:y=8:expansion=none:textfile=$scratch/caption" \
      "$scratch/$number.png"
    captioned+=("$scratch/$number.png")
  done < <(tail -n +2 "$out/figures.tsv" | cut -f1,2 | uniq)
  for line in "${skipped[@]}"; do
    line=${line//&/&amp;}
    echo "<p>skipped: ${line//</&lt;}</p>"
  done
  echo '<table>'
  sed 's/\t/<td>/g; s/^/<tr><td>/' "$out/figures.tsv"
  echo '</table>'
} >"$out/index.html"

((${#captioned[@]} > 0)) || die "nothing could be judged"
inputs=()
for picture in "${captioned[@]}"; do inputs+=(-i "$picture"); done
printf '%s' "$legend; figures: layered / one sheet" >"$scratch/caption"
stack=null
((${#captioned[@]} == 1)) || stack="vstack=${#captioned[@]}"
ffmpeg -nostdin -v error -y "${inputs[@]}" -filter_complex \
  "$stack,pad=iw:ih+30:0:30:color=0x181818,drawtext=font=Sans:fontsize=20:fontcolor=white:x=8:y=8:expansion=none:textfile=$scratch/caption" \
  "$out/page.png"
echo "$out/index.html, $out/page.png, $out/figures.tsv"
