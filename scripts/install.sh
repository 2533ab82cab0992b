#!/usr/bin/env bash
# Builds motion-stream, with Swift's own libraries inside, and its worker, and installs them with the
# manual page and completions.
#
#   scripts/install.sh [--prefix FOLDER] [--uninstall]
#
# The prefix is /usr/local for root and ~/.local for anybody else. DESTDIR, for packages, stands
# before it. A second run replaces the first; --uninstall removes what a run installs.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die() {
  echo "install: $*" >&2
  exit 1
}

prefix=/usr/local
((EUID == 0)) || prefix=${HOME:?}/.local
uninstall=false
while (($# > 0)); do
  case $1 in
    --prefix)
      (($# > 1)) || die "--prefix wants a folder"
      prefix=$2
      shift
      ;;
    --prefix=*) prefix=${1#*=} ;;
    --uninstall) uninstall=true ;;
    --help | -h)
      sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
      exit
      ;;
    *) die "there is no option $1: give --prefix FOLDER or --uninstall" ;;
  esac
  shift
done
[[ $prefix == /* ]] || prefix=$PWD/$prefix
base=${DESTDIR-}$prefix

# file | permissions | the arguments that print it; none for a program itself. The worker is no command
# for users, so that it does not stand in PATH.
files='
bin/motion-stream                                | 755 |
libexec/motion-stream/motion-estimate            | 755 |
share/man/man1/motion-stream.1                   | 644 | --print-man
share/bash-completion/completions/motion-stream  | 644 | --print-completion bash
share/zsh/site-functions/_motion-stream          | 644 | --print-completion zsh
'

if $uninstall; then
  removed=0
  while IFS='|' read -r file _; do
    file=${file// /}
    [[ -n $file && -e $base/$file ]] || continue
    rm -f -- "$base/$file" || die "$base/$file cannot be removed: run this as its owner"
    echo "removed $base/$file"
    removed=$((removed + 1))
  done <<<"$files"
  rmdir -- "$base/libexec/motion-stream" 2>/dev/null || true
  ((removed > 0)) || die "nothing of motion-stream is in $base: give the --prefix of its installation"
  exit
fi

mkdir -p "$base" 2>/dev/null && [[ -w $base ]] ||
  die "$base cannot be written: give another --prefix, or run this as its owner"

"$root/scripts/setup.sh"
# A build of its own: linked otherwise than the one developers use.
options=(-c release --static-swift-stdlib --package-path "$root" --scratch-path "$root/.build/install")
log=$(mktemp)
new=()
trap 'rm -f "$log" ${new[@]+"${new[@]}"}' EXIT
echo "install: building; the first time takes some minutes" >&2
for program in motion-stream motion-estimate; do
  swift build "${options[@]}" --product "$program" >"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    die "the build failed"
  }
done
programs=$(swift build "${options[@]}" --show-bin-path)
built=$programs/motion-stream
if command -v ldd >/dev/null && [[ $(ldd "$built") == *[sS]wift* ]]; then
  die "the program would need Swift's libraries: is a static standard library installed with swift?"
fi

# Everything is written beside its place first, and then takes it at once.
while IFS='|' read -r file mode arguments; do
  file=${file// /}
  [[ -n $file ]] || continue
  mkdir -p "$base/${file%/*}"
  next=$base/${file%/*}/.${file##*/}.new
  new+=("$next")
  if [[ -z ${arguments// /} ]]; then
    cp -- "$programs/${file##*/}" "$next"
    command -v strip >/dev/null && strip "$next"
  else
    # shellcheck disable=SC2086
    "$built" $arguments >"$next"
  fi
  chmod "${mode// /}" "$next"
done <<<"$files"
while IFS='|' read -r file _; do
  file=${file// /}
  [[ -n $file ]] || continue
  mv -f -- "$base/${file%/*}/.${file##*/}.new" "$base/$file"
  echo "$base/$file ($(($(wc -c <"$base/$file") / 1024)) KiB)"
done <<<"$files"

case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "install: $prefix/bin is not in PATH: add it to be able to say motion-stream" >&2 ;;
esac
