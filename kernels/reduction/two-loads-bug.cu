//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//read-write-race

// With the barrier at the head, the last sum is only safe for the thread that made it; thread 1 reads it too early.

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[32];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x * 2 + tid;
  s[tid] = in[i] + in[i + blockDim.x];
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    __syncthreads();
    if (tid < k)
      s[tid] += s[tid + k];
  }
  if (tid == 1)
    out[blockIdx.x] = s[0];
}
