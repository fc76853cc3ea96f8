#!/usr/bin/env bash
# Every test of the workspace. The runner's closing line comes last. Arguments
# go to the test runner: scripts/test.sh -p duet-ir
. "$(dirname "$0")/common.sh"

# Examples in the documentation first: cargo-nextest does not run them.
say "running the documentation's examples"
cargo test --workspace --doc --locked --quiet

if cargo nextest --version >/dev/null 2>&1; then
    say "running the tests (cargo-nextest)"
    cargo nextest run --workspace --locked "$@"
else
    say "running the tests (cargo test)"
    cargo test --workspace --lib --bins --tests --locked --no-fail-fast "$@"
fi
