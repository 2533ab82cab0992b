#!/usr/bin/env bash
# Installs the Debian packages that are missing. Silent when none is.
#
#   scripts/setup.sh        what building and the demo need
#   scripts/setup.sh test   and what the tests need
set -euo pipefail

# package | for | how to see that it is there | why
packages='
pkg-config                 | use  | program pkg-config    | tells the build where the libraries are
libavcodec-dev             | use  | library libavcodec    | decodes photographs, encodes video
libavutil-dev              | use  | library libavutil     | what the two above share
libavformat-dev            | use  | library libavformat   | writes and reads encoded films
libpng-dev                 | use  | library libpng        | reads PNG with its alpha and 16 bits
libtiff-dev                | use  | library libtiff-4     | reads TIFF, float samples included
libxml2-dev                | use  | library libxml-2.0    | reads XMP, in which cameras keep depth
liblcms2-dev               | use  | library lcms2         | converts photographs by their colour profiles
libheif-dev                | use  | library libheif       | reads HEIC and AVIF, with their depth
libyuv-dev                 | use  | header libyuv.h       | scales and shuffles planes
libopencv-dnn-dev          | use  | header opencv4/opencv2/dnn.hpp | runs the models that find subjects and guess depth
libopencv-imgproc-dev      | use  | header opencv4/opencv2/imgproc.hpp | finds edges by colours
ffmpeg                     | use  | program ffmpeg        | the demo encodes with it, ffprobe checks
python3-jsonschema         | test | module jsonschema     | checks the frame index against its schema
mpv                        | test | program mpv           | a consumer of the examples
x264                       | test | program x264          | a consumer of the examples
svt-av1                    | test | program SvtAv1EncApp  | a consumer of the streams
rav1e                      | test | program rav1e         | a consumer of the streams
zsh                        | test | program zsh           | is completed in
man-db                     | test | program man           | sets the manual page
groff-base                 | test | program groff         | warns of mistakes in it
mandoc                     | test | program mandoc        | is another reader of it
gstreamer1.0-tools         | test | program gst-launch-1.0 | a consumer of the examples
gstreamer1.0-plugins-base  | test | element rawvideoparse | reads raw frames
gstreamer1.0-plugins-good  | test | element webmmux       | writes the WebM of the examples
gstreamer1.0-plugins-bad   | test | element y4mdec        | reads Y4M (in 1.22 it is one of the bad)
jq                         | test | program jq            | reads the frame index in the documents
parallel                   | test | program parallel      | splits a job in the recipes
webp                       | test | program webpinfo      | counts the frames of an animation
binutils                   | test | program objdump       | looks for instructions where none may be
qemu-user                  | test | program qemu-x86_64   | is a processor without AVX2
fonts-dejavu-core          | test | font DejaVuSans.ttf   | captions the pages of the kill test
'

die() {
  echo "setup: $*" >&2
  exit 1
}

is_there() {
  local kind=$1 name=$2 folder
  case $kind in
    program) command -v "$name" >/dev/null ;;
    library) pkg-config --exists "$name" 2>/dev/null ;;
    font) find /usr/share/fonts /usr/local/share/fonts -name "$name" 2>/dev/null | grep -q . ;;
    module) python3 -c "import $name" 2>/dev/null ;;
    element) gst-inspect-1.0 --exists "$name" 2>/dev/null ;;
    header)
      for folder in /usr/include /usr/local/include /opt/homebrew/include; do
        [[ -e $folder/$name ]] && return
      done
      return 1
      ;;
  esac
}

case ${1-} in
  '') purpose='use' ;;
  test) purpose='test' ;;
  *) die "usage: scripts/setup.sh [test]" ;;
esac

missing=()
while IFS='|' read -r package use check _; do
  [[ -n ${package// /} ]] || continue
  [[ ${use// /} == use || $purpose == test ]] || continue
  read -r kind name <<<"$check"
  is_there "$kind" "$name" || missing+=("${package// /}")
done <<<"$packages"

if ((${#missing[@]} > 0)); then
  if ! command -v apt-get >/dev/null; then
    [[ $(uname) == Darwin ]] &&
      die "missing ${missing[*]}; brew install pkgconf ffmpeg libpng libtiff libxml2 libheif little-cms2 opencv libyuv mpv x264 gstreamer"
    die "missing, by their Debian names: ${missing[*]}; no apt-get here to install them with"
  fi
  as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "run as root, or: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}" >&2
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    die "apt-get could not install ${missing[*]}"
  fi
fi

command -v swift >/dev/null ||
  die "no swift in PATH: install Swift 6.3 or newer from https://www.swift.org/install"
