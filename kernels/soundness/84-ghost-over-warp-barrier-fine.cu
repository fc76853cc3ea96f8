//pass
//--blockDim=64 --gridDim=1

// Nobody writes between the two barriers of the block, whatever the warps do there.

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
  __unsafe_assert(v == w && s[0] == v);
  __syncthreads();
  if (t == 40)
    s[0] = 1;
}
