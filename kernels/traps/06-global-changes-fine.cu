//pass
//--blockDim=32 --gridDim=2

// Each block reports in a cell of its own.

__global__ void versions(int *g, int *out) {
  int tid = threadIdx.x, b = blockIdx.x;
  int v = g[b];
  __syncthreads();
  if (tid == 0)
    g[b] = v + 1;
  __syncthreads();
  if (tid == 1 && g[b] != v)
    out[b] = v;
}
