//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// On one way the thread passed a barrier after its access.

__global__ void k(int *out, int n) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  if (n)
    __syncthreads();
  if (n)
    a[(t + 1) & 63] = 1;
  __barrier_invariant_1(a[threadIdx.x] == 0, threadIdx.x);
  __syncthreads();
  out[a[t] ? 0 : t] = t;
}
