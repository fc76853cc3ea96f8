//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion-failed

// The thread accesses its cell, passes a barrier if `n` is set, and then the neighbour writes it.

__global__ void maybe(int n) {
  __shared__ int s[64];
  unsigned t = threadIdx.x, next = (t + 1) & 63;
  s[t] = 0;
  if (n)
    __syncthreads();
  __non_temporal_loads_begin();
  int v = s[t];
  __non_temporal_loads_end();
  if (n)
    s[next] = 1;
  __unsafe_assert(s[t] == v);
}
