// Nodes of a graph that are made by parameters of any kind of node, and changed afterwards: a
// right kernel, one with a race, one that goes past the end, and a node that is no kernel.
#include <cuda_runtime.h>
#include "scale.h"

__global__ void shift(int *to, const int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i + 1];
}

extern "C" int printf(const char *, ...);
// Not in all headers.
extern "C" cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, cudaGraphNodeParams *);
extern "C" int standin_launches(void);

static void add(cudaGraphNodeParams *params) {
  cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
  cudaGraphAddNode(&node, 0, 0, 0, 0, params);
#else
  cudaGraphAddNode(&node, 0, 0, 0, params);
#endif
}

static char room[2][sizeof(cudaGraphNodeParams)];

int main() {
  float *data;
  int *one;
  cudaMalloc((void **)&data, 1000 * sizeof(float));
  cudaMalloc((void **)&one, 257 * sizeof(int));
  int n = 1000;
  float by = 2.0f;
  void *args[] = {&data, &by, &n}, *same[] = {&one, &one};
  cudaGraphNodeParams &right = *(cudaGraphNodeParams *)room[0];
  right.kernel = {(void *)scale, dim3(4), dim3(256), 0, args, 0};
  add(&right);
  cudaGraphNodeParams &racy = *(cudaGraphNodeParams *)room[1];
  racy.kernel = {(void *)shift, dim3(2), dim3(128), 0, same, 0};
  add(&racy);
  // Of a node of another kind the same bytes mean something else.
  racy.type = cudaGraphNodeTypeMemset;
  racy.kernel.kernelParams = (void **)1;
  add(&racy);
  n = 1001;
  cudaGraphKernelNodeSetParams(0, &right.kernel);
  n = 500;
  right.kernel.gridDim = dim3(2);
  cudaGraphExecNodeSetParams(0, 0, &right);
  printf("%d launches\n", standin_launches());
}
