#!/usr/bin/env bash
# Writes the wheel (`pip install`) into target/package, and tries it in a fresh environment.
#
#   OUT=FOLDER            where to; target/package if not set
#   DUET_PROGRAM=FILE     the program to pack; one is built if not set
#
# The wheel holds bin/duet and lib/duet/libduet_layer.so; z3 comes from its own wheel, on which
# it depends. clang is the system's.
. "$(dirname "$0")/common.sh"

OUT="${OUT:-target/package}"
TARGET="${CARGO_TARGET_DIR:-target}"
TOOLS=.duet/maturin

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

wanted="$(sed -n 's/^maturin==\([0-9.]*\).*/\1/p' scripts/maturin-requirements.txt)"
if [ "$(cat "$TOOLS/VERSION" 2>/dev/null)" != "$wanted" ]; then
    say "fetching maturin $wanted into $TOOLS"
    rm -rf "$TOOLS"
    python3 -m venv "$TOOLS"
    "$TOOLS/bin/pip" install --quiet --disable-pip-version-check --require-hashes \
        -r scripts/maturin-requirements.txt || fail "could not fetch maturin $wanted"
    echo "$wanted" >"$TOOLS/VERSION"
fi

z3="$(sed -n 's/^z3-solver==\([0-9.]*\).*/\1/p' scripts/z3-requirements.txt)"
grep -q "z3-solver==$z3\"" pyproject.toml || fail "pyproject.toml asks for another z3 than $z3"

# The library first: the build of the program brings it along.
if [ -n "${DUET_PROGRAM:-}" ]; then
    library="$(dirname "$DUET_PROGRAM")/deps/libduet_layer.so"
    strip --strip-debug -o "$work/duet" "$DUET_PROGRAM"
    # maturin takes the program from cargo, and this one says that it is there.
    DUET_CARGO="$(command -v cargo)"
    DUET_PROGRAM="$work/duet"
    export DUET_CARGO DUET_PROGRAM CARGO="$PWD/scripts/prebuilt-cargo.sh"
else
    library="$TARGET/release/deps/libduet_layer.so"
    cargo build --release --locked -p duet
fi
mkdir -p "$OUT" target/wheel.data/data/lib/duet
install -m 644 "$library" target/wheel.data/data/lib/duet/
strip --strip-debug target/wheel.data/data/lib/duet/libduet_layer.so

say "building the wheel"
# The C++ library is the system's, so the wheel is for this system and those like it.
"$TOOLS/bin/maturin" build --release --compatibility linux --auditwheel skip \
    --out "$work/dist" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "maturin failed"; }
wheel="$(ls "$work"/dist/*.whl)"

say "trying the wheel"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel"
cat >"$work/good.cu" <<'END'
__global__ void scatter(unsigned *a) {
  a[blockIdx.x * 64 + ((threadIdx.x * 5 + 3) ^ threadIdx.x * 8) % 64] = threadIdx.x;
}
END
echo '__global__ void clash(unsigned *a) { a[0] = threadIdx.x; }' >"$work/bad.cu"
try() { env -i HOME="$work" PATH=/usr/local/bin:/usr/bin:/bin "$work/venv/bin/duet" "$@"; }
try doctor >"$work/log" || { cat "$work/log" >&2; fail "duet doctor of the wheel complains"; }
grep -q "$work/venv/bin/z3" "$work/log" || { cat "$work/log" >&2; fail "the wheel's z3 is not used"; }
try check "$work/good.cu" --block-dim=64 --grid-dim=2 >/dev/null || fail "the wheel proves nothing"
code=0
try check "$work/bad.cu" >/dev/null 2>&1 || code=$?
[ "$code" = 1 ] || fail "the wheel does not refute a race (exit code $code)"
# It runs the program with the layer, and complains that `true` launches nothing.
code=0
try intercept --out "$work/trace" -- true >/dev/null 2>&1 || code=$?
[ "$code" = 2 ] || fail "the wheel's layer is not found (exit code $code)"
mv "$wheel" "$OUT/"
say "written: $OUT/$(basename "$wheel")"
