//pass
//--blockDim=64 --gridDim=1

// The claim names the element only; any element may then be loaded.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = t;
  __cell_invariant(a, k, k >= 64 | a[k] == k);
  __syncthreads();
  out[a[63 - t]] = t;
}
