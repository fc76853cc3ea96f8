//pass
//--blockDim=1024 --gridDim=1

// Kogge-Stone with an operator of which only the laws are known.

__operator(op, int, 0, __associative);

__global__ void kogge_stone(int *out, const int *in) {
  __shared__ int s[1024];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned off = 1; off < blockDim.x; off *= 2) {
    __barrier_invariant_1(
        s[threadIdx.x] == __sum_op(in, __ite(threadIdx.x + 1 > off, threadIdx.x + 1 - off, 0u), threadIdx.x + 1),
        threadIdx.x - off);
    __syncthreads();
    int v = s[t];
    if (t >= off)
      v = op(s[t - off], v);
    __syncthreads();
    s[t] = v;
  }
  out[t] = s[t];
}
