//pass
//--blockDim=256 --gridDim=1

// Kogge-Stone with the bits of both, in 64 bits.

__global__ void kogge_stone(unsigned long long *out, const unsigned long long *in) {
  __shared__ unsigned long long s[256];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned off = 1; off < blockDim.x; off *= 2) {
    __barrier_invariant_1(
        s[threadIdx.x] == __sum_and(in, __ite(threadIdx.x + 1 > off, threadIdx.x + 1 - off, 0u), threadIdx.x + 1),
        threadIdx.x - off);
    __syncthreads();
    unsigned long long v = s[t];
    if (t >= off)
      v &= s[t - off];
    __syncthreads();
    s[t] = v;
  }
  out[t] = s[t];
}
