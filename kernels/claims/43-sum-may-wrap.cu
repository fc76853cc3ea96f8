//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// A sum that wraps may be less than a part of it.

__global__ void k(unsigned *__restrict__ out, const unsigned *__restrict__ in) {
  unsigned t = threadIdx.x;
  __assert(__sum_add(in, 0, t) <= __sum_add(in, 0, t + 1));
  out[t] = in[t];
}
