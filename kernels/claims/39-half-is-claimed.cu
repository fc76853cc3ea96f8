//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// Of the second half of the elements nothing is claimed, and they may be any numbers.

__global__ void k(unsigned *out, const unsigned *data) {
  __shared__ unsigned flag[64];
  unsigned t = threadIdx.x;

  flag[t] = t < 32 ? data[t] & 1 : data[t];
  __cell_invariant(flag, k, k >= 32 | flag[k] <= 1);
  __syncthreads();
  __assert(__sum_add(flag, 0, t) <= t);
  out[t] = flag[t];
}
