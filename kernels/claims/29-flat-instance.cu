//xfail:NOT_ALL_VERIFIED
//--blockDim=[8,8] --gridDim=1

// The number of the next thread is too large for the last thread.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned f = threadIdx.x + 8 * threadIdx.y;
  a[f] = 0;
  __barrier_invariant_1(a[threadIdx.x + 8 * threadIdx.y] == 0, f + 1);
  __syncthreads();
  if (f >= 62)
    out[0] = f;
}
