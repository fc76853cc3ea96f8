//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Nobody wrote the elements, and nothing is known of them.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  __cell_invariant(a, k, a[k] == 0);
  __syncthreads();
  out[a[t] ? 0 : t] = t;
}
