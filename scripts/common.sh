# Shared by the scripts of this folder: sourced, never run.
set -euo pipefail

# The project's root; every script works from there.
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"

# say TEXT: one line about what is being done.
say() { printf 'duet: %s\n' "$*"; }

# fail TEXT: a line about what is wrong and what to do, then the end.
fail() {
    printf 'duet: error: %s\n' "$*" >&2
    exit 1
}

# have PROGRAM: is it on the path?
have() { command -v "$1" >/dev/null 2>&1; }

# as_root COMMAND...: run it as root, with sudo where we are not.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}
