//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// A loop without a barrier writes elements that it wrote before.

__global__ void k(int *out, int n) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  for (int i = 0; i <= n; i++)
    a[t] = i ? 7 : 0;
  __cell_invariant(a, k, k >= 64 | a[k] == 0);
  __syncthreads();
  out[a[t] ? 0 : t] = t;
}
