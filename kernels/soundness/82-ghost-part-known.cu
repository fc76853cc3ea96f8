//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion-failed

// The thread accesses one byte of the cell; its neighbour writes another byte of it.

__global__ void part() {
  __shared__ int s[64];
  unsigned t = threadIdx.x, next = (t + 1) & 63;
  s[t] = 0;
  __syncthreads();
  ((char *)s)[4 * t] = 0;
  __non_temporal_loads_begin();
  int v = s[t];
  __non_temporal_loads_end();
  ((char *)s)[4 * next + 1] = 1;
  __unsafe_assert(s[t] == v);
}
