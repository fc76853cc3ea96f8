//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// Within a block nobody writes between the barriers, but the other block may be elsewhere.

__global__ void other_block(int *g) {
  unsigned t = threadIdx.x;
  __syncthreads();
  __non_temporal_loads_begin();
  int v = g[0];
  __non_temporal_loads_end();
  __unsafe_assert(g[0] == v);
  __syncthreads();
  if (blockIdx.x == 1 && t == 0)
    g[0] = 1;
}
