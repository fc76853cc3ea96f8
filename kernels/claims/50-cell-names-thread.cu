//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The claim about every element names the thread that makes it.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t;
  __cell_invariant(a, k, k >= 64 | a[k] == t);
  __syncthreads();
  out[0] = t;
}
