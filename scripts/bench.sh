#!/usr/bin/env bash
# What Duet costs. Usage: bench.sh [FOLDER]
#
# First the folder as it is: verdicts, median time, memory. Then the same under
# other settings, in one run: index algebra on and off, each solver, each encoding.
# Then the benchmarks of the crates (crates/*/benches/*.rs). Nothing passes or fails.
. "$(dirname "$0")/common.sh"

FOLDER="${1:-kernels}"
DUET=target/release/duet

cargo build --release --locked -p duet
say "the kernels of $FOLDER"
$DUET bench "$FOLDER" || say "some results are not as they should be (see above)"
say "the same under other settings, 20 s for each file"
$DUET bench "$FOLDER" --study=speed --timeout=20

for file in crates/*/benches/*.rs; do
    [ -e "$file" ] || continue
    crate="$(basename "$(dirname "$(dirname "$file")")")"
    bench="$(basename "$file" .rs)"
    say "benchmark $bench of $crate"
    cargo bench --locked --quiet -p "$crate" --bench "$bench"
done
