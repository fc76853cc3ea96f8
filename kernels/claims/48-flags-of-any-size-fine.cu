//pass
//--blockDim=64 --gridDim=1

// A sum of flags that are 0 or 1 is not more than there are flags.

__global__ void k(unsigned *out, const int *data) {
  __shared__ unsigned flag[64];
  unsigned t = threadIdx.x;

  flag[t] = data[t] > 0 ? 1 : 0;
  __cell_invariant(flag, k, k >= 64 | flag[k] <= 1);
  __syncthreads();
  __assert(__sum_add(flag, 0, t) <= t);
  out[t] = flag[t];
}
