//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion-failed

// The thread accessed its cell before the warp's barrier; after it a lane beside it writes there.

__global__ void warp_mate() {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncwarp();
  __non_temporal_loads_begin();
  int v = s[t];
  __non_temporal_loads_end();
  s[t ^ 1] = 1;
  __unsafe_assert(s[t] == v);
}
