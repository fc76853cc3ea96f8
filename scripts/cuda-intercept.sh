#!/usr/bin/env bash
# Builds two small CUDA programs (scripts/cuda) with nvcc through `duet cc`, runs them under
# `duet intercept` on this machine's GPU, and prints what was recorded and said. It needs nvcc, a
# GPU, and the program and library of `cargo build --release` (or an installation on the path).
#
#   scripts/cuda-intercept.sh [DUET] [LIBRARY]
#
# Where the machine with the GPU has no clang and no solver, in three steps:
#
#   scripts/cuda-intercept.sh --keep FOLDER      here: what `duet cc` keeps, to be copied there
#                                                to a folder of the same name
#   scripts/cuda-intercept.sh --record FOLDER TRACES     there
#   scripts/cuda-intercept.sh --check TRACES     here again
#
# DUET and DUET_LAYER name the program and the library for these.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
duet=${DUET:-$here/target/release/duet}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}

# keep FOLDER COMPILER...: the runtime's program through `duet cc`.
keep() {
    local folder=$1
    shift
    mkdir -p "$folder"
    cp "$here"/scripts/cuda/*.cu "$folder"
    (cd "$folder" && "$duet" cc "$@" -g -c runtime.cu -o runtime.o)
}

# link FOLDER: both programs.
link() {
    (cd "$1" && "$nvcc" --cudart=shared -g runtime.o -o runtime &&
        "$nvcc" --cudart=shared -g driver.cu -o driver -lnvrtc -lcuda)
}

# tell: what machine this is.
tell() {
    echo "== $("$nvcc" --version | tail -n 2 | head -n 1)"
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
}

# intercept FOLDER TRACES OPTION...: runs both programs.
intercept() {
    local folder=$1 traces=$2 program code
    shift 2
    for program in runtime driver; do
        echo "== duet intercept $* -- ./$program"
        code=0
        (cd "$folder" && "$duet" intercept "$@" --out "$traces/$program" -- "./$program") || code=$?
        echo "== exit code $code"
    done
    du -sh "$traces"
}

case "${1:-}" in
--keep)
    # A compiler that does nothing: only what is kept counts.
    keep "$2" true
    ls -l "$2"
    ;;
--record)
    tell
    # What `duet cc` passes to nvcc.
    (cd "$2" && "$nvcc" -g -c runtime.cu -o runtime.o -include runtime.o.duet.cu.h)
    link "$2"
    mkdir -p "$3"
    intercept "$2" "$(cd "$3" && pwd)" --no-check
    ;;
--check)
    for program in runtime driver; do
        echo "== duet check-trace $program"
        code=0
        "$duet" check-trace "$2/$program" || code=$?
        echo "== exit code $code (each has wrong kernels: not 0 is right)"
    done
    ;;
*)
    duet=${1:-$duet}
    [ -x "$duet" ] || duet=$(command -v duet)
    if [ -n "${2:-}" ]; then export DUET_LAYER=$2; fi
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    tell
    keep "$folder" "$nvcc"
    link "$folder"
    cat "$folder/runtime.o.duet.kernels"
    echo "== which functions launch"
    nm -D --undefined-only "$folder/runtime" | grep -i -E "launch|register|malloc|graph" || true
    intercept "$folder" "$folder/traces"
    echo "== both programs have wrong kernels: not 0 is right"
    ;;
esac
