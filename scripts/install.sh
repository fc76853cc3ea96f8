#!/usr/bin/env bash
# Installs Duet below a folder. It may be moved afterwards: everything is found
# relative to the program.
#
#   PREFIX=FOLDER         where to; ~/.local if not set
#   DESTDIR=FOLDER        put before PREFIX, for packages
#   DUET_PROGRAM=FILE     the program to install; target/release/duet if not set
#
# bin/duet                              the program, with its headers inside
# lib/duet/libduet_layer.so             the library of `duet intercept`
# lib/duet/z3, lib/duet/bitwuzla        the solvers of `make setup`
# share/man, share/bash-completion, ... the manual page and completions
. "$(dirname "$0")/common.sh"

PROGRAM="${DUET_PROGRAM:-target/release/duet}"
PREFIX="${PREFIX:-$HOME/.local}"
# Some shells leave the tilde of `make install PREFIX=~/.local` as it is.
PREFIX="${PREFIX/#\~\//$HOME/}"
TARGET="${DESTDIR:-}$PREFIX"

# put SOURCE TARGET [MODE]: one file, below the prefix.
put() { install -D -m "${3:-644}" "$1" "$TARGET/$2"; }

# make_file TARGET COMMAND...: what a command prints, as a file below the prefix.
make_file() {
    local target="$TARGET/$1" text
    shift
    text="$("$@")" || fail "$* does not work"
    mkdir -p "$(dirname "$target")"
    printf '%s\n' "$text" >"$target"
}

# The program without debug information, which is most of it. Renamed into place, so
# that a program that is running at the moment is not disturbed.
install_program() {
    local new="$TARGET/bin/.duet.new"
    mkdir -p "$TARGET/bin"
    if have strip; then
        strip --strip-debug -o "$new" "$PROGRAM"
    else
        cp "$PROGRAM" "$new"
    fi
    chmod 755 "$new"
    mv -f "$new" "$TARGET/bin/duet"
}

# Cargo puts the library beside the program or among what the program was built from.
install_layer() {
    local folder library
    folder="$(dirname "$PROGRAM")"
    for library in "$folder/deps/libduet_layer.so" "$folder/libduet_layer.so"; do
        [ -f "$library" ] || continue
        put "$library" lib/duet/libduet_layer.so
        return
    done
    fail "libduet_layer.so is not beside $PROGRAM; run make build"
}

install_solvers() {
    [ -x .duet/z3/bin/z3 ] || fail "the z3 program is missing; run make setup"
    put .duet/z3/bin/z3 lib/duet/z3/bin/z3 755
    put .duet/z3/VERSION lib/duet/z3/VERSION
    [ ! -f .duet/z3/LICENSE ] || put .duet/z3/LICENSE lib/duet/z3/LICENSE
    rm -rf "$TARGET/lib/duet/bitwuzla"
    # Bitwuzla is not available everywhere, and nothing needs it.
    [ -x .duet/bitwuzla/bin/bitwuzla ] || return 0
    cp -r .duet/bitwuzla "$TARGET/lib/duet/bitwuzla"
    find "$TARGET/lib/duet/bitwuzla" -name __pycache__ -prune -exec rm -rf {} +
    chmod -R u+rwX,go+rX,go-w "$TARGET/lib/duet/bitwuzla"
}

install_pages() {
    local duet="$TARGET/bin/duet"
    make_file share/man/man1/duet.1 "$duet" man
    make_file share/bash-completion/completions/duet "$duet" completions bash
    make_file share/zsh/site-functions/_duet "$duet" completions zsh
    make_file share/fish/vendor_completions.d/duet.fish "$duet" completions fish
    for file in README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE; do
        put "$file" "share/doc/duet/$file"
    done
}

[ -x "$PROGRAM" ] || fail "there is no program $PROGRAM; run make build"
install_program
install_layer
install_solvers
install_pages
say "installed: $TARGET/bin/duet"
case ":$PATH:" in
*":$PREFIX/bin:"*) ;;
*) [ -n "${DESTDIR:-}" ] || say "$PREFIX/bin is not on your PATH" ;;
esac
