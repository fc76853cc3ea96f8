//pass
//--blockDim=64 --gridDim=1

// Every element is written, by one of two stores.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  __syncthreads();
  if (t < 32) {
    a[t] = 1;
    a[t + 32] = 1;
  }
  __cell_invariant(a, k, k >= 64 | a[k] == 1);
  __syncthreads();
  out[a[t ^ 1] == 1 ? t : 0] = t;
}
