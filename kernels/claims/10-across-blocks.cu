//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// Values differ within a block, not between blocks.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t;
  __barrier_invariant_binary_1(__distinct_int(a[threadIdx.x]), threadIdx.x, threadIdx.x ^ 1);
  __syncthreads();
  out[a[t]] = blockIdx.x;
}
