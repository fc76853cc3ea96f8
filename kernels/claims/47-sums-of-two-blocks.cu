//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// Two blocks have different flags, so the sums of both are not the same: what they write to
// one place differs.

__global__ void k(unsigned *out, const int *data) {
  __shared__ unsigned flag[64];
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;

  flag[t] = data[blockIdx.x * 64 + t] > 0 ? 1 : 0;
  __syncthreads();
  s[t] = flag[t];
  __barrier_invariant_0(s[threadIdx.x] == __sum_add(flag, threadIdx.x, threadIdx.x + 1));
  __syncthreads();
  out[t] = s[t];
}
