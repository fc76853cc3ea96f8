//pass
//

// The driver launches kernels by their names, so how is not known. This one needs no more.
#include <cuda.h>

extern "C" __global__ void number(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

int main() {
  int *out;
  cudaMalloc(&out, 1024 * sizeof(int));
  number<<<4, 256>>>(out);
  CUmodule module;
  CUfunction function;
  cuModuleLoad(&module, "number.cubin");
  cuModuleGetFunction(&function, module, "number");
  void *args[] = {&out};
  cuLaunchKernel(function, 4, 1, 1, 128, 1, 1, 0, 0, args, 0);
}
