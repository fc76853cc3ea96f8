#!/usr/bin/env bash
# Builds a small CUDA program with nvcc through `duet cc`, runs it under `duet intercept` on
# this machine's GPU, and prints what was recorded and said. It needs nvcc, a GPU, and the
# program and library of `cargo build --release` (or an installation on the path).
#
#   scripts/cuda-intercept.sh [DUET] [LIBRARY]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
duet=${1:-$here/target/release/duet}
[ -x "$duet" ] || duet=$(command -v duet)
if [ -n "${2:-}" ]; then export DUET_LAYER=$2; fi
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > program.cu <<'CUDA'
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(float *data, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= by;
}

__global__ void shift(int *data) {
  int i = threadIdx.x;
  data[i] = data[i + 1];
}

int main() {
  float *a;
  int *b;
  cudaMalloc(&a, 1000 * sizeof(float));
  cudaMalloc(&b, 65 * sizeof(int));
  for (int k = 0; k < 100; k++) scale<<<4, 256>>>(a, 2.0f, 1000);
  shift<<<1, 64>>>(b);
  cudaError_t error = cudaDeviceSynchronize();
  std::printf("the program says: %s\n", cudaGetErrorString(error));
  cudaFree(a);
  cudaFree(b);
  return error != cudaSuccess;
}
CUDA

echo "== $("$nvcc" --version | tail -n 2 | head -n 1)"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
echo "== duet cc nvcc -g -c program.cu, then linked"
"$duet" cc "$nvcc" -g -c program.cu -o program.o
"$nvcc" --cudart=shared -g program.o -o program
ls program.o.duet.cu program.o.duet.kernels
cat program.o.duet.kernels
echo "== which functions launch"
nm -D --undefined-only program | grep -i -E "launch|register|malloc" || true
echo "== duet intercept -- ./program"
code=0
"$duet" intercept --out trace -- ./program || code=$?
echo "== exit code $code (the second kernel has a race: not 0 is right)"
du -sh trace
