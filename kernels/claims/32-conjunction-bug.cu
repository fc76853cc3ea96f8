//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-invariant-failed

// One of the parts does not hold of one thread.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t == 7 ? 16 : 2 * t;
  __barrier_invariant_1(a[threadIdx.x] >= 0 && a[threadIdx.x] == 2 * threadIdx.x, 63 - threadIdx.x);
  __syncthreads();
  out[a[63 - t]] = t;
}
