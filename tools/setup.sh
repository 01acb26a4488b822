#!/usr/bin/env bash
# Installs the Debian packages of one section of tools/packages.txt that are missing.
#   tools/setup.sh build|test
# Does nothing, quickly and without rights, where all of them are there.
set -euo pipefail
list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"

section() { sed -n "/^\[$1\]/,/^\[/{/^[a-z]/p}" "$list"; }

case ${1:-} in
build) wanted=$(section build) ;;
test)
  wanted=$(section build; section test)
  command -v chromium >/dev/null || wanted+=$'\n'$(section chromium)
  ;;
*) sed -n '2,4p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
command -v npm >/dev/null || wanted+=$'\n'$(section npm)

missing=()
for package in $wanted; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  # A package of several architectures answers once for each.
  [[ $status == installed* ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

sudo=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing; as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  sudo=(sudo)
fi
# Installing ca-certificates writes its bundle anew. Behind a proxy with a certificate of its own
# that file has been named to Node, and must stay as it was.
bundle=${NODE_EXTRA_CA_CERTS:-}
kept=$(mktemp)
trap 'rm -f "$kept"' EXIT
if [[ -s $bundle ]]; then cp "$bundle" "$kept"; fi

echo "Installing: ${missing[*]}"
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
if [[ -s $kept ]] && ! cmp -s "$kept" "$bundle"; then "${sudo[@]}" cp "$kept" "$bundle"; fi
