//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion-failed

// After the warp's barrier a thread of the other warp may still write the cell: it belongs to
// the interval of the block.

__global__ void over_warp_barrier() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  __syncwarp();
  __non_temporal_loads_begin();
  int v = s[0];
  int w = s[0];
  __non_temporal_loads_end();
  if (t == 40)
    s[0] = 1;
  __unsafe_assert(v == w && __implies(t != 40, s[0] == v));
}
