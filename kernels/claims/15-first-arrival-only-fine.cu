//pass
//--blockDim=64 --gridDim=1

// The claim names the counter, which all threads share.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  for (int i = 0; i < 3; i++) {
    a[t] = i;
    __barrier_invariant_1(a[threadIdx.x] == i, threadIdx.x ^ 1);
    __syncthreads();
    out[a[t ^ 1] == i ? t : 0] = t;
    __syncthreads();
  }
}
