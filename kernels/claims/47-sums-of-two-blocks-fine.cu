//pass
//--blockDim=64 --gridDim=2

// Each block writes the sums of its own flags to its own places.

__global__ void k(unsigned *out, const int *data) {
  __shared__ unsigned flag[64];
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;

  flag[t] = data[blockIdx.x * 64 + t] > 0 ? 1 : 0;
  __syncthreads();
  s[t] = flag[t];
  __barrier_invariant_0(s[threadIdx.x] == __sum_add(flag, threadIdx.x, threadIdx.x + 1));
  __syncthreads();
  __assert(s[t] == __sum_add(flag, t, t + 1));
  out[blockIdx.x * 64 + t] = s[t];
}
