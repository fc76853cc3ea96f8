#!/usr/bin/env bash
# Every benchmark of the workspace, one after the other: crates/*/benches/*.rs.
# Benchmarks print what they measured; they never pass or fail.
. "$(dirname "$0")/common.sh"

cargo build --release --locked -p duet
found=no
for file in crates/*/benches/*.rs; do
    [ -e "$file" ] || continue
    found=yes
    crate="$(basename "$(dirname "$(dirname "$file")")")"
    bench="$(basename "$file" .rs)"
    say "benchmark $bench of $crate"
    cargo bench --locked --quiet -p "$crate" --bench "$bench"
done
[ $found = yes ] || say "there are no benchmarks yet"
