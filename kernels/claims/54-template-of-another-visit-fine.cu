//pass
//--blockDim=64 --gridDim=1

// In the next iteration the element is one less than the counter.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  for (int i = 0; i < 3; i++) {
    int w = i > 0 ? a[t ^ 1] + 1 : i;
    out[w == i ? t : 0] = t;
    __syncthreads();
    a[t] = i;
    __cell_invariant(a, k, k >= 64 | a[k] == i);
    __syncthreads();
  }
}
