//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// All blocks share the sum, and a block barrier does not wait for other blocks.

__global__ void normalise(const int *in, int *out, int *sums) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[0], in[gid]);
  __syncthreads();
  out[gid] = in[gid] - sums[0];
}
