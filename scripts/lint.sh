#!/usr/bin/env bash
# Formatting, lints and documentation, every warning an error. A checker that is
# missing is an error too: what was not checked has not passed.
. "$(dirname "$0")/common.sh"

cargo fmt --version >/dev/null 2>&1 ||
    fail "rustfmt is not installed; run: rustup component add rustfmt"
cargo clippy --version >/dev/null 2>&1 ||
    fail "clippy is not installed; run: rustup component add clippy"

say "checking the formatting"
cargo fmt --all --check || fail "some files are not formatted; run make fmt"

say "checking the lints"
cargo clippy --workspace --all-targets --locked --quiet -- -D warnings

# Links that lead nowhere, mostly. Our readers have the sources, so private items are
# documented too, and public pages may link to them.
say "checking the documentation"
RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --workspace --no-deps --document-private-items --locked --quiet
