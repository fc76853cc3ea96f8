//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --vacuity
//vacuous

// Planted bug: what is assumed before the barrier leaves nobody behind it.

__global__ void assumed(int *a, int n) {
  a[threadIdx.x] = n;
  __assume(threadIdx.x == 70);
  __syncthreads();
  a[63 - threadIdx.x] += 1;
}
