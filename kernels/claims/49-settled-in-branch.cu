//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// What is claimed in a branch that nobody takes says nothing of those who pass it by.

__global__ void k(unsigned *out, const int *data, int n) {
  __shared__ unsigned flag[64];
  __shared__ unsigned s[64];
  __requires(n != 5);
  unsigned t = threadIdx.x;

  flag[t] = data[t] > 0 ? 1 : 0;
  s[t] = flag[t];
  if (n == 5) {
    __cell_invariant(flag, k, (flag[k] <= 1) & (n == 5));
    __syncthreads();
    __barrier_invariant_0((s[threadIdx.x] == 7) | (__sum_add(flag, 0, threadIdx.x) == 3));
    __syncthreads();
  }
  out[t] = blockIdx.x;
}
