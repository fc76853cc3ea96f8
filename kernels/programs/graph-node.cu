//pass
//

// A kernel that a graph launches: the node holds its sizes and arguments.
__global__ void rows(int *out, int width) {
  out[blockIdx.x * width + threadIdx.x] = threadIdx.x;
}

int main() {
  int *out, width = 64;
  cudaMalloc(&out, 16 * 64 * sizeof(int));
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  void *args[2] = {(void *)&out, (void *)&width};
  cudaKernelNodeParams params = {0};
  params.func = (void *)rows;
  params.gridDim = dim3(16, 1, 1);
  params.blockDim = dim3(64, 1, 1);
  params.kernelParams = args;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
}
