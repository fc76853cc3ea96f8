// runs: 3 | 70
// widths: 8,4
// Kernels as nodes of a graph: sizes and arguments are those at the time when the node is
// made or changed, not those of a later run of the graph.
#include <cstdlib>

__global__ void k(float *a, int n) {}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *d;
  cudaMalloc(&d, 4 * 1024);
  cudaGraph_t graph;
  cudaGraphNode_t node;
  void *args[2] = {(void *)&d, &n};
  cudaKernelNodeParams p = {0};
  p.func = (void *)k;
  p.gridDim = dim3(n + 1, 1, 1);
  p.blockDim = dim3(64, 1, 1);
  p.sharedMemBytes = 0;
  p.kernelParams = args;
  p.extra = nullptr;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
  n = 2 * n;
  p.blockDim.x = 32;
  cudaGraphKernelNodeSetParams(node, &p);
  n = 0;
}
