// The sum of a block, for blocks of 64 threads.
__global__ void sum(int *out, const int *in) {
  __shared__ int part[64];
  part[threadIdx.x] = in[64 * blockIdx.x + threadIdx.x];
  for (int d = 32; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
