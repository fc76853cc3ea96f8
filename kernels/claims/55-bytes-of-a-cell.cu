//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// A byte of an element is written, which is no element.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  __cell_invariant(a, k, k >= 64 | a[k] == 0);
  __syncthreads();
  ((char *)a)[4 * t + 1] = 1;
  __cell_invariant(a, k, k >= 64 | a[k] == 0);
  __syncthreads();
  out[a[t] ? 0 : t] = t;
}
