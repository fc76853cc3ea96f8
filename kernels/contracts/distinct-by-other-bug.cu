//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The invariant does not hold for odd threads.

__global__ void scatter(int *out) {
  __shared__ int a[64];
  a[threadIdx.x] = 63 - (threadIdx.x & ~1u);
  __barrier_invariant_1(a[threadIdx.x] == 63 - threadIdx.x, threadIdx.x);
  __syncthreads();
  out[a[threadIdx.x]] = threadIdx.x;
}
