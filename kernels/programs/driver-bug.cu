//xfail:NOT_ALL_VERIFIED
//
//write-write-race

// Blocks of 64 threads stay apart, but the driver launches the kernel with twice as many.
#include <cuda.h>

extern "C" __global__ void number(int *out) { out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; }

int main() {
  int *out;
  cudaMalloc(&out, 1024 * sizeof(int));
  number<<<4, 64>>>(out);
  CUmodule module;
  CUfunction function;
  cuModuleLoad(&module, "number.cubin");
  cuModuleGetFunction(&function, module, "number");
  void *args[] = {&out};
  cuLaunchKernel(function, 4, 1, 1, 128, 1, 1, 0, 0, args, 0);
}
