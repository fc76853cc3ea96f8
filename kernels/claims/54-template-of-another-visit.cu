//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// What was claimed with the counter of one iteration is used in the next.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  for (int i = 0; i < 3; i++) {
    int w = i > 0 ? a[t] : i;
    out[w == i ? t : 0] = t;
    __syncthreads();
    a[t] = i;
    __cell_invariant(a, k, k >= 64 | a[k] == i);
    __syncthreads();
  }
}
