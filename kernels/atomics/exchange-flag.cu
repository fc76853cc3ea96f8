//pass
//--blockDim=64 --gridDim=2

// Visits each cell once: the first thread to exchange the flag does the work, on a cell of its own.

__global__ void visit(const int *target, int *visited, int *work) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomicExch(&visited[target[gid] & 63], 1) == 0)
    work[gid] = target[gid];
}
