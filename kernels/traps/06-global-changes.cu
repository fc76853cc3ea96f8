//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// The contents of global memory change during the kernel, also for threads of different blocks.

__global__ void versions(int *g, int *out) {
  int tid = threadIdx.x, b = blockIdx.x;
  int v = g[b];
  __syncthreads();
  if (tid == 0)
    g[b] = v + 1;
  __syncthreads();
  if (tid == 1 && g[b] != v)
    out[0] = b;
}
