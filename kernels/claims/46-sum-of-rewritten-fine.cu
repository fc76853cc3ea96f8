//pass
//--blockDim=64 --gridDim=1

// The sum is of an array that is written before a barrier and never after it.

__global__ void k(unsigned *out, const int *data) {
  __shared__ unsigned flag[64];
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;

  flag[t] = data[t] > 0 ? 1 : 0;
  __syncthreads();
  s[t] = flag[t];
  __barrier_invariant_0(s[threadIdx.x] == __sum_add(flag, threadIdx.x, threadIdx.x + 1));
  __syncthreads();
  __assert(s[t] == __sum_add(flag, t, t + 1));
  out[t] = s[t];
}
