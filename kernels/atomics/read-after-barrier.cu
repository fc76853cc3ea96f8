//pass
//--blockDim=64 --gridDim=2

// Atomics to a block's own cell, then a barrier, then plain reads of it.

__global__ void normalise(const int *in, int *out, int *sums) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[blockIdx.x], in[gid]);
  __syncthreads();
  out[gid] = in[gid] - sums[blockIdx.x];
}
