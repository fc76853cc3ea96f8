//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Nothing is claimed of the flags, which may be any numbers: their sums wrap.

__global__ void k(unsigned *out, const int *data) {
  __shared__ unsigned flag[64];
  unsigned t = threadIdx.x;

  flag[t] = data[t];
  __cell_invariant(flag, k, k >= 64 | flag[k] == flag[k] + 0);
  __syncthreads();
  __assert(__sum_add(flag, 0, t) <= t);
  out[t] = flag[t];
}
