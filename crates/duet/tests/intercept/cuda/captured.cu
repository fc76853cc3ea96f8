// Kernels that are captured from a stream into a graph, which is launched three times: a right
// one, one with a race, and a change of a node that goes past the end.
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
  int *one;
  cudaMalloc((void **)&data, 1000 * sizeof(float));
  cudaMalloc((void **)&one, 257 * sizeof(int));
  cudaStream_t stream = (cudaStream_t)1;
  cudaGraph_t graph, exec;
  cudaStreamBeginCapture(stream, 0);
  scale<<<4, 256, 0, stream>>>(data, 2.0f, 1000);
  shift<<<2, 128, 0, stream>>>(one, one);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int k = 0; k < 3; k++)
    cudaGraphLaunch(exec, stream);
  int n = 1001;
  float by = 3.0f;
  void *args[] = {&data, &by, &n};
  cudaKernelNodeParams node = {(void *)scale, dim3(4), dim3(256), 0, args, 0};
  cudaGraphExecKernelNodeSetParams(exec, 0, &node);
  printf("%d launches\n", standin_launches());
}
