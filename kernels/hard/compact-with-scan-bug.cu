//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// Also the elements that are not kept are written, over a kept one.

__global__ void compact(const int *in, int *out) {
  __shared__ int index[32];
  int t = threadIdx.x;
  int keep = in[t] > 0 ? 1 : 0;
  index[t] = keep;
  __syncthreads();
  for (int d = 1; d < 32; d *= 2) {
    int left = t >= d ? index[t - d] : 0;
    __syncthreads();
    index[t] += left;
    __syncthreads();
  }
  if (index[t] > 0)
    out[index[t] - 1] = t;
}
