//pass
//--blockDim=128 --gridDim=1

// Warp scans, a scan of the warps' totals by the first warp, and the final addition.

__device__ int warp_scan(int v) {
  int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d *= 2) {
    int left = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d)
      v += left;
  }
  return v;
}

__global__ void scan(const int *in, int *out) {
  __shared__ int totals[32];
  int lane = threadIdx.x & 31;
  int warp = threadIdx.x >> 5;

  int v = warp_scan(in[threadIdx.x]);
  if (lane == 31)
    totals[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int t = lane < 4 ? totals[lane] : 0;
    totals[lane] = warp_scan(t);
  }
  __syncthreads();
  if (warp > 0)
    v += totals[warp - 1];
  out[threadIdx.x] = v;
}
