//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// A claim about two threads says nothing of a thread and itself.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t;
  __barrier_invariant_binary_1(__distinct_int(a[threadIdx.x]), threadIdx.x, threadIdx.x);
  __syncthreads();
  out[0] = t;
}
