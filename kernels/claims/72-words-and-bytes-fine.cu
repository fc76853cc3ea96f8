//pass
//--blockDim=64 --gridDim=1

// The first two words are the first and the second.

__global__ void k(unsigned *__restrict__ out, const unsigned *__restrict__ in) {
  unsigned t = threadIdx.x;
  __assert(__sum_add(in, 0, 2) == __sum_add(in, 0, 1) + __sum_add(in, 1, 2));
  out[t] = in[t];
}
