#!/usr/bin/env bash
# The main job on a shipped example: a correct kernel is proved; its twin with a
# planted bug is refuted, and a run of it shows the bug again.
. "$(dirname "$0")/common.sh"

# The examples: a tree reduction, and the same off by one.
GOOD=kernels/reduction/sequential.cu
BAD=kernels/reduction/sequential-bug.cu
LAUNCH=(--block-dim=64 --grid-dim=2)
INPUT=(--fill in=random:7)

# Another program can be shown instead; then none is built.
DUET=${DUET:-}

# show COMMAND...: print it as a user would type it, then run it.
show() {
    printf '\n$ %s\n' "${*/#$DUET/duet}"
    "$@"
}

# show_failing CODE COMMAND...: the same for a command that must find a defect and
# says so by this exit code.
show_failing() {
    local wanted=$1 code=0
    shift
    show "$@" || code=$?
    [ $code = "$wanted" ] || fail "the planted bug was not found (exit code $code)"
}

if [ -z "$DUET" ]; then
    DUET=target/release/duet
    say "building (release)"
    cargo build --release --locked --quiet -p duet
fi

show cat "$GOOD"
show $DUET check "$GOOD" "${LAUNCH[@]}"
show_failing 1 $DUET check "$BAD" "${LAUNCH[@]}"
show_failing 1 $DUET run "$BAD" "${LAUNCH[@]}" "${INPUT[@]}"
echo
say "done: the first kernel is proved; the second is refuted, and a run shows its bug again"
