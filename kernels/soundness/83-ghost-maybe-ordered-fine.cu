//pass
//--blockDim=64 --gridDim=1

// Without the barrier nobody else writes the cell.

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
  __unsafe_assert(__implies(n == 0, s[t] == v));
}
