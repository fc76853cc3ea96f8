//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Half of the elements would be written by threads that have returned.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  if (t >= 32)
    return;
  __syncthreads();
  a[t] = 1;
  __cell_invariant(a, k, k >= 64 | a[k] == 1);
  __syncthreads();
  out[a[t + 32] == 1 ? t : 0] = t;
}
