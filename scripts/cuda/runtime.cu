// Launches of the runtime, and of graphs that are made in every way that it has. Kernels with
// `wrong` in the line that launches them must not be proved.
#include <cstdio>
#include <cuda_runtime.h>

// Not in all headers.
extern "C" cudaError_t CUDARTAPI cudaGraphExecNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                                            cudaGraphNodeParams *);

__global__ void scale(float *data, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= by;
}

__global__ void shift(int *data) {
  int i = threadIdx.x;
  data[i] = data[i + 1];
}

static void must(cudaError_t error, const char *what) {
  if (error != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(error));
}
#define MUST(call) must(call, #call)

static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, cudaGraphNodeParams *params) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddNode(node, graph, nullptr, nullptr, 0, params);
#else
  return cudaGraphAddNode(node, graph, nullptr, 0, params);
#endif
}

static void launch(cudaGraph_t graph, int times, cudaStream_t stream, cudaGraphExec_t *exec) {
  MUST(cudaGraphInstantiate(exec, graph, 0));
  for (int k = 0; k < times; k++) MUST(cudaGraphLaunch(*exec, stream));
}

int main() {
  float *a;
  int *b;
  MUST(cudaMalloc(&a, 1000 * sizeof(float)));
  MUST(cudaMalloc(&b, 65 * sizeof(int)));
  for (int k = 0; k < 100; k++) scale<<<4, 256>>>(a, 2.0f, 1000);
  shift<<<1, 64>>>(b); // wrong: a race

  cudaStream_t stream;
  cudaGraph_t captured, made;
  cudaGraphExec_t exec;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  scale<<<5, 200, 0, stream>>>(a, 2.0f, 1000);
  shift<<<1, 32, 0, stream>>>(b); // wrong, captured
  MUST(cudaStreamEndCapture(stream, &captured));
  launch(captured, 3, stream, &exec);

  int n = 1000;
  float by = 3.0f;
  void *args[] = {&a, &by, &n}, *one[] = {&b};
  MUST(cudaGraphCreate(&made, 0));
  cudaGraphNode_t first, second, third;
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)scale, kernel.gridDim = dim3(10), kernel.blockDim = dim3(100);
  kernel.kernelParams = args;
  MUST(cudaGraphAddKernelNode(&first, made, nullptr, 0, &kernel));
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeKernel;
  any.kernel.func = (void *)shift;
  any.kernel.gridDim.x = any.kernel.gridDim.y = any.kernel.gridDim.z = 1;
  any.kernel.blockDim.x = 16, any.kernel.blockDim.y = any.kernel.blockDim.z = 1;
  any.kernel.kernelParams = one;
  MUST(add(&second, made, &any)); // wrong, a node of any kind
  cudaGraphNodeParams zero = {};
  zero.type = cudaGraphNodeTypeMemset;
  zero.memset.dst = a, zero.memset.elementSize = 4, zero.memset.width = 10, zero.memset.height = 1;
  MUST(add(&third, made, &zero)); // no kernel
  n = 900;
  kernel.gridDim = dim3(9);
  MUST(cudaGraphKernelNodeSetParams(first, &kernel));
  launch(made, 2, stream, &exec);
  n = 800;
  kernel.gridDim = dim3(8);
  MUST(cudaGraphExecKernelNodeSetParams(exec, first, &kernel));
  any.kernel.blockDim.x = 8;
  MUST(cudaGraphExecNodeSetParams(exec, second, &any)); // wrong, changed
  MUST(cudaGraphLaunch(exec, stream));
  n = 1001;
  kernel.gridDim = dim3(11);
  MUST(cudaGraphExecKernelNodeSetParams(exec, first, &kernel)); // wrong, past the end, not launched

  cudaError_t error = cudaDeviceSynchronize();
  std::printf("the program says: %s\n", cudaGetErrorString(error));
  cudaFree(a);
  cudaFree(b);
  return error != cudaSuccess;
}
