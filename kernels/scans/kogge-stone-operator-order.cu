//pass
//--blockDim=64 --gridDim=1

// The operands are in the other order, which a commutative operator allows.

__operator(op, unsigned char, 7, __associative | __commutative);

__global__ void kogge_stone(unsigned char *out, const unsigned char *in) {
  __shared__ unsigned char s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned off = 1; off < blockDim.x; off *= 2) {
    __barrier_invariant_1(
        s[threadIdx.x] == __sum_op(in, __ite(threadIdx.x + 1 > off, threadIdx.x + 1 - off, 0u), threadIdx.x + 1),
        threadIdx.x - off);
    __syncthreads();
    unsigned char v = s[t];
    if (t >= off)
      v = op(v, s[t - off]);
    __syncthreads();
    s[t] = v;
  }
  out[t] = s[t];
}
