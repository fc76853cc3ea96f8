//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The greater of two is no step of a scan with the lesser.

__global__ void kogge_stone(short *out, const short *in) {
  __shared__ short s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned off = 1; off < blockDim.x; off *= 2) {
    __barrier_invariant_1(
        s[threadIdx.x] == __sum_min(in, __ite(threadIdx.x + 1 > off, threadIdx.x + 1 - off, 0u), threadIdx.x + 1),
        threadIdx.x - off);
    __syncthreads();
    short v = s[t];
    if (t >= off)
      v = s[t - off] > v ? s[t - off] : v;
    __syncthreads();
    s[t] = v;
  }
  out[t] = s[t];
}
