//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The claim about an element speaks of another one, which somebody writes.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  __cell_invariant(a, k, k >= 64 | a[k] == 0);
  __syncthreads();
  if (t == 0)
    a[2] = 1;
  __cell_invariant(a, k, k >= 32 | a[2 * k] == 0);
  __syncthreads();
  out[a[2] ? 0 : t] = t;
}
