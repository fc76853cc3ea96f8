#!/usr/bin/env bash
# Installs what Duet needs and this machine lacks. Running it again is harmless
# and quick. Root is used only for system packages that are missing.
. "$(dirname "$0")/common.sh"

# The prefix of the LLVM that the front end links to and whose clang it runs.
LLVM_PREFIX="${LLVM_SYS_191_PREFIX:-/usr/lib/llvm-19}"

# The folder that holds the z3 program, its library and its headers.
Z3_DIR=.duet/z3

# any_file PATTERN: does a file match?
any_file() { compgen -G "$1" >/dev/null; }

# missing_packages: the Debian packages whose files are not here, one a line.
# Each is looked for by what it brings, so that other ways to install it count.
missing_packages() {
    have cc || printf '%s\n' gcc libc6-dev
    have clang-19 || [ -x "$LLVM_PREFIX/bin/clang" ] || echo clang-19
    # The host half of a whole .cu program includes the C++ library.
    any_file '/usr/include/c++/*/vector' || echo libstdc++-12-dev
    [ -f "$LLVM_PREFIX/include/llvm-c/Core.h" ] && any_file "$LLVM_PREFIX/lib/libLLVM*.so*" ||
        echo llvm-19-dev
    # The program contains LLVM's archives, which call these two.
    any_file '/usr/lib/*/libz.so' || echo zlib1g-dev
    any_file '/usr/lib/*/libzstd.so' || echo libzstd-dev
    have cvc5 || echo cvc5
    # An OpenCL implementation for the CPU: tests compare the interpreter with it.
    any_file '/etc/OpenCL/vendors/pocl*.icd' || echo pocl-opencl-icd
    # `duet cache` talks to stores by it.
    have curl || echo curl
    # CMake and CTest: tests of the helper for builds.
    have cmake || echo cmake
    # A browser, and what moves it: tests use the page of the server and the HTML report.
    have chromium || echo chromium
    have chromedriver || echo chromium-driver
    # A Slurm of one node: a test runs an array job on it. Its daemons are where root looks.
    (PATH="$PATH:/usr/sbin" && have slurmctld && have slurmd && have sbatch) || echo slurm-wlm
    (PATH="$PATH:/usr/sbin" && have munged) || echo munge
    [ -f /usr/include/CL/cl.h ] && any_file '/usr/lib/*/libOpenCL.so' || echo ocl-icd-opencl-dev
}

install_packages() {
    local packages
    mapfile -t packages < <(missing_packages)
    [ "${#packages[@]}" = 0 ] && return
    have apt-get || fail "missing: ${packages[*]} (names of Debian packages); install them and try again"
    [ "$(id -u)" = 0 ] || have sudo ||
        fail "as root, run: apt-get install ${packages[*]}; then try again"
    say "installing the packages ${packages[*]}"
    apt_install "${packages[@]}"
    mapfile -t packages < <(missing_packages)
    [ "${#packages[@]}" = 0 ] || fail "still missing after the installation: ${packages[*]}"
}

# apt_install PACKAGE...: with the package lists as they are if that works, else
# after an update.
apt_install() {
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@")
    local log
    log="$(mktemp)"
    if ! as_root "${install[@]}" >"$log" 2>&1; then
        say "updating the package lists"
        as_root apt-get update -q >"$log" 2>&1 &&
            as_root "${install[@]}" >"$log" 2>&1 ||
            { cat "$log" >&2; rm -f "$log"; fail "could not install: $*"; }
    fi
    rm -f "$log"
}

# The wanted version, as written in the requirements file.
z3_version() { sed -n 's/^z3-solver==\([0-9.]*\).*/\1/p' scripts/z3-requirements.txt; }

# Unpacks the z3 program, library and headers from their Python wheel. The wheel
# is checked against the hashes in the requirements file, and the folder appears
# in one step, so that an interrupted set-up leaves nothing half done.
install_z3() {
    local want work
    want="$(z3_version)"
    [ "$(cat "$Z3_DIR/VERSION" 2>/dev/null)" = "$want" ] && return
    have python3 || fail "python3 is missing; install python3 and python3-pip"
    python3 -m pip --version >/dev/null 2>&1 || fail "pip is missing; install python3-pip"
    say "fetching z3 $want into $Z3_DIR"
    mkdir -p .duet
    work="$(mktemp -d .duet/z3.XXXXXX)"
    # shellcheck disable=SC2064 -- expanded now on purpose: the name is local.
    trap "rm -rf '$work'" EXIT
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
        --only-binary=:all: -d "$work" -r scripts/z3-requirements.txt ||
        fail "could not fetch z3 $want"
    python3 scripts/unpack_z3.py "$work"/*.whl "$work/z3"
    "$work/z3/bin/z3" --version >/dev/null || fail "the fetched z3 program does not run"
    echo "$want" >"$work/z3/VERSION"
    rm -rf "$Z3_DIR"
    mv "$work/z3" "$Z3_DIR"
}

# A third solver, for comparison only: Duet does without it. Its Python module is
# unpacked beside a script that makes a program of it.
install_bitwuzla() {
    local want folder=.duet/bitwuzla work
    want="$(sed -n 's/^bitwuzla==\([0-9.]*\).*/\1/p' scripts/bitwuzla-requirements.txt)"
    [ "$(cat "$folder/VERSION" 2>/dev/null)" = "$want" ] && return
    work="$(mktemp -d .duet/bitwuzla.XXXXXX)"
    mkdir "$work/bin" "$work/lib"
    cp scripts/bitwuzla.py "$work/bin/bitwuzla"
    if python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
        --only-binary=:all: -d "$work" -r scripts/bitwuzla-requirements.txt 2>/dev/null &&
        python3 -m zipfile -e "$work"/*.whl "$work/lib" &&
        "$work/bin/bitwuzla" --version >/dev/null 2>&1; then
        rm -f "$work"/*.whl
        echo "$want" >"$work/VERSION"
        rm -rf "$folder"
        mv "$work" "$folder"
    else
        say "not available here: bitwuzla $want; comparisons of solvers do without it"
        rm -rf "$work"
    fi
}

# rustfmt and clippy are parts of Rust that a minimal installation leaves out.
install_rust_components() {
    local missing=()
    have cargo || fail "Rust is missing; install it (rustup) and try again"
    cargo --version >/dev/null 2>&1 ||
        fail "Rust $(pinned_rust) is missing; run: rustup toolchain install $(pinned_rust)"
    have rustfmt && rustfmt --version >/dev/null 2>&1 || missing+=(rustfmt)
    have cargo-clippy && cargo clippy --version >/dev/null 2>&1 || missing+=(clippy)
    [ "${#missing[@]}" = 0 ] && return
    have rustup && say "adding the Rust components ${missing[*]}" &&
        rustup component add "${missing[@]}" >/dev/null 2>&1 ||
        say "not available here: ${missing[*]}; make lint and make test fail without"
}

install_packages
install_rust_components
install_z3
install_bitwuzla
say "set-up complete"
