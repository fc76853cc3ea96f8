//xfail:UNPROVEN
//
//race

// The kernel is launched by a pointer that is not followed. A run that makes up a launch, with
// blocks of more than 64 threads, shows nothing about this program.
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
  kernel<<<16, 64>>>(out);
}
