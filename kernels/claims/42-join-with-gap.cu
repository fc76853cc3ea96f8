//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The two parts leave out an element.

__global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  __assert(__sum_add(in, 0, t) + __sum_add(in, t + 1, 100) == __sum_add(in, 0, 100));
  out[t] = in[t];
}
