//pass
//--blockDim=1024 --gridDim=1

// Kogge-Stone with the greatest instead of the sum.

__global__ void kogge_stone(int *out, const int *in) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned off = 1; off < blockDim.x; off *= 2) {
    __barrier_invariant_1(
        s[threadIdx.x] == __sum_max(in, __ite(threadIdx.x + 1 > off, threadIdx.x + 1 - off, 0u), threadIdx.x + 1),
        threadIdx.x - off);
    __syncthreads();
    int v = s[t];
    if (t >= off)
      v = s[t - off] > v ? s[t - off] : v;
    __syncthreads();
    s[t] = v;
  }
  out[t] = s[t];
}
