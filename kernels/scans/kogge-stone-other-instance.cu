//pass
//--blockDim=64 --gridDim=1

// The claim lists another thread than the one whose element is read; which one that is
// follows from the place.

__global__ void kogge_stone(int *out, const int *in) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned off = 1; off < blockDim.x; off *= 2) {
    __barrier_invariant_1(
        s[threadIdx.x] == __sum_add(in, __ite(threadIdx.x + 1 > off, threadIdx.x + 1 - off, 0u), threadIdx.x + 1),
        threadIdx.x ^ off);
    __syncthreads();
    int v = s[t];
    if (t >= off)
      v += s[t - off];
    __syncthreads();
    s[t] = v;
  }
  out[t] = s[t];
}
