//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// Planted bug: what decides is read again, after odd lanes changed it.

__global__ void sums(const int *in, int *out) {
  __shared__ int s[64];
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  s[threadIdx.x] = v;
  unsigned some = __ballot_sync(0xffffffff, s[threadIdx.x] > 0);
  if (threadIdx.x % 2)
    s[threadIdx.x] = 0;
  if (s[threadIdx.x] > 0)
    v += __shfl_sync(some, v, 0);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
