//xfail:UNPROVEN
//
//race

// As by-pointer.cu, but the launch that is not followed has twice as many threads: they write
// the elements of the next block. No run may be said to be the program's, and no proof.
#include <cuda_runtime.h>

__global__ void number(int *out) { out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; }

__global__ void square(int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = out[i] * out[i];
}

int main(int argc, char **argv) {
  int *out;
  cudaMalloc(&out, 1024 * sizeof(int));
  void (*kernel)(int *) = argc > 1 ? number : square;
  kernel<<<8, 128>>>(out);
}
