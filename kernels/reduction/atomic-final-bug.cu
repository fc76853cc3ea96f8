//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// A plain addition: blocks overwrite each other's.

__global__ void reduce(const int *in, int *total) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (tid < k)
      s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0)
    *total += s[0];
}
