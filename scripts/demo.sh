#!/usr/bin/env bash
# The main job on a shipped example: a correct kernel is read and run, then its
# twin with a planted bug is run and the bug shown.
. "$(dirname "$0")/common.sh"

# The examples: a tree reduction, and the same off by one.
GOOD=kernels/reduction/sequential.cu
BAD=kernels/reduction/sequential-bug.cu
LAUNCH=(--block-dim=64 --grid-dim=2 --fill in=random:7)

DUET=target/release/duet

# show COMMAND...: print it as a user would type it, then run it.
show() {
    printf '\n$ %s\n' "${*/#$DUET/duet}"
    "$@"
}

# show_failing COMMAND...: the same for a command that must find a defect, which
# is exit code 1.
show_failing() {
    local code=0
    show "$@" || code=$?
    [ $code = 1 ] || fail "the planted bug was not found (exit code $code)"
}

say "building (release)"
cargo build --release --locked --quiet -p duet

show cat "$GOOD"
show $DUET emit --stage=ir "$GOOD"
show $DUET run "$GOOD" "${LAUNCH[@]}"
show_failing $DUET run "$BAD" "${LAUNCH[@]}"
echo
say "done: the first kernel runs cleanly, the planted bug of the second was found"
