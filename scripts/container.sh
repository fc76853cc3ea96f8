#!/usr/bin/env bash
# Builds an image of Duet from the tarball of `make package` with buildah, and tries it: the
# program's own look at its installation, a kernel that is right and one that is wrong.
#
#   OUT=FOLDER      the folder of the tarball; target/package if not set
#   IMAGE=NAME      what the image is called; duet if not set
#   BASE=TARBALL    a root file system of Debian 12, where no registry of images can be reached;
#                   `mmdebstrap --variant=minbase bookworm base.tar` makes one
#   STORE=FOLDER    keep images here, as plain folders, and not where buildah usually does
#
# As root in a sandbox that has no overlay file system or user namespaces, STORE is needed;
# commands run by chroot alone. Not part of the tests: it fetches packages from the network.
. "$(dirname "$0")/common.sh"

OUT="${OUT:-target/package}"
IMAGE="${IMAGE:-duet}"
have buildah || { say "no container is built: buildah is missing (apt install buildah)"; exit 0; }
tarball="$(ls "$OUT"/duet-*-linux-*.tar.gz 2>/dev/null | tail -n 1)"
[ -n "$tarball" ] || fail "there is no tarball in $OUT; run make package"

store=()
[ -z "${STORE:-}" ] || store=(--root "$STORE/images" --runroot "$STORE/run" --storage-driver vfs)
build() { buildah "${store[@]}" "$@"; }

work="$(mktemp -d)"
container=
trap '[ -z "$container" ] || build rm "$container" >/dev/null; rm -rf "$work"' EXIT

if [ -n "${BASE:-}" ]; then
    say "making the base image of $BASE"
    container="$(build from scratch)"
    build add "$container" "$BASE" / >/dev/null
    build commit --rm "$container" docker.io/library/debian:12-slim >/dev/null 2>&1 ||
        fail "buildah commit does not work here"
    container=
fi

say "building the image $IMAGE"
cp "$tarball" "$work/duet.tar.gz"
build bud --isolation chroot --pull=false --layers=false -t "$IMAGE" -f Containerfile.packaged "$work"

say "trying it"
cat >"$work/right.cu" <<'END'
__global__ void right(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
END
cat >"$work/wrong.cu" <<'END'
__global__ void wrong(int *a) { a[0] = threadIdx.x; }
END
chmod -R go+rX "$work"
container="$(build from --pull=false "$IMAGE")"
run() { build run --isolation chroot --volume "$work:/work" "$container" -- duet "$@"; }
run doctor
run check right.cu || fail "a right kernel is not proved in the container"
code=0
run check wrong.cu || code=$?
[ "$code" = 1 ] || fail "a wrong kernel is not refuted in the container: exit code $code"
say "built and tried: $IMAGE"
