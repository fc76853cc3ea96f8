//pass
//--blockDim=300 --gridDim=1

// The sum of 300 flags of 16 bits does not wrap: no part of it is greater.

__global__ void k(unsigned *out, const int *data) {
  __shared__ unsigned short flag[300];
  unsigned t = threadIdx.x;

  flag[t] = data[t] > 0 ? 1 : 0;
  __cell_invariant(flag, k, k >= 300 | flag[k] <= 1);
  __syncthreads();
  __assert(__sum_add(flag, 0, t) <= __sum_add(flag, 0, 300));
  out[t] = flag[t];
}
