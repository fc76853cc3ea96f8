// Launches in the ways that the runtime has: right ones, one with overlapping arrays, one
// past the end, and one that the runtime refuses.
#include <cuda_runtime.h>
#include "scale.h"

__global__ void shift(int *to, const int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i + 1];
}

extern "C" int printf(const char *, ...);
extern "C" int standin_launches(void);

int main() {
  float *data;
  int *one, *two;
  cudaMalloc((void **)&data, 1000 * sizeof(float));
  cudaMalloc((void **)&one, 257 * sizeof(int));
  cudaMallocManaged((void **)&two, 256 * sizeof(int), 1);
  for (int k = 0; k < 10; k++)
    scale<<<4, 256>>>(data, 2.0f, 1000);
  scale<<<4, 256>>>(data, 2.0f, 1001);
  shift<<<2, 128>>>(two, one);
  shift<<<2, 128>>>(one, one);
  scale<<<1, 2048>>>(data, 2.0f, 1000);
  int n = 512;
  float by = 3.0f;
  void *args[] = {&data, &by, &n};
  cudaLaunchConfig_t config = {dim3(2), dim3(256), 0, 0, 0, 0};
  cudaLaunchKernelExC(&config, (const void *)scale, args);
  cudaKernelNodeParams node = {(void *)scale, dim3(2), dim3(128), 0, args, 0};
  cudaGraphNode_t made;
  cudaGraphAddKernelNode(&made, 0, 0, 0, &node);
  printf("%d launches\n", standin_launches());
  cudaFree(data);
}
