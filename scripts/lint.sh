#!/usr/bin/env bash
# Formatting and lints, every warning an error.
. "$(dirname "$0")/common.sh"

if cargo fmt --version >/dev/null 2>&1; then
    say "checking the formatting"
    cargo fmt --all --check || fail "some files are not formatted; run make fmt"
else
    say "rustfmt is not installed: the formatting is NOT checked"
fi

if cargo clippy --version >/dev/null 2>&1; then
    say "checking the lints"
    cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
else
    say "clippy is not installed: the lints are NOT checked"
fi
