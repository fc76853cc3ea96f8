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

# pinned_rust: the version that rust-toolchain.toml asks for.
pinned_rust() { sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml; }

# rustup knows a toolchain by its name. Where the wanted version is only installed as
# "stable", and perhaps nothing can be fetched, that one will do.
use_installed_rust() {
    local wanted
    wanted="$(pinned_rust)"
    [ -z "${RUSTUP_TOOLCHAIN:-}" ] && have rustup || return 0
    rustup which --toolchain "$wanted" rustc >/dev/null 2>&1 && return
    case "$(RUSTUP_TOOLCHAIN=stable rustc --version 2>/dev/null)" in
    "rustc $wanted "*) export RUSTUP_TOOLCHAIN=stable ;;
    esac
}
use_installed_rust
