#!/usr/bin/env bash
# Writes packages of Duet: a tarball that may be unpacked anywhere, and a .deb.
#
#   OUT=FOLDER            where to; target/package if not set
#   DUET_PROGRAM=FILE     the program to pack; target/release/duet if not set
#
# Both hold what scripts/install.sh installs. The solvers and LLVM are inside; clang is Debian's.
. "$(dirname "$0")/common.sh"

OUT="${OUT:-target/package}"
have dpkg-deb || fail "dpkg-deb is missing; install dpkg"
have gzip || fail "gzip is missing; install gzip"

version="$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)"
[ -n "$version" ] || fail "Cargo.toml names no version"
name="duet-$version-linux-$(uname -m)"
deb="duet_${version}_$(dpkg --print-architecture).deb"

mkdir -p "$OUT"
work="$(mktemp -d "$OUT/work.XXXXXX")"
trap 'rm -rf "$work"' EXIT

# stage FOLDER PREFIX: an installation below FOLDER.
stage() { DESTDIR="$1" PREFIX="$2" scripts/install.sh >/dev/null; }

# The libraries that the C library's own packages bring are dependencies of LLVM's.
control() {
    cat <<END
Package: duet
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The Duet developers <duet@localhost>
Depends: clang-19, libffi8, libstdc++6, libzstd1, zlib1g
Section: devel
Priority: optional
Installed-Size: $(du -sk "$work/deb/usr" | cut -f1)
Description: verifier for GPU kernels
 Duet proves that CUDA and OpenCL kernels are free of data races, barrier
 divergence, failed assertions and accesses out of bounds, for every thread and
 every launch size, or shows a run that fails. It needs no GPU and no SDK.
END
}

copyright() {
    echo "Duet is licensed under MIT or Apache-2.0, at your choice; see LICENSE-MIT and"
    echo "LICENSE-APACHE beside this file. z3 (lib/duet/z3) and Bitwuzla (lib/duet/bitwuzla)"
    echo "are programs of their own, by their authors, under the MIT licence."
    echo
    cat LICENSE-MIT
}

say "packing $name.tar.gz"
stage "$work" "/$name"
tar -C "$work" --owner=0 --group=0 --sort=name -czf "$work/$name.tar.gz" "$name"
mv "$work/$name.tar.gz" "$OUT/"

say "packing $deb"
mkdir -p "$work/deb/DEBIAN"
chmod 755 "$work/deb"
mkdir "$work/deb/usr"
cp -al "$work/$name/." "$work/deb/usr/"
copyright >"$work/deb/usr/share/doc/duet/copyright"
page="$work/deb/usr/share/man/man1/duet.1"
gzip -9n <"$page" >"$page.gz"
rm "$page"
control >"$work/deb/DEBIAN/control"
dpkg-deb --build --root-owner-group -Zgzip "$work/deb" "$OUT/$deb" >/dev/null
say "written: $OUT/$name.tar.gz and $OUT/$deb"
