//pass
//--blockDim=64 --gridDim=1

// The sum of the words is not less than that of a part, if it fits their type.

__global__ void k(unsigned *__restrict__ out, const unsigned *__restrict__ in) {
  unsigned t = threadIdx.x;
  __requires(__sum_noovfl(in, 0, 64));
  __assert(__sum_add(in, 0, t) <= __sum_add(in, 0, t + 1));
  out[t] = in[t];
}
