//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The thread accessed one byte of the cell that it makes a claim about.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  unsigned next = (t + 1) & 63;
  a[t] = 0;
  __barrier_invariant_1(a[threadIdx.x] == 0, next);
  __syncthreads();
  ((char *)a)[4 * next] = 0;
  ((char *)a)[4 * t + 1] = 1;
  __barrier_invariant_1(a[(threadIdx.x + 1) & 63] == 0, threadIdx.x);
  __syncthreads();
  if (a[next])
    out[0] = t;
}
