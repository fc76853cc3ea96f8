//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The store goes to one of two arrays; what is claimed of the first need not hold any more.

__global__ void either(int *out, int first) {
  __shared__ unsigned a[64], b[64];
  unsigned t = threadIdx.x;
  a[t] = t;
  b[t] = 0;
  __cell_invariant(a, k, k >= 64 | a[k] == k);
  __syncthreads();
  unsigned *c = first ? a : b;
  c[t] = 1;
  __cell_invariant(a, k, k >= 64 | a[k] == k);
  __syncthreads();
  out[a[63 - t]] = t;
}
