//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The thread that changed an element has returned; nobody who is left wrote it.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  __syncthreads();
  if (t == 5) {
    a[9] = 7;
    return;
  }
  __syncthreads();
  __cell_invariant(a, k, a[k] == 0);
  __syncthreads();
  out[a[t] ? 0 : t] = t;
}
