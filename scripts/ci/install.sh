#!/usr/bin/env bash
# Installs Duet on a machine of CI, unless it is there: clang and LLVM 19 by the system, then
# the wheel with the program and z3, or the program from this repository's source.
#
#   VERSION=X.Y.Z     the version of the wheel; without it the source is built
set -euo pipefail

have() { command -v "$1" >/dev/null; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

have duet && exit 0
have clang-19 || as_root apt-get install -y -q --no-install-recommends clang-19
if [ -n "${VERSION:-}" ]; then
    python3 -m pip install --user "duet-verifier==$VERSION"
    programs="$(python3 -m site --user-base)/bin"
else
    make -C "$(dirname "$0")/../.." install PREFIX="$HOME/.local"
    programs="$HOME/.local/bin"
fi
[ -z "${GITHUB_PATH:-}" ] || echo "$programs" >>"$GITHUB_PATH"
