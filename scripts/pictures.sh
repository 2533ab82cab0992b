#!/usr/bin/env bash
# Draws the pictures of the README again, with the tool itself.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
swift build -c release --product motion-stream >/dev/null
tool=$(swift build -c release --show-bin-path)/motion-stream
out=docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# frame NAME FRAME OPTIONS…: one frame of the still life as a PNG.
frame() {
  local name=$1 start=$2
  shift 2
  "$tool" -q --start "$start" --frames 1 "$@" |
    ffmpeg -v error -y -colorspace bt709 -i - "$work/$name.png"
}

# The three moves at their farthest, beside the photo.
frame photo 0 --amount 0
frame push 60 --move push
frame sway 30 --move sway
frame vertigo 60 --move vertigo
ffmpeg -v error -y -i "$work/photo.png" -i "$work/push.png" -i "$work/sway.png" \
  -i "$work/vertigo.png" -filter_complex \
  "[0]scale=640:-1:flags=area[a];[1]scale=640:-1:flags=area[b];[2]scale=640:-1:flags=area[c];
   [3]scale=640:-1:flags=area[d];[a][b]hstack[x];[c][d]hstack[y];[x][y]vstack" \
  -q:v 4 "$out/moves.jpg"

# Layered beside one sheet: the same edge, enlarged.
frame sheet 60 --move vertigo --method one-sheet
crop="crop=240:180:450:250,scale=720:-1:flags=neighbor"
ffmpeg -v error -y -i "$work/vertigo.png" -i "$work/sheet.png" \
  -filter_complex "[0]$crop[a];[1]$crop[b];[a][b]hstack" -q:v 3 "$out/layered-one-sheet.jpg"

# The fast renderer beside the reference, at an edge of strands, eight times as large.
rows=()
for move in push sway vertigo; do
  at=60
  [[ $move == sway ]] && at=30
  frame "reference-$move" $at --move $move --renderer reference
  rows+=(-i "$work/$move.png" -i "$work/reference-$move.png")
done
eight="crop=72:40:520:330,scale=576:-1:flags=neighbor"
ffmpeg -v error -y "${rows[@]}" -filter_complex \
  "[0]$eight[a];[1]$eight[b];[2]$eight[c];[3]$eight[d];[4]$eight[e];[5]$eight[f];
   [a][b]hstack[x];[c][d]hstack[y];[e][f]hstack[z];[x][y][z]vstack=3" \
  -q:v 3 "$out/fast-reference.jpg"

# One loop of each move, to be seen moving.
for move in push sway vertigo; do
  "$tool" -q --move "$move" --size 480x270 --fps 15 --length 3 |
    ffmpeg -v error -y -i - -c:v libwebp -loop 0 -q:v 55 "$out/$move.webp"
done
ls -l "$out"
