//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: the loop starts with the element of the last thread.

__global__ void log_kept(int *out) {
  __shared__ int s[128];
  s[threadIdx.x] = 1;
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; i++)
      s[63 + i] = i;
  __syncthreads();
  out[threadIdx.x] = s[127 - threadIdx.x];
}
