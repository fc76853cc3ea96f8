//pass
//--blockDim=64 --gridDim=1

// The sum of elements of the first half, of which something is claimed.

__global__ void k(unsigned *out, const unsigned *data) {
  __shared__ unsigned flag[64];
  unsigned t = threadIdx.x;

  flag[t] = t < 32 ? data[t] & 1 : data[t];
  __cell_invariant(flag, k, k >= 32 | flag[k] <= 1);
  __syncthreads();
  __assert(__sum_add(flag, 0, (t < 32 ? t : 0)) <= t);
  out[t] = flag[t];
}
