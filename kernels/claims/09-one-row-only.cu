//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Two threads of a warp write the same value: the claim is false of pairs of a warp.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  __syncwarp();
  a[t] = t >> 1;
  __barrier_invariant_binary_1(__distinct_int(a[threadIdx.x]), threadIdx.x, threadIdx.x ^ 1);
  __syncthreads();
  out[a[t]] = t;
}
